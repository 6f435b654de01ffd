// Gravity in the form that run/algorithm.hpp needs, one for each order of expansions; the driver is in driver.hpp.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "zwalk/gravity/gravity.hpp"
#include "zwalk/gravity/trait.hpp"
#include "zwalk/run/algorithm.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk::inline v0::detail {

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

/// Where the points are those that a rank has and has imported, or have images behind them: results are those of its own
/// points, in the order of z.
template <int order, class T>
struct GravityPart {
    TargetNodes targets{};
    std::size_t size = 0;                    ///< own points
    std::span<PointMass<T> const> masses{};  ///< of all these points, by position, in units
    double unit_of_mass = 1, unit_of_length = 1;
    KnownNodes<Multipole<order, T>> const* known = nullptr;  ///< WalkInputs::known
    std::span<Pull<T> const>
        far{};  ///< in a periodic box: of what is no source of the walk, on own points
    ForcesInRange* in_range = nullptr;  ///< where own points are counted, for the ranks to decide
};

/// The task: options that have been checked, with an order and an opening.
template <int order, class T>
struct GravityTask {
    GravityTask(GravityOptions const& o) : options(o) {}  // NOLINT: options alone are a task
    GravityOptions options;
    GravityPart<order, T> const* part = nullptr;
    LengthUnit<T> unit{};  ///< of lengths, of points and of these options
};

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
/// @throws InputError  options or masses that make no sense
template <class T>
void check_gravity_options(GravityOptions const& options, std::size_t points, int dim);

template <int order>
struct GravityByOrder {
    template <class T, class P>
    using Task = GravityTask<order, T>;
    template <class T, class P>
    using Result = GravityResult<T, P>;

    template <class T>
    static LengthUnit<T> unit_for(T largest, GravityTask<order, T> const& task) {
        return gravity_unit(largest, task.options);
    }
    /// Results are in the unit of the input.
    template <class T>
    static void to_unit(GravityTask<order, T>& task, LengthUnit<T> const& unit) {
        to_gravity_unit(task.options, unit, largest_mass(task.options.masses));
        task.unit = unit;
    }
    template <int D, class T, class P>
    static GravityResult<T, P> run(P& place, RunPoints<T, P>& points, GravityTask<order, T> const& task);
};

}  // namespace zwalk::inline v0::detail
