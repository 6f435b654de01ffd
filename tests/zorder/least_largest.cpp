// The extent of rows by lanes, against one row after another.
#include "zwalk/zorder/least_largest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

using namespace zwalk;

TEST_CASE_TEMPLATE("extent by lanes: every number of axes, and of rows around those of a register", T,
                   float, double) {
    std::mt19937 random(3);
    std::uniform_real_distribution<T> number(-1, 1);
    constexpr std::size_t lanes = std::size_t(simd_width<T>);
    for (std::size_t dim : {1, 2, 3, 5, 8, 16, 17, 64})
        for (std::size_t n : {std::size_t(0), std::size_t(1), lanes - 1, lanes, 2 * lanes - 1, 2 * lanes,
                              2 * lanes + 1, 7 * lanes + 3}) {
            CAPTURE(dim);
            CAPTURE(n);
            std::vector<T> rows(n * dim);
            for (T& x : rows) x = number(random);
            for (bool const known : {false, true}) {
                T const none = known ? T(.7) : std::numeric_limits<T>::infinity();
                std::vector<T> lo(dim, none), hi(dim, -none), least = lo, largest = hi;
                for (std::size_t i = 0; i < n * dim; ++i) {
                    least[i % dim] = std::min(least[i % dim], rows[i]);
                    largest[i % dim] = std::max(largest[i % dim], rows[i]);
                }
                add_to_extent(lo.data(), hi.data(), dim, rows.data(), n);
                CHECK(lo == least);
                CHECK(hi == largest);
            }
        }
}
