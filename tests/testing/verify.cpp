// verify(): traits that are right pass.
#include "zwalk/testing/verify.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "traits/nearest_brighter.hpp"
#include "traits/radius_count.hpp"

using namespace zwalk;
using namespace zwalk::examples;

TEST_CASE("verify: traits of examples") {
    RadiusCount<3, float> count{};
    count.radius2 = .05f;
    auto const report = verify(count, Outputs{&RadiusCount<3, float>::count});
    MESSAGE(report.text());
    CHECK(report.ok());
    CHECK(verify(NearestBrighter{}, Outputs{&NearestBrighter::brighter}).text() == "");
}
