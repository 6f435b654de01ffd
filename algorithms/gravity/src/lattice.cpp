#include "lattice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "zwalk/core/parallel.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

constexpr int P = lattice_order;
using N = MultiIndices<P>;
/// d^m f / d(r^2 / 2)^m of a function of the distance.
using Radial = std::array<double, P + 1>;

/// n!, exactly, which not every C library's tgamma is.
constexpr auto factorial = [] {
    std::array<double, P + 1> of{1};
    for (std::size_t n = 1; n < of.size(); ++n) of[n] = of[n - 1] * double(n);
    return of;
}();

/// Adds `factor` times the derivatives of a function of the distance, at r: see derivatives() of expansion.hpp.
void add_radial(LatticeCoefficients& to, Radial const& f, std::array<double, 3> const& r,
                double factor) {
    LatticeCoefficients d{};
    for (int m = P; m >= 0; --m) {
        for (int at = MultiIndices<P>::index(0, 0, P - m); at > 0; --at) {
            auto const n = N::powers.at[at];
            int const axis = n.axis();
            auto const below = n.less(axis);
            double sum = r[std::size_t(axis)] * d.at[N::index(below)];
            if (below.of(axis) > 0) sum += below.of(axis) * d.at[N::index(below.less(axis))];
            d.at[at] = sum;
        }
        d.at[0] = f[std::size_t(m)];
    }
    for (int i = 0; i < d.count; ++i) to.at[i] += factor * d.at[i];
}
/// The derivatives of 1 / r.
Radial of_inverse(double r) {
    Radial f{1 / r};
    for (std::size_t m = 1; m < f.size(); ++m) f[m] = -f[m - 1] * double(2 * m - 1) / (r * r);
    return f;
}
/// The derivatives of erfc(a r) / r.
Radial of_erfc(double a, double r) {
    Radial f{std::erfc(a * r) / r};
    double power = std::exp(-a * a * r * r) / (a * std::sqrt(std::numbers::pi));
    for (std::size_t m = 1; m < f.size(); ++m) {
        power *= -2 * a * a;
        f[m] = (-f[m - 1] * double(2 * m - 1) + power) / (r * r);
    }
    return f;
}
/// The derivatives of erf(a r) / r, at r = 0.
Radial of_erf_at_zero(double a) {
    Radial f{};
    double power = 2 * a / std::sqrt(std::numbers::pi);
    for (std::size_t m = 0; m < f.size(); ++m, power *= -2 * a * a) f[m] = power / double(2 * m + 1);
    return f;
}
/// Adds the derivatives of factor * cos(k d) at 0; of k and its mirror images, so that odd ones cancel.
void add_wave(LatticeCoefficients& to, std::array<double, 3> const& k, double factor) {
    std::array<std::array<double, P + 1>, 3> power;
    for (std::size_t j = 0; j < 3; ++j) {
        power[j][0] = 1;
        for (std::size_t n = 1; n <= P; ++n) power[j][n] = power[j][n - 1] * k[j];
    }
    for (int i = 0; i < to.count; ++i) {
        auto const n = N::powers.at[i];
        if (n.i % 2 != 0 || n.j % 2 != 0 || n.k % 2 != 0) continue;
        double const all =
            power[0][std::size_t(n.i)] * power[1][std::size_t(n.j)] * power[2][std::size_t(n.k)];
        to.at[i] += (n.sum() % 4 == 0 ? factor : -factor) * all;
    }
}

}  // namespace

LatticeCoefficients lattice_derivatives(std::array<double, 3> const& box, Shells const& shells) {
    double const shortest = *std::min_element(box.begin(), box.end()), a = 2 / shortest;
    double const volume = box[0] * box[1] * box[2];
    LatticeCoefficients d{};
    // erfc(a r) has come to nothing 4 of the shortest periods away.
    Shells all{};
    for (std::size_t j = 0; j < 3; ++j) all[j] = std::max(shells[j], 5);
    each_within(all, [&](auto const& n) {
        std::array<double, 3> x{};
        double r = 0;
        bool near = true;
        for (std::size_t j = 0; j < 3; ++j) {
            x[j] = -n[j] * box[j];
            r += x[j] * x[j];
            near &= std::abs(n[j]) <= shells[j];
        }
        r = std::sqrt(r);
        if (r == 0) return add_radial(d, of_erf_at_zero(a), x, -1);
        add_radial(d, of_erfc(a, r), x, 1);
        if (near) add_radial(d, of_inverse(r), x, -1);
    });
    // exp(-k^2 / 4 a^2) has come to nothing for waves shorter than a sixth of the shortest period.
    Shells waves{};
    for (std::size_t j = 0; j < 3; ++j) waves[j] = int(std::ceil(6 * box[j] / shortest));
    each_within(waves, [&](auto const& m) {
        std::array<double, 3> k{};
        double k2 = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            k[j] = 2 * std::numbers::pi * m[j] / box[j];
            k2 += k[j] * k[j];
        }
        double const damped = std::exp(-k2 / (4 * a * a));
        if (k2 > 0 && damped > 1e-30) add_wave(d, k, 4 * std::numbers::pi / volume * damped / k2);
    });
    d.at[0] -= std::numbers::pi / (a * a * volume);
    return d;
}

LatticeCoefficients lattice_moments(std::size_t n, std::function<LatticeMass(std::size_t)> const& row) {
    constexpr std::size_t part = lattice_part;
    std::vector<LatticeCoefficients> sums((n + part - 1) / part);
    parallel_for(sums.size(), 1, [&](std::size_t b, std::size_t e) {
        for (; b < e; ++b) {
            LatticeCoefficients sum{};
            for (std::size_t i = b * part; i < std::min(n, (b + 1) * part); ++i) {
                auto const [y, mass] = row(i);
                auto const power = monomials<P>(Vec<3, double>{-y[0], -y[1], -y[2]});
                for (int k = 0; k < sum.count; ++k) sum.at[k] += mass * power.at[k];
            }
            sums[b] = sum;
        }
    });
    LatticeCoefficients moments{};
    for (auto const& sum : sums)
        for (int k = 0; k < sum.count; ++k) moments.at[k] += sum.at[k];
    return moments;
}

std::vector<double> lattice_field(ImageBox const& box, LatticeCoefficients const& moments) {
    std::array<double, 3> unit_box = box.sides;
    double const longest = *std::max_element(unit_box.begin(), unit_box.end());
    for (double& l : unit_box) l *= 1 / longest;
    auto const d = lattice_derivatives(unit_box, box.shells);
    std::vector<double> field;
    for (int i = P; i >= 0; --i)
        for (int j = P - i; j >= 0; --j)
            for (int k = P - i - j; k >= 0; --k) {
                double sum = 0;
                for (int m = 0; m < MultiIndices<P>::index(0, 0, P - i - j - k) + 1; ++m) {
                    auto const n = N::powers.at[m];
                    sum += moments.at[m] * d.at[N::index(i + n.i, j + n.j, k + n.k)];
                }
                field.push_back(sum / (factorial[std::size_t(i)] * factorial[std::size_t(j)] *
                                       factorial[std::size_t(k)]));
            }
    return field;
}

}}}  // namespace zwalk::v0::detail
