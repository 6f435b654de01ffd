// DBSCAN on the hard list: dimensions, kinds of points, epsilons, min_samples, sizes, boxes; against brute force.
#include <doctest/doctest.h>

#include "dbscan/brute.hpp"
#include "fof/brute.hpp"
#include "knn/check.hpp"
#include "support/sanitized.hpp"

using namespace test;

namespace {

template <int D, class T>
void every_kind(std::size_t n) {
    if (D > ZWALK_MAX_DIM) return;  // a build with few dimensions, as that with sanitizers
    for (auto const& kind : some(kinds(), D == 3 ? 1 : 2)) {
        auto const rows = make_points<D, T>(kind, n, D);
        for (double epsilon : lengths_for<D>(rows, D))
            for (index_t min_samples : {1, 2, 4, 16, 41, int(n / 2), int(n), int(n) + 1}) {
                CAPTURE(D);
                CAPTURE(kind);
                CAPTURE(epsilon);
                CAPTURE(min_samples);
                CHECK(dbscan_right<D, T>(
                    rows, {.epsilon = epsilon, .min_samples = min_samples, .tree = {.leaf_size = 12}}));
            }
    }
}

}  // namespace

TEST_CASE("DBSCAN: every kind of points, 1 to 4 dimensions") {
    every_kind<1, float>(150);
    every_kind<1, double>(150);
    every_kind<2, float>(200);
    every_kind<2, double>(200);
    every_kind<3, float>(250);
    every_kind<3, double>(250);
    every_kind<4, float>(150);
    every_kind<4, double>(150);
}

TEST_CASE("DBSCAN: 5 to 64 dimensions, compiled and padded") {
    every_kind<5, float>(120);
    every_kind<6, double>(120);
    every_kind<8, float>(120);
    every_kind<27, double>(80);
    every_kind<64, float>(60);
}

TEST_CASE("DBSCAN: few points, and numbers around the leaf size") {
    for (std::size_t n : {0, 1, 2, 3, 10, 31, 32, 33, 47, 48, 49, 72, 100, 257})
        for (pos_t leaf : {0, 1, 32, 1000})
            for (double epsilon : {0., .05, .2, 10.})
                for (index_t min_samples : {1, 3, 10}) {
                    CAPTURE(n);
                    CAPTURE(leaf);
                    CAPTURE(epsilon);
                    CAPTURE(min_samples);
                    auto const rows = make_points<3, float>("uniform", n, 5);
                    CHECK(dbscan_right<3, float>(
                        rows,
                        {.epsilon = epsilon, .min_samples = min_samples, .tree = {.leaf_size = leaf}}));
                }
}

TEST_CASE("DBSCAN: periodic boxes, whole and on some axes, points on both faces") {
    for (double length : {.03, 1., 170.})
        for (auto const* kind : {"uniform", "clustered", "sites40", "grid", "equal"})
            for (double fraction : {0., .04, .1, .3, .6, 2.})
                for (index_t min_samples : {2, 5, 45}) {
                    CAPTURE(length);
                    CAPTURE(kind);
                    CAPTURE(fraction);
                    CAPTURE(min_samples);
                    DbscanOptions o{.epsilon = fraction * length, .min_samples = min_samples};
                    auto const right = [&]<int D, class T>(T, std::size_t n, std::vector<double> box) {
                        o.box = std::move(box);
                        CHECK(dbscan_right<D, T>(in_box<D, T>(kind, n, length, 8 + D), o));
                    };
                    right.operator()<3>(float(), 200, {double(float(length))});
                    right.operator()<3>(double(), 200, {length, 0, length});
                    right.operator()<2>(double(), 200, {0, length});
                    right.operator()<1>(float(), 150, {double(float(length))});
                }
}

TEST_CASE("DBSCAN: more points, where nodes of several planes are taken whole or left out") {
    for (auto const* kind : {"uniform", "clustered", "grid", "sites40", "heavy"})
        for (double epsilon : {.02, .1, .4})
            for (index_t min_samples : {5, 100, 1000}) {
                CAPTURE(kind);
                CAPTURE(epsilon);
                CAPTURE(min_samples);
                auto const rows = make_points<2, double>(kind, 2500, 3);
                DbscanOptions o{
                    .epsilon = epsilon, .min_samples = min_samples, .tree = {.leaf_size = 4}};
                if (std::string(kind) == "grid") o.epsilon *= 50;
                CHECK(dbscan_right<2, double>(rows, o));
            }
}
