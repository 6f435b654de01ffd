// Pair counts on the hard list: dimensions, kinds of points, edges, sizes, boxes, two sets, weights; against brute force.
#include <doctest/doctest.h>

#include "fof/brute.hpp"
#include "knn/check.hpp"
#include "pairs/brute.hpp"

using namespace test;

namespace {

/// Edges at lengths that occur among the points, so that pairs lie on them.
template <int D, class T>
std::vector<double> edges_for(Rows<D, T> const& rows) {
    auto edges = lengths_for<D>(rows, D);
    for (double& e : edges) e = double(T(e));
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

template <int D, class T>
void every_kind(std::size_t n) {
    if (D > ZWALK_MAX_DIM) return;  // a build with few dimensions, as that with sanitizers
    for (auto const& kind : kinds()) {
        CAPTURE(D);
        CAPTURE(kind);
        auto const rows = make_points<D, T>(kind, n, D), others = make_points<D, T>(kind, n / 3, D + 1);
        auto const own = some_weights(rows.size(), 1), theirs = some_weights(others.size(), 2);
        PairOptions o{.edges = edges_for<D>(rows), .tree = {.leaf_size = 12}};
        CHECK(pairs_right<D, T>(rows, {}, o));
        CHECK(pairs_right<D, T>(rows, others, o));
        o.weights = own;
        CHECK(pairs_right<D, T>(rows, {}, o));
        CHECK(pairs_right<D, T>(rows, others, o));
        o.second_weights = theirs;
        CHECK(pairs_right<D, T>(rows, others, o));
        o.weights = {};
        CHECK(pairs_right<D, T>(rows, others, o));
    }
}

}  // namespace

TEST_CASE("pairs: every kind of points, 1 to 4 dimensions") {
    every_kind<1, float>(200);
    every_kind<1, double>(200);
    every_kind<2, float>(250);
    every_kind<2, double>(250);
    every_kind<3, float>(300);
    every_kind<3, double>(300);
    every_kind<4, float>(250);
    every_kind<4, double>(250);
}

TEST_CASE("pairs: 5 to 64 dimensions, compiled and padded") {
    every_kind<5, float>(120);
    every_kind<6, double>(120);
    every_kind<8, float>(120);
    every_kind<10, double>(100);
    every_kind<27, float>(80);
    every_kind<64, double>(60);
}

TEST_CASE("pairs: few points, and numbers around the leaf size") {
    for (std::size_t n : {0, 1, 2, 3, 10, 15, 16, 17, 31, 32, 33, 47, 48, 49, 72, 100, 257})
        for (pos_t leaf : {0, 1, 32, 1000}) {
            CAPTURE(n);
            CAPTURE(leaf);
            auto const rows = make_points<3, float>("uniform", n, 5);
            PairOptions const o{.edges = {0, .05, .1, .2, .7, 10}, .tree = {.leaf_size = leaf}};
            CHECK(pairs_right<3, float>(rows, {}, o));
            for (std::size_t m : {0, 1, 60})
                CHECK(pairs_right<3, float>(rows, make_points<3, float>("uniform", m, 6), o));
        }
}

TEST_CASE("pairs: more bins than one walk takes") {
    auto const rows = make_points<3, double>("clustered", 400, 5);
    for (std::size_t bins : {1, 63, 64, 65, 128, 200}) {
        CAPTURE(bins);
        std::vector<double> edges;
        for (std::size_t i = 0; i <= bins; ++i) edges.push_back(.01 + .5 * double(i) / double(bins));
        auto const weights = some_weights(rows.size(), 1);
        CHECK(pairs_right<3, double>(rows, {}, {.edges = edges, .weights = weights}));
        CHECK(pairs_right<3, double>(
            rows, {}, {.edges = edges, .bins = PairBins::rp_pi, .los_edges = {0, .01, .02, .2, .4}}));
    }
}

TEST_CASE("pairs: periodic boxes, whole and on some axes, points on both faces") {
    for (double length : {.03, 1., 170.})
        for (auto const* kind : {"uniform", "clustered", "sites40", "grid", "equal"}) {
            CAPTURE(length);
            CAPTURE(kind);
            auto const whole = double(float(length));
            std::vector<double> edges;
            for (double fraction : {0., .04, .1, .25, .5, .6, .9}) edges.push_back(fraction * length);
            PairOptions o{.edges = edges, .box = {whole}};
            auto const check = [&]<int D, class T>(std::size_t n, std::vector<double> box) {
                o.box = std::move(box);
                auto const rows = in_box<D, T>(kind, n, length, 8);
                auto const weights = some_weights(n, 3);
                o.weights = {};
                CHECK(pairs_right<D, T>(rows, {}, o));
                CHECK(pairs_right<D, T>(rows, in_box<D, T>("uniform", 70, length, 13), o));
                o.weights = weights;
                CHECK(pairs_right<D, T>(rows, {}, o));
            };
            check.template operator()<3, float>(250, {whole});
            check.template operator()<3, double>(250, {length, 0, length});
            check.template operator()<2, double>(200, {0, length});
            check.template operator()<1, float>(150, {whole});
        }
}

TEST_CASE("pairs: along and across the line of sight") {
    for (auto const* kind : {"uniform", "clustered", "sites40", "grid", "equal", "line"})
        for (int axis : {-1, 0, 1})
            for (auto bins : {PairBins::rp_pi, PairBins::s_mu}) {
                CAPTURE(kind);
                CAPTURE(axis);
                CAPTURE(int(bins));
                std::vector<double> const los = bins == PairBins::s_mu
                                                    ? std::vector<double>{0, .25, .5, .75, 1}
                                                    : std::vector<double>{0, .1, .2, .5};
                PairOptions o{.edges = {0, .1, .25, .5, .6},
                              .bins = bins,
                              .los_edges = los,
                              .line_of_sight = axis};
                auto const check = [&]<int D, class T>(std::vector<double> box) {
                    o.box = std::move(box);
                    auto const rows = in_box<D, T>(kind, 250, 1, 8),
                               others = in_box<D, T>("uniform", 60, 1, 9);
                    auto const weights = some_weights(rows.size(), 3);
                    o.weights = {};
                    CHECK(pairs_right<D, T>(rows, {}, o));
                    CHECK(pairs_right<D, T>(rows, others, o));
                    o.weights = weights;
                    CHECK(pairs_right<D, T>(rows, {}, o));
                    CHECK(pairs_right<D, T>(rows, others, o));
                };
                check.template operator()<3, float>({1});
                check.template operator()<3, double>({});
                check.template operator()<3, double>({0, 1, 1});
                check.template operator()<2, double>({1});
                check.template operator()<2, float>({});
            }
}
