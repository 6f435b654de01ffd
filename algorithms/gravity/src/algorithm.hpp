// Gravity in the form that run/driver.hpp needs; the driver is in driver.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/gravity/gravity.hpp"
#include "zwalk/gravity/trait.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/run/dims.hpp"
#include "zwalk/run/driver.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

inline constexpr int max_gravity_order = 5;

/// The smallest power of two > x; 1 for 0.
inline double power_of_two(double x) {
    int exponent = 0;
    (void)std::frexp(x, &exponent);
    return std::ldexp(1, exponent);
}
/// A length to measure nodes by: a thousandth of the largest extent, as a power of two. The smallest and the largest distance
/// that expansions see are about as many orders of magnitude away from it.
inline double unit_of_length(double extent) { return power_of_two(extent / 1024); }
/// A mass to measure masses by; 1 if there are none.
inline double unit_of_mass(double largest) { return power_of_two(largest); }
inline double largest_mass(std::span<double const> masses) {
    return masses.empty() ? .5 : *std::max_element(masses.begin(), masses.end());
}
/// Masses as multiples of `unit`, one if there are none.
template <class T>
std::vector<PointMass<T>> masses_in(double unit, std::span<double const> masses, std::size_t n) {
    std::vector<PointMass<T>> rows(n, {T(1)});
    if (!masses.empty())
        for (std::size_t i = 0; i < n; ++i) rows[i].mass = T(masses[i] / unit);
    return rows;
}
/// The trait, but for where its results go.
template <int order, class T>
Gravity<order, T> gravity_trait(GravityOptions const& o, double unit_of_length) {
    Gravity<order, T> trait;
    trait.opening2 = T(o.opening * o.opening);
    trait.softening2 = T(o.softening) * T(o.softening);
    trait.per_unit = 1 / unit_of_length;
    trait.acceleration = nullptr;
    trait.potential = nullptr;
    return trait;
}

/// How many accelerations there are, and how many T holds in the unit of the input. Looked at where that isn't the unit of the walk.
struct ForcesInRange {
    std::uint64_t pulled = 0;  ///< points that are pulled at all
    std::uint64_t held = 0;    ///< of these

    /// Few may be lost beside others, such as those of points that are very far away.
    [[nodiscard]] bool most_are_lost() const { return held < pulled - held; }
};
/// @throws InputError  always
template <class T>
[[noreturn]] void refuse_forces();

/// Coordinates beyond these need a unit of their own, since forces have their cubes.
template <class T>
inline constexpr int largest_gravity_exponent = sizeof(T) == 4 ? 40 : 330;
template <class T>
inline constexpr int least_gravity_exponent = sizeof(T) == 4 ? -10 : -100;

/// The unit for points with coordinates of up to `largest`, and these lengths.
template <class T>
LengthUnit<T> gravity_unit(T largest, GravityOptions const& o) {
    T most = std::max(largest, T(o.softening));
    for (double const length : o.box) most = std::max(most, T(length));
    return unit_for(most, largest_gravity_exponent<T>, least_gravity_exponent<T>);
}
/// Lengths become those of the unit.
/// @throws InputError  the unit of accelerations is none in T
template <class T>
void to_gravity_unit(GravityOptions& options, LengthUnit<T> const& unit, double heaviest);

/// Whether options have a box, right or wrong.
inline bool is_periodic(GravityOptions const& options) {
    return std::any_of(options.box.begin(), options.box.end(), [](double l) { return l != 0; });
}
/// The options with an order, an opening and sizes of nodes.
GravityOptions with_accuracy(GravityOptions options, bool on_device);
/// Sizes of nodes alone.
TreeOptions gravity_tree(GravityOptions const& options, bool on_device);
/// Throws InputError for orders that devices have no kernels for.
/// @param o  as asked for, before with_accuracy()
void check_gravity_on_device(GravityOptions const& o);
/// What a tree has of nodes, and where its targets lie.
struct TreeNodes {
    std::size_t all = 0, tops = 0;  ///< on all planes, and on the coarsest
    std::size_t planes = 0;
    /// Of a periodic box, from the least coordinate of all points on, in sides of the box: what lies in its middle sees few nodes
    /// of images.
    std::array<double, 3> lo{0, 0, 0}, hi{1, 1, 1};
};
/// device_gravity_memory() where there is a tree already, as on ranks: most nodes may be of other ranks, and without points. O(1).
std::uint64_t device_gravity_memory_of(TreeNodes const& nodes, std::uint64_t points,
                                       std::size_t item_bytes, GravityOptions const& options);
/// Throws InputError: a rank has none of the masses that others have.
[[noreturn]] void refuse_missing_masses(std::size_t points);

struct GravityAlgorithm : GravityCall {
    static constexpr char const* name = "gravity";
    /// Points of fewer columns have zeros in the others.
    template <class P>
    using DimsOn = std::conditional_t<(DimsFor<float, P>::type::most > 0), Dims<3>, Dims<>>;

    template <class T>
    static void check(GravityOptions const& options, CallSets const& sets);
    template <class P>
    static void check_on(GravityOptions const& o) {
        if constexpr (is_device<P>) check_gravity_on_device(o);
    }
    static std::array<Option, 6> agreed(GravityOptions const& o, Option const& place) {
        return {Option("softening", o.softening),
                Option("accuracy", o.accuracy),
                Option("expansion_order", o.expansion_order),
                Option("opening", o.opening),
                Option("order", int(o.order)),
                place};
    }
    static std::uint64_t device_bytes(CallSets const& sets, int, std::size_t item_bytes,
                                      GravityOptions const& o) {
        return device_gravity_memory(sets.points.size, item_bytes, o);
    }
    template <class P>
    static TreeOptions tree_options(GravityOptions const& o) {
        return gravity_tree(o, is_device<P>);
    }
    template <class T>
    static LengthUnit<T> unit_for(T largest, GravityOptions const& o) {
        return gravity_unit(largest, o);
    }
    template <class Points>
    static ResultOf<GravityAlgorithm, Points> run(Points& points, GravityOptions const& options);
};

}}}  // namespace zwalk::v0::detail
