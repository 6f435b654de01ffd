// Friends-of-friends on the hard list: dimensions, kinds of points, linking lengths, sizes, boxes;
// against brute force.
#include <doctest/doctest.h>

#include "fof/brute.hpp"
#include "knn/check.hpp"

using namespace test;

namespace {

template <int D, class T>
void every_kind(std::size_t n) {
    for (auto const& kind : kinds()) {
        auto const rows = make_points<D, T>(kind, n, D);
        for (double b : lengths_for<D>(rows, D)) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(b);
            CHECK(groups_right<D, T>(rows, {.linking_length = b, .tree = {.leaf_size = 12}}));
        }
    }
}

template <int D, class T>
void other_dimensions(std::size_t n) {
    if (D > ZWALK_MAX_DIM) return;  // a build with few dimensions, as that with sanitizers
    for (auto const* kind : {"uniform", "clustered", "zeros", "line", "sites40"}) {
        auto const rows = make_points<D, T>(kind, n, D);
        for (double b : lengths_for<D>(rows, 5)) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(b);
            CHECK(groups_right<D, T>(rows, {.linking_length = b}));
        }
    }
}

}  // namespace

TEST_CASE("FoF: every kind of points, 1 to 4 dimensions") {
    every_kind<1, float>(300);
    every_kind<1, double>(300);
    every_kind<2, float>(400);
    every_kind<2, double>(400);
    every_kind<3, float>(500);
    every_kind<3, double>(500);
    every_kind<4, float>(400);
    every_kind<4, double>(400);
}

TEST_CASE("FoF: 5 to 64 dimensions, compiled and padded") {
    other_dimensions<5, float>(300);
    other_dimensions<6, double>(300);
    other_dimensions<8, float>(300);
    other_dimensions<10, double>(250);
    other_dimensions<16, float>(200);
    other_dimensions<27, double>(150);
    other_dimensions<64, float>(120);
}

TEST_CASE("FoF: few points, and numbers around the leaf size") {
    for (std::size_t n : {0, 1, 2, 3, 10, 31, 32, 33, 47, 48, 49, 72, 100, 257})
        for (pos_t leaf : {0, 1, 32, 1000})
            for (double b : {0., .05, .2, 10.}) {
                CAPTURE(n);
                CAPTURE(leaf);
                CAPTURE(b);
                CHECK(groups_right<3, float>(make_points<3, float>("uniform", n, 5),
                                             {.linking_length = b, .tree = {.leaf_size = leaf}}));
            }
}

TEST_CASE("FoF: periodic boxes, whole and on some axes, points on both faces") {
    for (double length : {.03, .1, 1., 170.})
        for (auto const* kind : {"uniform", "clustered", "sites40", "grid"})
            for (double fraction : {0., .01, .04, .1, .6, 2.}) {
                double const b = fraction * length;
                CAPTURE(length);
                CAPTURE(kind);
                CAPTURE(b);
                CHECK(groups_right<3, float>(in_box<3, float>(kind, 400, length, 8),
                                             {.linking_length = b, .box = {double(float(length))}}));
                CHECK(groups_right<3, double>(in_box<3, double>(kind, 400, length, 9),
                                              {.linking_length = b, .box = {length, 0, length}}));
                CHECK(groups_right<2, double>(in_box<2, double>(kind, 400, length, 10),
                                              {.linking_length = b, .box = {0, length}}));
                CHECK(groups_right<1, double>(in_box<1, double>(kind, 200, length, 11),
                                              {.linking_length = b, .box = {length}}));
            }
}

TEST_CASE("FoF: random configurations") {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        CAPTURE(seed);
        Random r(seed);
        auto const& kind = kinds()[r.below(kinds().size())];
        auto const rows = make_points<3, double>(kind, 1 + r.below(700), seed);
        auto const lengths = lengths_for<3>(rows, seed);
        FofOptions options{.linking_length = lengths[r.below(lengths.size())]};
        options.tree.leaf_size = pos_t(1 + r.below(100));
        options.tree.coarsening = pos_t(2 + r.below(15));
        options.tree.top_nodes = pos_t(1 + r.below(200));
        options.tree.volume_ratio = double(r.below(60));
        CAPTURE(kind);
        CHECK(groups_right<3, double>(rows, options));
    }
}
