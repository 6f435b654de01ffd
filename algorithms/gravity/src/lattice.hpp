// Masses that repeat on a lattice, and a background of the same mean density that cancels them: the field of all images that
// are too far to be sources of a walk.
//
// The potential of a unit mass, its images and its part of the background is -G(d), periodic, with zero mean (Ewald 1921; as in
// Hernquist, Bouchet and Suto 1991, ApJS 75, 231). Without the images of the first few shells around the box it is smooth within
// it, so a few derivatives at 0 say all, and the sum over masses needs only their moments about the middle of the box.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "zwalk/gravity/detail/expansion.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Numbers of images on either side of a box, along each axis.
using Shells = std::array<int, 3>;
/// A periodic box, with the images that are sources of a walk: all others are three of the longest period away from it. Walk and
/// lattice have to agree on them, so all have them from the same period, in the unit of the points.
struct ImageBox {
    std::array<double, 3> sides;
    Shells shells{};

    template <class T>
    explicit ImageBox(std::vector<T> const& period)
        : sides{double(period[0]), double(period[1]), double(period[2])} {
        double const longest = *std::max_element(sides.begin(), sides.end());
        for (std::size_t j = 0; j < 3; ++j) shells[j] = int(std::ceil(3 * (longest / sides[j])));
    }
};
/// f({i, j, k}) for all from -of to of, each.
template <class F>
void each_within(Shells const& of, F const& f) {
    for (int i = -of[0]; i <= of[0]; ++i)
        for (int j = -of[1]; j <= of[1]; ++j)
            for (int k = -of[2]; k <= of[2]; ++k) f(std::array<int, 3>{i, j, k});
}

/// Order of the expansion of what they leave. Terms fall as (d / 4)^n for points d periods apart.
inline constexpr int lattice_order = 12;
using LatticeCoefficients = Coefficients<lattice_order, double>;

/// Derivatives at 0 of G(d) less 1 / |d - n| for all n within `shells`.
LatticeCoefficients lattice_derivatives(std::array<double, 3> const& box, Shells const& shells);

/// The frame of masses that repeat: moments are about the middle of their extent, in units of the longest period.
struct LatticeFrame {
    Vec<3, double> middle;
    double per_length;

    LatticeFrame(std::array<double, 3> const& box, Vec<3, double> const& of_extent)
        : middle(of_extent), per_length(1 / *std::max_element(box.begin(), box.end())) {}
    [[nodiscard]] ZWALK_HD Vec<3, double> scaled(Vec<3, double> const& x) const {
        double const u = per_length;
        return {(x[0] - middle[0]) * u, (x[1] - middle[1]) * u, (x[2] - middle[2]) * u};
    }
};
struct LatticeMass {
    Vec<3, double> at;  ///< LatticeFrame::scaled()
    double mass;
};
/// Moments of masses row(0), ..., row(n - 1). Those of several sets add up to that of all.
LatticeCoefficients lattice_moments(std::size_t n, std::function<LatticeMass(std::size_t)> const& row);

/// Masses whose moments are summed one after the other: sums of parts don't depend on the number of threads.
inline constexpr std::size_t lattice_part = 4096;

/// 1 / n for the powers of an expansion.
struct LatticeInverses {
    double of[lattice_order + 1];
    LatticeInverses() : of{} {
        for (int n = 1; n <= lattice_order; ++n) of[n] = 1. / n;
    }
};
/// The coefficients of x^i y^j z^k for one j and k, i = 0, 1, ...: they share most of their products.
struct LatticeRow {
    static constexpr int count = (lattice_order + 1) * (lattice_order + 2) / 2;
    int j, k;

    ZWALK_HD explicit LatticeRow(int number) : j(0), k(0) {
        int sum = 0;
        while ((sum + 1) * (sum + 2) / 2 <= number) ++sum;
        k = number - sum * (sum + 1) / 2;
        j = sum - k;
    }
    [[nodiscard]] ZWALK_HD int last() const { return lattice_order - j - k; }
    /// Where the coefficient is among all.
    [[nodiscard]] ZWALK_HD int index(int i) const { return MultiIndices<lattice_order>::index(i, j, k); }
    /// f(i, (-x)^n / n!) for n = (i, j, k), with the bits of monomials(). `i` is a constant where loops are unrolled.
    template <class F>
    ZWALK_HD void each(Vec<3, double> const& x, LatticeInverses const& inverse, F const& f) const {
        double r = 1;
        for (int power = 1; power <= k; ++power) r = r * (-x[2] * inverse.of[power]);
        for (int power = 1; power <= j; ++power) r = r * (-x[1] * inverse.of[power]);
        ZWALK_UNROLL
        for (int i = 0; i <= lattice_order; ++i)
            if (i <= last()) {
                if (i > 0) r = r * (-x[0] * inverse.of[i]);
                f(i, r);
            }
    }
};

/// The field of all images of masses beyond the shells of a box, with that of the background: a polynomial, with its coefficients in the order in
/// which lattice_pull() reads them. In double for points of any type.
std::vector<double> lattice_field(ImageBox const& box, LatticeCoefficients const& moments);

/// Minus the potential, and the acceleration. By Horner's scheme, axis by axis, without an array of a thread's own: on a GPU all threads
/// read the same coefficient at a time.
/// @param x  LatticeFrame::scaled()
ZWALK_HD inline Pull<double> lattice_pull(double const* field, Vec<3, double> const& x,
                                          double per_length) {
    constexpr int P = lattice_order;
    Pull<double> r{};
    for (int i = P; i >= 0; --i) {
        double g = 0, dy = 0, dz = 0;  // of x^i
        for (int j = P - i; j >= 0; --j) {
            double h = 0, dh = 0;  // of x^i y^j
            for (int k = P - i - j; k >= 0; --k) {
                dh = dh * x[2] + h;
                h = h * x[2] + *field++;
            }
            dz = dz * x[1] + dh;
            dy = dy * x[1] + g;
            g = g * x[1] + h;
        }
        r.gradient[2] = r.gradient[2] * x[0] + dz;
        r.gradient[1] = r.gradient[1] * x[0] + dy;
        r.gradient[0] = r.gradient[0] * x[0] + r.sum;
        r.sum = r.sum * x[0] + g;
    }
    double const u = per_length, u2 = u * u;
    return {r.sum * u, {r.gradient[0] * u2, r.gradient[1] * u2, r.gradient[2] * u2}};
}

}}}  // namespace zwalk::v0::detail
