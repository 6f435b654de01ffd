// Seconds of phases.
#include "zwalk/core/timed.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace zwalk;

TEST_CASE("Phases come in the order of their ends, each once, with all its seconds") {
    Stats stats;
    auto const wait = [](double seconds) {
        double const start = now_seconds();
        while (now_seconds() - start < seconds) {
        }
    };
    CHECK(detail::timed(stats, "first", [&] { return wait(.01), 7; }) == 7);
    detail::timed(stats, "outer", [&] { detail::timed(stats, "inner", [&] { wait(.01); }); });
    detail::timed(stats, "first", [&] { wait(.02); });
    REQUIRE(stats.seconds.size() == 3);
    CHECK(stats.seconds[0].first == "first");
    CHECK(stats.seconds[0].second >= .03);
    CHECK(stats.seconds[1].first == "inner");
    CHECK(stats.seconds[2].first == "outer");
    CHECK(stats.seconds[2].second >= stats.seconds[1].second);
    CHECK_THROWS_AS(detail::timed(stats, "none", [] { throw std::runtime_error(""); }),
                    std::runtime_error);
    CHECK(stats.seconds.size() == 3);
}
