// Gravity in a periodic box by Ewald's sums, in double: slow, and written without regard to how the library does it.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "gravity/direct.hpp"
#include "zwalk/testing/points.hpp"

namespace test {

using BoxSides = std::array<double, 3>;

/// Points of about the unit cube, in a box.
template <class T>
testing::Rows<3, T> stretched(testing::Rows<3, T> rows, BoxSides const& box) {
    for (auto& p : rows)
        for (std::size_t j = 0; j < 3; ++j) p[j] = (p[j] - std::floor(p[j])) * T(box[j]);
    return rows;
}

/// What waves have of a mass at distance r, erf(a r) / r, and minus the derivative of that, over r.
inline std::array<double, 2> of_waves(double a, double r) {
    double const x2 = a * a * r * r, unit = 2 * a / std::sqrt(std::numbers::pi);
    double const g = std::erf(a * r) / r;
    if (x2 > 1e-4) return {g, (g - unit * std::exp(-x2)) / (r * r)};
    return {unit * (1 - x2 / 3), unit * a * a * (2. / 3 - .4 * x2 + x2 * x2 / 7)};
}

/// Of all rows, three columns each: with G = 1, and a background that makes the potential zero on average. Softening (Plummer's)
/// is that of images up to three of the longest period away, rounded up to whole boxes. DirectSum::pulls is that of the nearest 27.
template <class T>
std::vector<DirectSum> ewald_sums(Points<T> points, std::vector<double> const& masses,
                                  BoxSides const& box, double softening) {
    std::size_t const n = points.size;
    double const shortest = std::min({box[0], box[1], box[2]}), a = 2.5 / shortest,
                 pi = std::numbers::pi;
    double const volume = box[0] * box[1] * box[2];
    auto const at = [&](std::size_t i, std::size_t j) { return double(points.data[3 * i + j]); };
    double mass = 0;
    for (double m : masses) mass += m;
    std::vector<DirectSum> sums(n);
    constexpr int near = 3, waves = 9;
    int soft[3];
    for (std::size_t j = 0; j < 3; ++j)
        soft[j] = int(std::ceil(3 * (std::max({box[0], box[1], box[2]}) / box[j])));
    for (std::size_t i = 0; i < n; ++i) {
        sums[i].potential = pi / (a * a * volume) * mass + masses[i] * 2 * a / std::sqrt(pi);
        for (std::size_t s = 0; s < n; ++s)
            for (int u = -soft[0]; u <= soft[0]; ++u)
                for (int v = -soft[1]; v <= soft[1]; ++v)
                    for (int w = -soft[2]; w <= soft[2]; ++w) {
                        double const d[3]{at(s, 0) - at(i, 0) + u * box[0],
                                          at(s, 1) - at(i, 1) + v * box[1],
                                          at(s, 2) - at(i, 2) + w * box[2]};
                        double const r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], r = std::sqrt(r2);
                        if (r == 0) {
                            // Others at its place: as direct_sum() has it, less what the waves say of it.
                            if (s == i) continue;
                            sums[i].potential += masses[s] * 2 * a / std::sqrt(pi);
                            if (softening > 0) sums[i].potential -= masses[s] / softening;
                            continue;
                        }
                        double const around = std::sqrt(r2 + softening * softening);
                        bool const is_near = std::max({std::abs(u), std::abs(v), std::abs(w)}) <= near;
                        auto const [less_g, less_f] =
                            is_near ? of_waves(a, r) : std::array{1 / r, 1 / (r2 * r)};
                        double const g = 1 / around - less_g,
                                     f = 1 / (around * around * around) - less_f;
                        sums[i].potential -= masses[s] * g;
                        if (std::max({std::abs(u), std::abs(v), std::abs(w)}) <= 1)
                            sums[i].pulls += masses[s] / (around * around * around) * r;
                        for (std::size_t j = 0; j < 3; ++j)
                            sums[i].acceleration[j] += masses[s] * f * d[j];
                    }
    }
    for (int u = -waves; u <= waves; ++u)
        for (int v = -waves; v <= waves; ++v)
            for (int w = -waves; w <= waves; ++w) {
                double const k[3]{2 * pi * u / box[0], 2 * pi * v / box[1], 2 * pi * w / box[2]};
                double const k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
                if (k2 == 0) continue;
                double const weight = 4 * pi / volume * std::exp(-k2 / (4 * a * a)) / k2;
                auto const wave = [&](std::size_t i) {
                    return std::polar(1., k[0] * at(i, 0) + k[1] * at(i, 1) + k[2] * at(i, 2));
                };
                std::complex<double> all = 0;
                for (std::size_t i = 0; i < n; ++i) all += masses[i] * wave(i);
                for (std::size_t i = 0; i < n; ++i) {
                    auto const here = weight * all * std::conj(wave(i));
                    sums[i].potential -= here.real();
                    for (std::size_t j = 0; j < 3; ++j) sums[i].acceleration[j] += here.imag() * k[j];
                }
            }
    return sums;
}

/// How far a result is from these sums. Of accelerations the errors that 99 of 100 rows keep, relative to their length or
/// (`of_pulls`) to all that pulls; the largest of potentials, relative to their own or, where that is little (they are zero on
/// average), to the mass over the shortest period.
struct EwaldErrors {
    double acceleration = 0, of_pulls = 0, potential = 0;

    template <class Result>
    EwaldErrors(Result const& r, std::vector<double> const& masses, BoxSides const& box,
                std::vector<DirectSum> const& exact) {
        double mass = 0;
        for (double m : masses) mass += m;
        std::vector<double> relative, pulled;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            double off2 = 0, length2 = 0;
            for (std::size_t j = 0; j < 3; ++j) {
                off2 += std::pow(double(r.accelerations[3 * i + j]) - exact[i].acceleration[j], 2);
                length2 += std::pow(exact[i].acceleration[j], 2);
            }
            relative.push_back(std::sqrt(off2 / length2));
            pulled.push_back(std::sqrt(off2) / (exact[i].pulls == 0 ? 1 : exact[i].pulls));
            double const usual = mass / std::min({box[0], box[1], box[2]});
            potential = std::max(potential, std::abs(double(r.potentials[i]) - exact[i].potential) /
                                                std::max(usual, std::abs(exact[i].potential)));
        }
        if (exact.empty()) return;
        std::sort(relative.begin(), relative.end());
        std::sort(pulled.begin(), pulled.end());
        acceleration = GravityErrors::of(relative, .99);
        of_pulls = GravityErrors::of(pulled, .99);
    }
};

}  // namespace test
