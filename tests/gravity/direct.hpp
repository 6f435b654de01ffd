// Gravity by direct sums, in double.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "zwalk/core/points.hpp"

namespace test {

using namespace zwalk;

inline std::vector<double> some_masses(std::size_t n) {
    std::vector<double> masses(n);
    for (std::size_t i = 0; i < n; ++i) masses[i] = .5 + double(i * 7919 % 1000) / 1000;
    return masses;
}

struct DirectSum {
    std::array<double, 3> acceleration{};
    double potential = 0;
    double pulls = 0;  ///< sum of the lengths of all that adds up to the acceleration
};

/// Of row i by all others; of those at its place only the potential, if there is softening.
template <class T>
DirectSum direct_sum(Points<T> points, std::vector<double> const& masses, double softening,
                     std::size_t i) {
    DirectSum sum;
    for (std::size_t j = 0; j < points.size; ++j) {
        if (j == i) continue;
        double d[3]{}, d2 = 0;
        for (int k = 0; k < points.dim; ++k) {
            d[k] = double(points.data[j * std::size_t(points.dim) + std::size_t(k)]) -
                   double(points.data[i * std::size_t(points.dim) + std::size_t(k)]);
            d2 += d[k] * d[k];
        }
        double const r2 = d2 + softening * softening;
        if (r2 == 0) continue;
        double const g = masses[j] / std::sqrt(r2);
        sum.potential -= g;
        sum.pulls += g / r2 * std::sqrt(d2);
        for (int k = 0; k < 3; ++k) sum.acceleration[std::size_t(k)] += g / r2 * d[k];
    }
    return sum;
}

/// Relative errors of the rows that were looked at, ascending.
struct GravityErrors {
    std::vector<double> acceleration, potential;
    std::vector<double> of_pulls;  ///< of accelerations, relative to DirectSum::pulls
    [[nodiscard]] static double of(std::vector<double> const& e, double share) {
        return e[std::size_t(share * double(e.size() - 1))];
    }
};

/// Of 1000 points and more of a kind: twice or three times what 20 seeds gave, as errors that 99 of 100 rows keep relative to all
/// that pulls, for an accuracy of 1e-3. That is of smooth points in three dimensions; nodes of a line, or of two places of a
/// lattice, have many masses as far from the middle as it gets.
inline double most_of_pulls(std::string const& kind, int dim) {
    return kind == "lattice24" ? 5e-3 : kind == "line" || dim < 3 ? 3e-3 : 1e-3;
}

/// Errors of about `samples` rows of a result, evenly spread over the input.
template <class T, class Result>
GravityErrors gravity_errors(Points<T> points, std::vector<double> const& masses, double softening,
                             Result const& r, std::size_t samples = 300) {
    GravityErrors errors;
    std::size_t const step = std::max<std::size_t>(1, points.size / samples);
    for (std::size_t i = 0; i < points.size; i += step) {
        DirectSum const exact = direct_sum(points, masses, softening, i);
        double off2 = 0, length2 = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            double const found = k < r.columns ? double(r.accelerations[i * r.columns + k]) : 0;
            off2 += (found - exact.acceleration[k]) * (found - exact.acceleration[k]);
            length2 += exact.acceleration[k] * exact.acceleration[k];
        }
        errors.acceleration.push_back(length2 == 0 ? off2 : std::sqrt(off2 / length2));
        errors.of_pulls.push_back(exact.pulls == 0 ? std::sqrt(off2) : std::sqrt(off2) / exact.pulls);
        double const off = std::abs(double(r.potentials[i]) - exact.potential);
        errors.potential.push_back(exact.potential == 0 ? off : off / -exact.potential);
    }
    std::sort(errors.acceleration.begin(), errors.acceleration.end());
    std::sort(errors.of_pulls.begin(), errors.of_pulls.end());
    std::sort(errors.potential.begin(), errors.potential.end());
    return errors;
}

}  // namespace test
