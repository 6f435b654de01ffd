// A Plummer sphere of mass and radius 1: the density falls as (1 + r^2)^-5/2 (Aarseth, Henon and Wielen 1974).
#pragma once
#include <cmath>

#include "zwalk/testing/points.hpp"

namespace test {

using namespace zwalk;

/// Its innermost 99.9 %: up to r = 39.
template <class T>
testing::Rows<3, T> plummer(std::size_t n, std::uint64_t seed) {
    testing::Random random(seed);
    testing::Rows<3, T> rows(n);
    for (auto& p : rows) {
        double const share = .999 * random.uniform() + 1e-6;
        double const r = 1 / std::sqrt(std::pow(share, -2. / 3) - 1);
        double const c = 2 * random.uniform() - 1, s = std::sqrt(1 - c * c),
                     phi = 6.283185307179586 * random.uniform();
        p = {T(r * s * std::cos(phi)), T(r * s * std::sin(phi)), T(r * c)};
    }
    return rows;
}

}  // namespace test
