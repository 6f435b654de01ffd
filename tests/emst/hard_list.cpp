// Spanning trees on the hard list: dimensions, kinds of points, sizes, boxes, min_samples; against Prim's
// algorithm over all pairs.
#include <doctest/doctest.h>

#include "emst/brute.hpp"
#include "knn/check.hpp"
#include "support/sanitized.hpp"

using namespace test;

namespace {

template <int D, class T>
void every_kind(std::size_t n) {
    for (auto const& kind : some(kinds(), D == 3 ? 1 : 2)) {
        auto const rows = make_points<D, T>(kind, n, D);
        for (int m : {1, 2, 5, 16}) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(m);
            CHECK(tree_right<D, T>(rows, {.min_samples = m, .tree = {.leaf_size = 12}}));
        }
    }
}

template <int D, class T>
void other_dimensions(std::size_t n) {
    if (D > ZWALK_MAX_DIM) return;  // a build with few dimensions, as that with sanitizers
    for (auto const* kind : {"uniform", "clustered", "zeros", "line", "sites40", "grid"}) {
        auto const rows = make_points<D, T>(kind, n, D);
        for (int m : {1, 4}) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(m);
            CHECK(tree_right<D, T>(rows, {.min_samples = m}));
        }
    }
}

}  // namespace

TEST_CASE("EMST: every kind of points, 1 to 4 dimensions") {
    every_kind<1, float>(300);
    every_kind<1, double>(300);
    every_kind<2, float>(400);
    every_kind<2, double>(400);
    every_kind<3, float>(500);
    every_kind<3, double>(500);
    every_kind<4, float>(400);
    every_kind<4, double>(400);
}

TEST_CASE("EMST: 5 to 64 dimensions, compiled and padded") {
    other_dimensions<5, float>(300);
    other_dimensions<6, double>(300);
    other_dimensions<8, float>(300);
    other_dimensions<10, double>(250);
    other_dimensions<16, float>(200);
    other_dimensions<27, double>(150);
    other_dimensions<64, float>(120);
}

TEST_CASE("EMST: few points, and numbers around the leaf size") {
    for (std::size_t n : {0, 1, 2, 3, 8, 9, 10, 11, 31, 32, 33, 47, 48, 49, 72, 100, 257})
        for (pos_t leaf : {0, 1, 32, 1000})
            for (std::size_t m : {std::size_t(1), std::size_t(2), n / 2, n}) {
                if (m < 1 || m > std::max<std::size_t>(n, 1)) continue;
                CAPTURE(n);
                CAPTURE(leaf);
                CAPTURE(m);
                CHECK(tree_right<3, float>(make_points<3, float>("uniform", n, 5),
                                           {.min_samples = int(m), .tree = {.leaf_size = leaf}}));
            }
}

TEST_CASE("EMST: periodic boxes, whole and on some axes, points on both faces") {
    for (double length : {.03, .1, 1., 170.})
        for (auto const* kind : {"uniform", "clustered", "sites40", "grid"})
            for (int m : {1, 4}) {
                CAPTURE(length);
                CAPTURE(kind);
                CAPTURE(m);
                CHECK(tree_right<3, float>(in_box<3, float>(kind, 400, length, 8),
                                           {.min_samples = m, .box = {double(float(length))}}));
                CHECK(tree_right<3, double>(in_box<3, double>(kind, 400, length, 9),
                                            {.min_samples = m, .box = {length, 0, length}}));
                CHECK(tree_right<2, double>(in_box<2, double>(kind, 400, length, 10),
                                            {.min_samples = m, .box = {0, length}}));
                CHECK(tree_right<1, double>(in_box<1, double>(kind, 200, length, 11),
                                            {.min_samples = m, .box = {length}}));
            }
}

TEST_CASE("EMST: random configurations") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        Random r(seed);
        auto const& kind = kinds()[r.below(kinds().size())];
        std::size_t const n = 1 + r.below(900);
        auto const rows = make_points<3, double>(kind, n, seed);
        EmstOptions options{.min_samples =
                                r.below(2) ? 1 : int(1 + r.below(std::min<std::size_t>(n, 30)))};
        options.tree.leaf_size = pos_t(1 + r.below(100));
        options.tree.coarsening = pos_t(2 + r.below(15));
        options.tree.top_nodes = pos_t(1 + r.below(200));
        options.tree.volume_ratio = double(r.below(60));
        CAPTURE(kind);
        CAPTURE(n);
        CAPTURE(options.min_samples);
        CHECK(tree_right<3, double>(rows, options));
    }
}
