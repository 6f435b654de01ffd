// Points whose neighbours are at nearly the same distances.
#pragma once
#include <cmath>

#include "support/points.hpp"

namespace test {

/// A lattice of n points, each moved by up to `noise` of the spacing: the members of a shell around a point have distances that differ by
/// as little, or where noise is 0, in the last bit or two, because multiples of .1 are rounded.
template <class T>
Rows<3, T> near_ties(std::size_t n, double noise, std::uint64_t seed) {
    Random r(seed);
    Rows<3, T> rows(n);
    auto const side = std::size_t(std::ceil(std::cbrt(double(n))));
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t rest = i;
        for (T& x : rows[i]) {
            x = T(.1) * T(double(rest % side) + noise * (2 * r.uniform() - 1));
            rest /= side;
        }
    }
    return rows;
}

}  // namespace test
