// Generators: the same bits everywhere, and the promised shapes.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "generate/generate.hpp"
#include "generate/random.hpp"

using namespace zwalk::apps;

TEST_CASE("the stream of random numbers never changes") {
    // First outputs of splitmix64 from state 0, as published with it.
    std::uint64_t state = 0;
    CHECK(mix(state += 0x9e3779b97f4a7c15U) == 0xe220a8397b1dcdafU);
    CHECK(mix(state += 0x9e3779b97f4a7c15U) == 0x6e789e6aa1b965f4U);
    CHECK(mix(state += 0x9e3779b97f4a7c15U) == 0x06c45d188009454fU);
}

TEST_CASE("portable_log is log") {
    for (double x : {1e-300, 1e-9, .1, .5, .7, .71, .9999, 1., 1.5, 1e3})
        CHECK(std::abs(Random::portable_log(x) - std::log(x)) <= 4e-16 * (1 + std::abs(std::log(x))));
}

TEST_CASE("a permutation hits everything once") {
    for (std::uint64_t n : {1, 2, 3, 64, 1000, 4097}) {
        Permutation const p(n, Random(7));
        std::set<std::uint64_t> seen;
        for (std::uint64_t i = 0; i < n; ++i) seen.insert(p(i));
        CHECK(seen.size() == n);
        CHECK(*seen.rbegin() == n - 1);
    }
}

TEST_CASE("points inside the unit cube stay below 1, also as floats") {
    for (auto const& kind : kinds()) {
        if (!kind.below_one) continue;
        for (int dim : {1, 3, 64}) {
            std::vector<float> rows(std::size_t(dim) * 500);
            make_rows(point_maker(kind.name, 500, dim, 3), kind, 0, 500, dim, rows.data());
            for (float x : rows) REQUIRE((x >= 0 && x < 1));
        }
    }
}

TEST_CASE("a lattice has the fewest sites that suffice") {
    auto const distinct_on_axis = [](std::uint64_t n, int dim) {
        auto const make = point_maker("grid", n, dim, 1);
        std::vector<double> x(static_cast<std::size_t>(dim));
        std::set<double> last;
        for (std::uint64_t i = 0; i < n; ++i) make(i, x), last.insert(x.back());
        return last.size();
    };
    CHECK(distinct_on_axis(1000, 3) == 10);
    CHECK(distinct_on_axis(1001, 3) == 11);
    CHECK(distinct_on_axis(7, 1) == 7);
    CHECK(distinct_on_axis(1, 64) == 1);
    CHECK(distinct_on_axis(2, 64) == 2);
}
