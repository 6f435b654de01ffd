// One number per point from its neighbours, and what density.hpp calls them: objects for knn_visit, on CPUs and GPUs.
// Beside + - * / only square roots, so that every machine gives the same bits.
#pragma once
#include <cmath>
#include <numbers>

#include "zwalk/nearest/neighbours.hpp"

namespace zwalk::inline v0 {

/// Names of the objects below: KthDistance, BallDensity, SphDensity.
enum class Reduction { radius, density, sph };

/// Distance to the k-th neighbour; infinite where there are fewer than k.
template <class T>
struct KthDistance {
    T* value;
    index_t k;

    template <class Found>
    ZWALK_HD void operator()(index_t row, Found const& n) const {
        value[row] = n.size() < k ? infinity<T> : std::sqrt(n.radius2());
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

/// Points per volume: k neighbours in the ball out to the k-th. Infinite where these coincide.
template <class T>
struct BallDensity {
    T* value;
    int dim;
    double ball = unit_ball(dim);

    template <class Found>
    ZWALK_HD void operator()(index_t row, Found const& n) const {
        value[row] = T(n.size() / (ball * radius_power(double(n.radius2()), dim)));
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
/// spline whose support h is the distance to the k-th neighbour. The point itself counts, unless
/// excluded. One to three dimensions. Infinite where all k neighbours coincide with the point.
template <class T>
struct SphDensity {
    T* value;
    int dim;
    T const* mass = nullptr;  ///< by row of the sources; null: 1 each
    double norm = cubic_spline_norm(dim);

    template <class Found>
    ZWALK_HD void operator()(index_t row, Found const& n) const {
        double const h2 = double(n.radius2());
        double sum = 0;
        for (int i = 0; i < n.size(); ++i)
            sum += (mass ? double(mass[n.index(i)]) : 1.) *
                   cubic_spline(h2 > 0 ? std::sqrt(double(n.distance2(i)) / h2) : 0);
        value[row] = T(sum * norm / radius_power(h2, dim));
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
}  // namespace detail
}  // namespace zwalk::inline v0
