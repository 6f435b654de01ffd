// Radius search on the hard list: dimensions, kinds of points, radii, sizes, boxes, queries; against brute force.
#include <doctest/doctest.h>

#include "fof/brute.hpp"
#include "knn/check.hpp"
#include "radius/brute.hpp"
#include "support/sanitized.hpp"

using namespace test;

namespace {

template <int D, class T>
void every_kind(std::size_t n) {
    if (D > ZWALK_MAX_DIM) return;  // a build with few dimensions, as that with sanitizers
    for (auto const& kind : some(kinds(), D == 3 ? 1 : 2)) {
        auto const rows = make_points<D, T>(kind, fewer(n, 2), D),
                   others = make_points<D, T>(kind, n / 3, D + 1);
        for (double r : lengths_for<D>(rows, D)) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(r);
            RadiusOptions o{.radius = r, .tree = {.leaf_size = 12}};
            CHECK(radius_right<D, T>(rows, o));
            CHECK(radius_right<D, T>(rows, o, others));
            o.exclude_self = true;
            CHECK(radius_right<D, T>(rows, o));
        }
    }
}

}  // namespace

TEST_CASE("radius: every kind of points, 1 to 4 dimensions") {
    every_kind<1, float>(200);
    every_kind<1, double>(200);
    every_kind<2, float>(250);
    every_kind<2, double>(250);
    every_kind<3, float>(300);
    every_kind<3, double>(300);
    every_kind<4, float>(250);
    every_kind<4, double>(250);
}

TEST_CASE("radius: 5 to 64 dimensions, compiled and padded") {
    every_kind<5, float>(150);
    every_kind<6, double>(150);
    every_kind<8, float>(150);
    every_kind<10, double>(120);
    every_kind<27, float>(100);
    every_kind<64, double>(80);
}

TEST_CASE("radius: few points, and numbers around the leaf size") {
    for (std::size_t n : {0, 1, 2, 3, 10, 31, 32, 33, 47, 48, 49, 72, 100, 257})
        for (pos_t leaf : {0, 1, 32, 1000})
            for (double r : {0., .05, .2, 10.}) {
                CAPTURE(n);
                CAPTURE(leaf);
                CAPTURE(r);
                RadiusOptions const o{.radius = r, .tree = {.leaf_size = leaf}};
                auto const rows = make_points<3, float>("uniform", n, 5);
                CHECK(radius_right<3, float>(rows, o));
                for (std::size_t m : {0, 1, 60})
                    CHECK(radius_right<3, float>(rows, o, make_points<3, float>("uniform", m, 6)));
            }
}

TEST_CASE("radius: periodic boxes, whole and on some axes, points on both faces") {
    for (double length : {.03, 1., 170.})
        for (auto const* kind : {"uniform", "clustered", "sites40", "grid", "equal"})
            for (double fraction : {0., .04, .1, .6, 2.})
                for (bool alone : {false, true}) {
                    double const r = fraction * length;
                    CAPTURE(length);
                    CAPTURE(kind);
                    CAPTURE(r);
                    auto const whole = double(float(length));
                    CHECK(radius_right<3, float>(in_box<3, float>(kind, 250, length, 8),
                                                 {.radius = r, .exclude_self = alone, .box = {whole}}));
                    CHECK(radius_right<3, double>(
                        in_box<3, double>(kind, 250, length, 9),
                        {.radius = r, .exclude_self = alone, .box = {length, 0, length}}));
                    CHECK(radius_right<2, double>(
                        in_box<2, double>(kind, 200, length, 10),
                        {.radius = r, .exclude_self = alone, .box = {0, length}}));
                    CHECK(radius_right<1, float>(in_box<1, float>(kind, 150, length, 11),
                                                 {.radius = r, .exclude_self = alone, .box = {whole}}));
                    if (!alone)
                        CHECK(radius_right<3, double>(in_box<3, double>(kind, 200, length, 12),
                                                      {.radius = r, .box = {length}},
                                                      in_box<3, double>("uniform", 70, length, 13)));
                }
}
