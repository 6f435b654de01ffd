// Gravity as run/algorithm.hpp wants an algorithm, one for each order of expansions; the driver is in driver.hpp.
#pragma once
#include <algorithm>
#include <cmath>
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

/// Where the points are what a rank has of all and has imported, or have images behind them: results are those of its own
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
};

/// What is asked: options that have been checked, with an order and an opening.
template <int order, class T>
struct GravityTask {
    GravityTask(GravityOptions const& o) : options(o) {}  // NOLINT: options alone are a task
    GravityOptions options;
    GravityPart<order, T> const* part = nullptr;
};

/// Whether they have a box, right or wrong.
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

    template <int D, class T, class P>
    static GravityResult<T, P> run(P& place, RunPoints<T, P>& points, GravityTask<order, T> const& task);
};

}  // namespace zwalk::inline v0::detail
