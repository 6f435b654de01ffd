// Gravity in a periodic box by Ewald's sums, in double: slow, and written without regard to how the library does it.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "gravity/direct.hpp"

namespace test {

/// Of all rows, three columns each: with G = 1, and a background that makes the potential zero on average. Softening (Plummer's)
/// is that of images up to three of the longest period away, rounded up to whole boxes.
template <class T>
std::vector<DirectSum> ewald_sums(Points<T> points, std::vector<double> const& masses,
                                  std::array<double, 3> const& box, double softening) {
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
        soft[j] = int(std::ceil(3 * std::max({box[0], box[1], box[2]}) / box[j]));
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
                        double g = 1 / around - 1 / r, f = 1 / (around * around * around) - 1 / (r2 * r);
                        if (std::max({std::abs(u), std::abs(v), std::abs(w)}) <= near) {
                            double const rest = std::erfc(a * r) / r;
                            g += rest;
                            f += (rest + 2 * a / std::sqrt(pi) * std::exp(-a * a * r2)) / r2;
                        }
                        sums[i].potential -= masses[s] * g;
                        sums[i].pulls += masses[s] * f * r;
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

}  // namespace test
