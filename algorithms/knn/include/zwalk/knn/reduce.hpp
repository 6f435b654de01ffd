// One number per point from its neighbours: objects for knn_visit.
#pragma once
#include <cmath>
#include <numbers>

#include "zwalk/knn/neighbours.hpp"

namespace zwalk::inline v0 {

/// Distance to the k-th neighbour; infinite where there are fewer than k.
template <class T>
struct KthDistance {
    T* value;
    index_t k;

    void operator()(index_t row, Neighbours<T> const& n) const {
        value[row] = n.size() < k ? infinity<T> : std::sqrt(n.radius2());
    }
};

/// Volume of a ball of radius 1 in `dim` dimensions.
inline double unit_ball(int dim) {
    return std::pow(std::numbers::pi, dim / 2.) / std::tgamma(dim / 2. + 1);
}

/// Points per volume: k neighbours in the ball out to the k-th. Infinite where these coincide.
template <class T>
struct BallDensity {
    T* value;
    int dim;
    double ball = unit_ball(dim);

    void operator()(index_t row, Neighbours<T> const& n) const {
        value[row] = T(n.size() / (ball * std::pow(double(n.radius2()), dim / 2.)));
    }
};

/// The cubic spline of particle methods (M4) with support [0, 1], without its norm. Continuous up to the
/// second derivative; Monaghan & Lattanzio 1985.
inline double cubic_spline(double q) {
    if (q >= 1) return 0;
    double const far = 1 - q;
    return q < .5 ? 1 - 6 * q * q * far : 2 * far * far * far;
}

/// Density as particle methods (SPH) define it: sum over the neighbours j of mass_j W(r_j, h), W the cubic
/// spline whose support h is the distance to the k-th neighbour. The point itself counts, unless
/// excluded. One to three dimensions. Infinite where all k neighbours coincide with the point.
template <class T>
struct SphDensity {
    T* value;
    int dim;
    T const* mass = nullptr;  ///< by row of the sources; null: 1 each

    void operator()(index_t row, Neighbours<T> const& n) const {
        constexpr double norm[] = {0, 4. / 3, 40 / (7 * std::numbers::pi), 8 / std::numbers::pi};
        double const h2 = double(n.radius2()), h = std::sqrt(h2);
        double sum = 0;
        for (int i = 0; i < n.size(); ++i)
            sum += (mass ? double(mass[n.index(i)]) : 1.) *
                   cubic_spline(h2 > 0 ? std::sqrt(double(n.distance2(i)) / h2) : 0);
        value[row] = T(sum * norm[dim] / std::pow(h, dim));
    }
};

}  // namespace zwalk::inline v0
