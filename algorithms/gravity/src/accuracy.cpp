#include "accuracy.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace zwalk::inline v0::detail {
namespace {

constexpr std::size_t openings = 7;
constexpr std::array<double, openings> opening{.7, 1, 1.4, 2, 2.8, 4, 5.6};
// Relative errors of accelerations that 99 of 100 points keep, for these openings and orders 1 to 5: the largest of those
// measured against direct sums in double for 1e4 and 1e5 points of three kinds (uniform, clumps of many sizes, a Plummer
// sphere), with leaves of 48. Those of opening 0.7 are extrapolated from larger ones: 1e5 points weren't measured there.
// bench_gravity --table prints what there is for one kind and number of points.
constexpr std::array<std::array<double, openings>, max_gravity_order> error{{
    {6.0e-2, 1.1e-1, 1.5e-1, 2.3e-1, 2.7e-1, 3.2e-1, 5.2e-1},
    {7.0e-3, 1.4e-2, 2.5e-2, 5.1e-2, 6.5e-2, 1.4e-1, 2.0e-1},
    {7.0e-4, 2.0e-3, 4.5e-3, 1.1e-2, 1.6e-2, 5.5e-2, 1.4e-1},
    {7.0e-5, 2.9e-4, 7.4e-4, 2.0e-3, 5.9e-3, 2.1e-2, 1.4e-1},
    {1.0e-5, 4.5e-5, 3.1e-4, 1.4e-3, 4.5e-3, 1.8e-2, 1.3e-1},
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

/// That takes the least time.
int order_for(double accuracy) {
    if (accuracy >= 2e-2) return 3;
    return accuracy >= 5e-4 ? 4 : 5;
}

}  // namespace

GravityOptions with_accuracy(GravityOptions o) {
    double accuracy = o.accuracy;
    if (is_periodic(o)) accuracy /= periodic_margin;
    if (o.expansion_order == 0) o.expansion_order = order_for(accuracy);
    if (o.tree.leaf_size == 0) o.tree.leaf_size = 32;  // the fastest from 16 to 128 (bench_gravity)
    if (o.opening == 0) o.opening = opening_for(o.expansion_order, accuracy);
    return o;
}

}  // namespace zwalk::inline v0::detail
