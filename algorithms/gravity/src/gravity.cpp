#include "zwalk/gravity/gravity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accuracy.hpp"
#include "algorithm.hpp"
#include "zwalk/run/call.hpp"

namespace zwalk::inline v0 {

using namespace detail;

namespace {

/// Where images are point masses, and how many there are, is said of the lengths: longer boxes would have thousands.
constexpr double longest_box = 4, largest_softening = .1;

void check_gravity_box(GravityOptions const& o, int dim) {
    if (dim != 3)
        throw InputError(
            fmt::format("a periodic box is for gravity of points of 3 columns, but there are {}", dim));
    auto const [least, most] = std::minmax_element(o.box.begin(), o.box.end());
    if (!(*least > 0))
        throw InputError(
            "gravity is periodic along all three axes or none: all lengths of the box must "
            "be > 0");
    if (*most > longest_box * *least)
        throw InputError(
            fmt::format("the box of gravity must not be more than {} times as long as wide, but its "
                        "lengths are from {} to {}",
                        longest_box, *least, *most));
    if (o.softening > largest_softening * *least)
        throw InputError(fmt::format("softening must be at most a tenth of the box, {}, but is {}",
                                     largest_softening * *least, o.softening));
}

}  // namespace

bool detail::is_periodic(GravityOptions const& o) {
    return std::any_of(o.box.begin(), o.box.end(), [](double l) { return l != 0; });
}

template <class T>
void detail::check_gravity_options(GravityOptions const& o, std::size_t n, int dim) {
    if (dim < 1 || dim > 3)
        throw InputError(fmt::format("gravity is for points of 1 to 3 columns, but there are {}", dim));
    if (!(o.softening >= 0) || std::isinf(T(o.softening) * T(o.softening)))
        throw InputError(fmt::format("softening must be a number >= 0 whose square is finite, but is {}",
                                     o.softening));
    if (o.expansion_order < 0 || o.expansion_order > max_gravity_order)
        throw InputError(
            fmt::format("expansion_order must be 1 to {}, or 0 to have it chosen, but is {}",
                        max_gravity_order, o.expansion_order));
    if (!(o.opening >= 0 && o.opening <= max_opening))
        throw InputError(fmt::format("opening must be from 0 to {}, but is {}", max_opening, o.opening));
    double const best = (is_periodic(o) ? periodic_margin : 1) * best_accuracy<T>();
    if (!(o.accuracy >= best && o.accuracy <= worst_accuracy))
        throw InputError(
            fmt::format("accuracy must be from {} to {}, but is {}", best, worst_accuracy, o.accuracy));
    if (is_periodic(o)) check_gravity_box(o, dim);
    if (o.masses.empty()) return;
    if (o.masses.size() != n)
        throw InputError(fmt::format("there are {} masses for {} points: one each", o.masses.size(), n));
    for (std::size_t i = 0; i < n; ++i)
        if (!(o.masses[i] >= 0) || std::isinf(T(o.masses[i])))
            throw InputError(fmt::format("masses must be finite numbers >= 0, but that of row {} is {}",
                                         i, o.masses[i]));
}

namespace {

template <int order, class T>
GravityResult<T> run_order(Points<T> points, GravityOptions const& o, Cpu& place) {
    if (o.expansion_order != order) {
        if constexpr (order < max_gravity_order) return run_order<order + 1>(points, o, place);
        __builtin_unreachable();
    }
    GravityTask<order, T> const task(o);
    return ask_once<GravityByOrder<order>>(
        Dims<3>{}, place, points, o.box, o.tree, [&](auto const&) -> auto const& { return task; });
}

}  // namespace

template <class T>
GravityResult<T> gravity(Points<T> points, GravityOptions const& options, Cpu const& cpu) {
    check_gravity_options<T>(options, points.size, points.dim);
    Cpu place = cpu;
    return run_order<1>(points, with_accuracy(options), place);
}

GravityMemory gravity_memory(std::uint64_t points, int dim, std::size_t item_bytes,
                             GravityOptions const& options) {
    int const p = with_accuracy(options).expansion_order;
    std::uint64_t const coefficients = std::uint64_t((p + 1) * (p + 2) * (p + 3) / 6);
    // As zorder/sort.cpp and tree/joint.cpp have them. There is at most one node for 10 points or so: a leaf for 20, and as many
    // above them. With cuts they take about a coordinate's bytes per point.
    std::uint64_t const sort = 16, tree = sizeof(pos_t) + 4 * item_bytes;
    std::uint64_t const expansions = (6 + coefficients) * sizeof(double) / 10;
    std::uint64_t const masses = 3 * item_bytes, outputs = 4 * item_bytes;
    std::uint64_t const result = (std::uint64_t(dim) + 1) * item_bytes + sizeof(pos_t);
    std::uint64_t walk = (tree + expansions + masses + outputs) * points;
    if (is_periodic(
            options))  // nodes again, to move them; images near the faces, and some nodes of all others
        walk += (tree + 2 * expansions + masses) * points + (std::uint64_t(32) << 20);
    return {sort * points, walk, result * points};
}

#define ZWALK_GRAVITY(T)                                                                     \
    template void detail::check_gravity_options<T>(GravityOptions const&, std::size_t, int); \
    template GravityResult<T> gravity(Points<T>, GravityOptions const&, Cpu const&);
ZWALK_GRAVITY(float)
ZWALK_GRAVITY(double)

}  // namespace zwalk::inline v0
