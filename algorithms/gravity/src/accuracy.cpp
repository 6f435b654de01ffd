#include "accuracy.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "compiled_orders.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

constexpr std::size_t openings = 7;
constexpr std::array<double, openings> opening{.7, 1, 1.4, 2, 2.8, 4, 5.6};
// Relative errors of accelerations that 99 of 100 points keep, for these openings and orders 1 to 5: the largest of those
// measured against direct sums in double for 1e4 and 1e5 points of three kinds (uniform, clumps of many sizes with
// softening of 1e-3 and 1e-6, a Plummer sphere), with planes as below and leaves of 48 or 32. Those of orders 1 and 2 were
// measured when nodes were opened by their boxes alone (Multipole::size2): they are smaller now. bench_gravity --table prints
// what there is for one kind and number of points.
constexpr std::array<std::array<double, openings>, max_gravity_order> error{{
    {8.0e-2, 1.2e-1, 1.6e-1, 2.4e-1, 3.8e-1, 5.0e-1, 7.8e-1},
    {6.0e-3, 1.2e-2, 2.4e-2, 5.2e-2, 8.5e-2, 1.5e-1, 2.3e-1},
    {5.5e-4, 1.6e-3, 4.7e-3, 1.4e-2, 2.7e-2, 5.5e-2, 1.3e-1},
    {3.8e-5, 1.7e-4, 7.2e-4, 2.9e-3, 8.4e-3, 2.5e-2, 8.1e-2},
    {2.8e-6, 2.5e-5, 1.3e-4, 8.4e-4, 3.6e-3, 1.2e-2, 9.0e-2},
}};
/// Other points have other errors: what is asked for is kept with this to spare.
constexpr double margin = 2;

/// The largest opening that keeps an error, by a line through the logarithms of the table.
double opening_for(int order, double accuracy) {
    auto const& e = error[std::size_t(order - 1)];
    double const wanted = std::log(accuracy / margin);
    std::size_t i = 1;
    while (i + 1 < openings && std::log(e[i]) < wanted) ++i;
    double const x0 = std::log(e[i - 1]), x1 = std::log(e[i]);
    double const y0 = std::log(opening[i - 1]), y1 = std::log(opening[i]);
    double const found = std::exp(y0 + (wanted - x0) / (x1 - x0) * (y1 - y0));
    // Some digits only, since C libraries differ in the last bits of logarithms.
    return std::floor(std::clamp(found, .3, opening.back()) * 256) / 256;
}

/// In a periodic box pulls of images cancel, and errors are relative to what is left of them: those of uniform points were up to 30
/// times the ones above at openings near 2, and 50 times at 1, as they fall with the opening's power of 4.7 instead of 6 (order 5,
/// against Ewald's sums of 200 to 1e5 points, leaves of 4 to 48). So this is what expansions are made for.
double of_images(double accuracy) { return accuracy / 20 * std::pow(accuracy / 1e-2, .28); }

/// Order 5 takes less time below (bench_gravity): what its wider opening saves is more than its expansions cost.
int order_for(double accuracy) { return accuracy >= 3e-2 ? least_chosen_order : 5; }

}  // namespace

TreeOptions gravity_tree(GravityOptions const& o, bool on_device) {
    TreeOptions tree = o.tree;
    // Nodes that grow by 2 from plane to plane: of those that can act as a whole few are larger ones' children then. With 8 there
    // are 3 times as many pairs for a Plummer sphere, and 8 times as many for clumps.
    if (tree.coarsening == 0) tree.coarsening = 2;
    // With the usual 48 threads are at masses that meet for three quarters of the time (1e5 uniform points, 1e-2).
    // Images have the usual ones: with fewer masses that meet, what cancels leaves larger errors.
    if (tree.leaf_size == 0 && !on_device && !is_periodic(o)) tree.leaf_size = leaf_on_threads;
    return tree;
}

GravityOptions with_accuracy(GravityOptions o, bool on_device) {
    double accuracy = o.accuracy;
    if (is_periodic(o)) accuracy = of_images(accuracy);
    o.expansion_order =
        o.expansion_order == 0 ? order_for(accuracy) : std::max(o.expansion_order, least_compiled_order);
    o.tree = gravity_tree(o, on_device);
    if (o.opening == 0) o.opening = opening_for(o.expansion_order, accuracy);
    return o;
}

}}}  // namespace zwalk::v0::detail
