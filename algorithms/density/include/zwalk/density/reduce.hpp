// One number per point from its neighbours, and what density.hpp calls them: objects for knn_visit, on CPUs and GPUs.
// Beside + - * / only square roots, so that every machine gives the same bits.
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>

#include "zwalk/core/bits.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/core/least_normal.hpp"
#include "zwalk/nearest/neighbours.hpp"

namespace zwalk { inline namespace v0 {

/// Names of the objects below: KthDistance, BallDensity, SphDensity.
enum class Reduction { radius, density, sph };

/// Distance to the k-th neighbour; infinite where there are fewer than k.
template <class T>
struct KthDistance {
    T* value;
    index_t k;

    template <class Found>
    ZWALK_HD void operator()(index_t row, Found const& n) const {
        value[row] = n.size() < k ? infinity<T> : n.distance(n.size() - 1);
    }
};

/// Volume of a ball of radius 1 in `dim` dimensions.
inline double unit_ball(int dim) {
    return std::pow(std::numbers::pi, dim / 2.) / std::tgamma(dim / 2. + 1);
}

/// r^dim, from r * r.
ZWALK_INLINE double radius_power(double radius2, int dim) {
    double power = dim % 2 ? std::sqrt(radius2) : 1;
    for (int i = 0; i < dim / 2; ++i) power *= radius2;
    return power;
}

namespace detail {

/// per_volume() for any size of numbers: with powers of two apart.
template <class T>
ZWALK_INLINE T per_far_volume(double amount, double factor, double radius2, T unit, int dim) {
    if (!(amount > 0) || radius2 == infinity<double>) return 0;  // nothing is there
    if (radius2 == 0) return infinity<T>;
    bool const tiny = radius2 < least_normal<double>;
    double const normal = tiny ? radius2 * 0x1p200 : radius2;
    int const exponent = exponent_of(normal), half = (exponent - (exponent & 1)) / 2;
    double const value = amount / (factor * radius_power(normal * power_of_two(-2 * half), dim));
    int const length = half - (tiny ? 100 : 0) + exponent_of(double(unit)),
              size = exponent_of(value) - dim * length;
    if (size < exponent_of(double(least_normal<T>))) return not_a_number<T>;
    if (size > (sizeof(T) == 4 ? 127 : 1023)) return unit == 1 ? infinity<T> : -infinity<T>;
    return T(value * power_of_two(-exponent_of(value)) * power_of_two(size));
}

/// amount / (factor r^dim), for lengths in this unit and a result in that of the input. Infinite for r = 0, and beyond the range of
/// T: -infinity where a unit makes that likely for all, or `too_large`. Not a number if it is too small for T. settle_densities()
/// (density.hpp) makes 0 and infinity of these, unless most are such.
template <class T>
ZWALK_INLINE T per_volume(double amount, double factor, double radius2, T unit, int dim,
                          T too_large = infinity<T>) {
    T const value = T(amount / (factor * radius_power(radius2, dim)));
    if (unit == 1 && value >= least_normal<T> && value < infinity<T>) return value;
    T const far = per_far_volume(amount, factor, radius2, unit, dim);
    return far == infinity<T> && radius2 > 0 ? too_large : far;
}

}  // namespace detail

/// Points per volume: k neighbours in the ball out to the k-th. Infinite where these coincide; not a number where T has none that is so
/// small.
template <class T>
struct BallDensity {
    T* value;
    int dim;
    double ball = unit_ball(dim);

    template <class Found>
    ZWALK_HD void operator()(index_t row, Found const& n) const {
        value[row] = detail::per_volume(n.size(), ball, double(n.scaled_radius2()), n.unit(), dim);
    }
};

/// The cubic spline of particle methods (M4) with support [0, 1], without its norm. Continuous up to the
/// second derivative; Monaghan & Lattanzio 1985.
ZWALK_INLINE double cubic_spline(double q) {
    if (q >= 1) return 0;
    double const far = 1 - q;
    return q < .5 ? 1 - 6 * q * q * far : 2 * far * far * far;
}

/// Its norm in one to three dimensions, where its support is 1.
inline double cubic_spline_norm(int dim) {
    return dim == 1 ? 4. / 3 : dim == 2 ? 40 / (7 * std::numbers::pi) : 8 / std::numbers::pi;
}

/// Density as particle methods (SPH) define it: sum over the neighbours j of mass_j W(r_j, h), W the cubic
/// spline whose support h is the distance to the k-th neighbour. The point itself counts, unless excluded. One to
/// three dimensions. Infinite where all k neighbours coincide with the point; not a number if it is too small for T.
template <class T>
struct SphDensity {
    T* value;
    int dim;
    T const* mass = nullptr;  ///< by row of the sources; null: 1 each
    double norm = cubic_spline_norm(dim);
    T too_large = infinity<T>;  ///< what is too large for T, where h isn't 0

    template <class Found>
    ZWALK_HD void operator()(index_t row, Found const& n) const {
        double const h2 = double(n.scaled_radius2());
        double sum = 0;
        for (int i = 0; i < n.size(); ++i)
            sum += (mass ? double(mass[n.index(i)]) : 1.) *
                   cubic_spline(h2 > 0 ? std::sqrt(double(n.scaled_distance2(i)) / h2) : 0);
        value[row] = detail::per_volume(sum * norm, 1, h2, n.unit(), dim, too_large);
    }
};

/// Mass per volume: that of the k neighbours in the ball out to the k-th. Infinite and not a number as BallDensity.
template <class T>
struct BallMass {
    T* value;
    int dim;
    T const* mass;  ///< by row of the sources
    double ball = unit_ball(dim);
    T too_large = infinity<T>;  ///< what is too large for T, where the radius isn't 0

    template <class Found>
    ZWALK_HD void operator()(index_t row, Found const& n) const {
        double sum = 0;
        for (int i = 0; i < n.size(); ++i) sum += double(mass[n.index(i)]);
        value[row] = detail::per_volume(sum, ball, double(n.scaled_radius2()), n.unit(), dim, too_large);
    }
};

namespace detail {
/// f(object) with the object that `what` stands for, for points of `dim` columns; no masses.
template <class T, class F>
auto with_reduction(Reduction what, T* value, int dim, index_t k, F const& f) {
    if (what == Reduction::radius) return f(KthDistance<T>{value, k});
    if (what == Reduction::density) return f(BallDensity<T>{value, dim});
    return f(SphDensity<T>{value, dim});
}
/// f(object) with the one that weights neighbours by their masses. `what` isn't the radius. Masses may make any density too large
/// for T: that is -infinity, for settle_densities().
template <class T, class F>
auto with_masses(Reduction what, T* value, int dim, T const* mass, F const& f) {
    if (what == Reduction::density)
        return f(BallMass<T>{.value = value, .dim = dim, .mass = mass, .too_large = -infinity<T>});
    return f(SphDensity<T>{.value = value, .dim = dim, .mass = mass, .too_large = -infinity<T>});
}
}  // namespace detail
}}  // namespace zwalk::v0
