// Density peaks on the hard list: dimensions, kinds of points, k, sizes, boxes; against brute force.
#include <doctest/doctest.h>

#include "knn/check.hpp"
#include "peaks/brute.hpp"
#include "support/sanitized.hpp"

using namespace test;

namespace {

template <int D, class T>
void every_kind(std::size_t n) {
    if (D > ZWALK_MAX_DIM) return;  // a build with few dimensions, as that with sanitizers
    for (auto const& kind : some(kinds(), D == 3 ? 1 : 2)) {
        auto const rows = make_points<D, T>(kind, n, D);
        for (index_t k : {1, 2, 4, 16, 41, int(n / 2), int(n), int(n) + 1}) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(k);
            CHECK(peaks_right<D, T>(rows, {.k = k, .tree = {.leaf_size = 12}}));
        }
    }
}

}  // namespace

TEST_CASE("density peaks: every kind of points, 1 to 4 dimensions") {
    every_kind<1, float>(150);
    every_kind<1, double>(150);
    every_kind<2, float>(200);
    every_kind<2, double>(200);
    every_kind<3, float>(250);
    every_kind<3, double>(250);
    every_kind<4, float>(150);
    every_kind<4, double>(150);
}

TEST_CASE("density peaks: 5 to 64 dimensions, compiled and padded") {
    every_kind<5, float>(120);
    every_kind<8, float>(120);
    every_kind<8, double>(120);
    every_kind<27, double>(80);
    every_kind<64, float>(60);
}

TEST_CASE("density peaks: few points, and numbers around the leaf size") {
    for (std::size_t n : {0, 1, 2, 3, 10, 31, 32, 33, 47, 48, 49, 72, 100, 257})
        for (pos_t leaf : {0, 1, 32, 1000})
            for (index_t k :
                 {index_t(1), index_t(3), index_t(10), index_t(n) - 1, index_t(n), index_t(n) + 1}) {
                if (k < 1) continue;
                CAPTURE(n);
                CAPTURE(leaf);
                CAPTURE(k);
                auto const rows = make_points<3, float>("uniform", n, 5);
                CHECK(peaks_right<3, float>(rows, {.k = k, .tree = {.leaf_size = leaf}}));
            }
}

TEST_CASE("density peaks: points on a line") {
    for (std::size_t n : {40, 400})
        for (index_t k : {1, 2, 7, 30}) {
            CAPTURE(n);
            CAPTURE(k);
            CHECK(peaks_right<2, double>(make_points<2, double>("line", n, 77), {.k = k}));
            CHECK(peaks_right<3, float>(make_points<3, float>("line", n, 77), {.k = k}));
        }
}

TEST_CASE("density peaks: periodic boxes, whole and on some axes, points on both faces") {
    for (double length : {.03, 1., 170.})
        for (auto const* kind : {"uniform", "clustered", "sites40", "grid", "equal"})
            for (index_t k : {2, 5, 45}) {
                CAPTURE(length);
                CAPTURE(kind);
                CAPTURE(k);
                PeaksOptions o{.k = k};
                auto const right = [&]<int D, class T>(T, std::size_t n, std::vector<double> box) {
                    o.box = std::move(box);
                    CHECK(peaks_right<D, T>(in_box<D, T>(kind, n, length, 8 + D), o));
                };
                right.operator()<3>(float(), 200, {double(float(length))});
                right.operator()<3>(double(), 200, {length, 0, length});
                right.operator()<2>(double(), 200, {0, length});
                right.operator()<1>(float(), 150, {double(float(length))});
            }
}

TEST_CASE("density peaks: more points, where nodes of several planes are left out") {
    for (auto const* kind : {"uniform", "normal", "clustered", "grid", "sites40", "heavy"})
        for (index_t k : {5, 100, 1000}) {
            CAPTURE(kind);
            CAPTURE(k);
            auto const rows = make_points<2, double>(kind, 2500, 3);
            CHECK(peaks_right<2, double>(rows, {.k = k, .tree = {.leaf_size = 4}}));
        }
}
