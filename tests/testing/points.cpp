// The kinds of points that tests and verify() draw.
#include <doctest/doctest.h>

#include <cmath>

#include "support/points.hpp"
#include "zwalk/core/length_unit.hpp"

using namespace zwalk;
using namespace test;

namespace {

/// The seed of the first points whose squares of distances leave the range of T as they are; `seeds` if there are none.
template <int D, class T>
std::uint64_t first_out_of_range(std::string const& kind, std::size_t n, std::uint64_t seeds) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        T largest = 0;
        for (auto const& row : make_points<D, T>(kind, n, seed))
            for (T const x : row) largest = std::max(largest, std::abs(x));
        if (!unit_for(largest).is_plain()) return seed;
    }
    return seeds;
}

}  // namespace

TEST_CASE("points: traits can walk over plain kinds, however few points and whatever the seed") {
    std::uint64_t const seeds = 5000;
    for (auto const& kind : plain_kinds())
        for (std::size_t const n : {1, 2, 3}) {
            CAPTURE(kind);
            CAPTURE(n);
            CHECK(first_out_of_range<2, float>(kind, n, seeds) == seeds);
            CHECK(first_out_of_range<3, float>(kind, n, seeds) == seeds);
            CHECK(first_out_of_range<3, double>(kind, n, seeds) == seeds);
        }
}
