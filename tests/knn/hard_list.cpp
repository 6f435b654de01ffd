// kNN on the hard list: dimensions, kinds of points, k, sizes, boxes; against brute force.
#include "knn/check.hpp"
#include "support/sanitized.hpp"

using namespace test;

namespace {

template <int D, class T>
void every_kind(std::size_t n) {
    for (auto const& kind : some(kinds(), D == 3 ? 1 : 2)) {
        auto const rows = make_points<D, T>(kind, fewer(n, 2), D);
        for (index_t k : {1, 4, 16, 33, 64}) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(k);
            CHECK(self_query_right<D, T>(rows, {.k = k, .tree = {.leaf_size = 12}}));
        }
    }
}

template <int D, class T>
void other_dimensions(std::size_t n) {
    if (D > ZWALK_MAX_DIM) {  // a build with few dimensions, as that with sanitizers
        auto const rows = make_points<D, T>("uniform", 9, D);
        CHECK_THROWS_WITH_AS((void)knn(view<D>(rows), {.k = 2}), doctest::Contains("ZWALK_DIMS"),
                             InputError);
        return;
    }
    for (auto const* kind : {"uniform", "clustered", "zeros", "line", "sites40"}) {
        CAPTURE(D);
        CAPTURE(kind);
        CHECK(self_query_right<D, T>(make_points<D, T>(kind, n, D), {.k = 7}));
    }
}

}  // namespace

TEST_CASE("kNN: every kind of points, 1 to 4 dimensions") {
    every_kind<1, float>(400);
    every_kind<1, double>(400);
    every_kind<2, float>(500);
    every_kind<2, double>(500);
    every_kind<3, float>(700);
    every_kind<3, double>(700);
    every_kind<4, float>(500);
    every_kind<4, double>(500);
}

TEST_CASE("kNN: 5 to 64 dimensions, compiled and padded") {
    other_dimensions<5, float>(400);
    other_dimensions<6, double>(400);
    other_dimensions<7, float>(300);
    other_dimensions<8, float>(300);
    other_dimensions<10, double>(300);
    other_dimensions<16, float>(300);
    other_dimensions<27, double>(200);
    other_dimensions<64, float>(150);
}

TEST_CASE("kNN: every k, up to more than there are points") {
    for (std::size_t n : {0, 1, 2, 3, 10, 47, 48, 49, 72, 73, 100, 400})
        for (index_t k : {1, 2, 4, 16, 31, 32, 33, 47, 48, 49, 64, 133, 400, 405})
            for (bool exclude_self : {false, true}) {
                CAPTURE(n);
                CAPTURE(k);
                KnnOptions const options{.k = k, .exclude_self = exclude_self};
                CHECK(self_query_right<3, float>(make_points<3, float>("uniform", n, 5), options));
            }
    for (index_t k : {1024, 2000, 5000, 5005}) {
        CAPTURE(k);
        CHECK(self_query_right<3, float>(make_points<3, float>("normal", 5000, 6), {.k = k}, 20));
    }
}

TEST_CASE("kNN: k up to the number of copies of a point") {
    for (auto const* kind : {"sites40", "lattice24", "equal"})
        for (index_t k : {1, 16, 24, 25, 39, 40, 41, 100})
            for (pos_t leaf : {1, 8, 48, 50}) {
                CAPTURE(kind);
                CAPTURE(k);
                CAPTURE(leaf);
                CHECK(self_query_right<3, float>(
                    make_points<3, float>(kind, fewer(1000, 2), 7),
                    {.k = k, .exclude_self = k % 2 == 0, .tree = {.leaf_size = leaf}}));
            }
}

TEST_CASE("kNN: periodic boxes, whole and on some axes, points on both faces") {
    for (double length : {.03, .1, 1., 170.})
        for (auto const* kind : {"uniform", "clustered", "sites40", "grid"}) {
            CAPTURE(length);
            CAPTURE(kind);
            CHECK(self_query_right<3, float>(in_box<3, float>(kind, 500, length, 8),
                                             {.k = 20, .box = {double(float(length))}}));
            CHECK(self_query_right<3, double>(in_box<3, double>(kind, 500, length, 9),
                                              {.k = 20, .box = {length, 0, length}}));
            CHECK(self_query_right<2, double>(in_box<2, double>(kind, 500, length, 10),
                                              {.k = 5, .box = {0, length}}));
            CHECK(self_query_right<1, double>(in_box<1, double>(kind, 200, length, 11),
                                              {.k = 199, .box = {length}}));
            CHECK(self_query_right<5, float>(in_box<5, float>(kind, 300, length, 12),
                                             {.k = 3, .box = {double(float(length))}}));
        }
}

TEST_CASE("kNN: separate queries inside, disjoint, one, none, few sources") {
    auto sources = make_points<3, double>("clustered", 800, 13);
    auto inside = make_points<3, double>("uniform", 600, 14);
    auto apart = inside;
    for (auto& p : apart) p[0] += 1000;
    Rows<3, double> one{inside[0]}, none;
    auto few = make_points<3, double>("uniform", 3, 15);
    for (auto const* queries : {&inside, &apart, &one, &none, &sources})
        for (auto const* from : {&sources, &few, &none})
            for (index_t k : {1, 10, 100}) {
                KnnOptions const options{.k = k};
                CHECK(equals_brute_force(knn(view<3>(*from), view<3>(*queries), options), view<3>(*from),
                                         view<3>(*queries), options));
            }
    auto const box_sources = in_box<2, float>("clustered", 900, 1, 16);
    auto const box_queries = in_box<2, float>("uniform", 500, 1, 17);
    KnnOptions const periodic{.k = 9, .box = {1}};
    CHECK(equals_brute_force(knn(view<2>(box_sources), view<2>(box_queries), periodic),
                             view<2>(box_sources), view<2>(box_queries), periodic));
}

TEST_CASE("kNN: random configurations") {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        CAPTURE(seed);
        Random r(seed);
        auto const& kind = kinds()[r.below(kinds().size())];
        auto const rows = make_points<3, double>(kind, 1 + r.below(900), seed);
        KnnOptions options{.k = index_t(1 + r.below(90))};
        options.exclude_self = r.below(2);
        Cpu const cpu(int(1 + r.below(4)));
        options.tree.leaf_size = pos_t(1 + r.below(100));
        options.tree.coarsening = pos_t(2 + r.below(15));
        options.tree.top_nodes = pos_t(1 + r.below(200));
        options.tree.volume_ratio = double(r.below(60));
        auto const found = knn(view<3>(rows), options, cpu);
        CHECK(equals_brute_force(found, view<3>(rows), view<3>(rows), options));
    }
}
