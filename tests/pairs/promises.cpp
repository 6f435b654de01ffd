// What pair counts promise beside the answer: one answer, refusals, what they cost.
#include <doctest/doctest.h>

#include <numeric>

#include "knn/check.hpp"
#include "pairs/brute.hpp"
#include "support/places.hpp"

using namespace test;

TEST_CASE("pairs: weighted sums have the same bits in any order and for any leaves") {
    auto const rows = make_points<3, float>("clustered", 3000, 1);
    auto const weights = some_weights(rows.size(), 4);
    std::vector<double> const edges{0, .01, .03, .1, .3, 1};
    auto const r = pair_counts(rows, {.edges = edges, .weights = weights});
    auto back = rows;
    auto back_weights = weights;
    std::reverse(back.begin(), back.end());
    std::reverse(back_weights.begin(), back_weights.end());
    for (pos_t leaf : {1, 7, 48, 10000})
        for (int threads : {1, 2, 5}) {
            CAPTURE(leaf);
            CAPTURE(threads);
            auto const other =
                pair_counts(back, {.edges = edges, .weights = back_weights, .tree = {.leaf_size = leaf}},
                            Cpu(threads));
            CHECK(other.counts == r.counts);
            CHECK(other.weighted == r.weighted);
        }
}

TEST_CASE("pairs: weights of 1 give the counts, halves a quarter of them") {
    auto const rows = make_points<2, double>("clustered", 1000, 1);
    std::vector<double> const edges{0, .01, .1, 1}, ones(rows.size(), 1), halves(rows.size(), .5);
    auto const r = pair_counts(rows, {.edges = edges, .weights = ones});
    auto const quarter = pair_counts(rows, {.edges = edges, .weights = halves});
    auto const cross = pair_counts(rows, rows, {.edges = edges, .weights = halves});
    for (std::size_t i = 0; i < r.counts.size(); ++i) {
        CHECK(r.weighted[i] == double(r.counts[i]));
        CHECK(quarter.weighted[i] == double(r.counts[i]) / 4);
        CHECK(cross.weighted[i] == double(r.counts[i]) / 2);
        CHECK(cross.counts[i] == r.counts[i]);  // a point and itself are at distance 0: in no bin
    }
    CHECK(pair_counts(rows, {.edges = edges}).weighted.empty());
}

TEST_CASE("pairs: bins hold their upper edge, and the lower one along the line of sight") {
    Rows<2, double> const rows{{0, 0}, {3, 4}};
    auto const count = [&](PairOptions const& o) { return pair_counts(rows, o).counts; };
    using Counts = std::vector<index_t>;
    CHECK(count({.edges = {4, 5, 6}}) == Counts{2, 0});
    CHECK(count({.edges = {3, std::nextafter(5, 0), 5}}) == Counts{0, 2});
    PairOptions two{.edges = {2, 3}, .bins = PairBins::rp_pi, .los_edges = {4, 5, 6}};
    CHECK(count(two) == Counts{2, 0});
    two.los_edges = {3, 4, 5};
    CHECK(count(two) == Counts{2, 0});
    two.edges = {3, 4};
    CHECK(count(two) == Counts{0, 0});
    two.line_of_sight = 0;
    CHECK(count(two) == Counts{2, 0});
    CHECK(count({.edges = {4, 5}, .bins = PairBins::s_mu, .los_edges = {0, .75, 1}}) == Counts{0, 2});
    CHECK(
        count({.edges = {4, 5}, .bins = PairBins::s_mu, .los_edges = {0, .75, 1}, .line_of_sight = 0}) ==
        Counts{2, 0});
    Rows<2, double> const along{{0, 0}, {0, 1}}, across{{0, 0}, {1, 0}};
    PairOptions const mu{.edges = {0, 2}, .bins = PairBins::s_mu, .los_edges = {0, .5, 1}};
    CHECK(pair_counts(along, mu).counts == Counts{0, 2});
    CHECK(pair_counts(across, mu).counts == Counts{2, 0});
}

TEST_CASE("pairs: a leaf has more pairs than a float counts") {
    auto const rows = make_points<3, float>("uniform", 6000, 3);
    PairOptions o{.edges = {.001, .01, .02, .03, .05, .08, .1, .15, .2, .4, .6, 1}};
    auto const small = pair_counts(rows, o);
    o.tree.leaf_size = 8000;
    CHECK(pair_counts(rows, o).counts == small.counts);
}

TEST_CASE("pairs: nodes in one bin are taken whole") {
    // Two clumps whose points are all in one bin of each other, and far more pairs than anyone could meet.
    Rows<3, float> rows;
    for (auto const& p : make_points<3, float>("uniform", 40000, 1))
        for (float shift : {0.f, 10.f}) rows.push_back({p[0] + shift, p[1], p[2]});
    auto const r = pair_counts(rows, {.edges = {5, 15}});
    CHECK(r.counts[0] == 2LL * 40000 * 40000);
    CHECK(count_of(r.stats, "leaf_entries") == 0);
    auto const copies = make_points<3, float>("equal", 200000, 1);
    CHECK(pair_counts(copies, {.edges = {0, 1}}).counts[0] == 0);
}

TEST_CASE("pairs: an index gives what a call with the points gives") {
    auto const rows = in_box<3, double>("clustered", 900, 1, 1),
               others = in_box<3, double>("uniform", 400, 1, 1);
    auto const own = some_weights(rows.size(), 1), theirs = some_weights(others.size(), 2);
    auto const same = [](PairCounts const& a, PairCounts const& b) {
        CHECK(a.counts == b.counts);
        CHECK(a.weighted == b.weighted);
    };
    for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0, 1}}) {
        Index<double> const index(rows, {.box = box, .tree = {.leaf_size = 20}}, Cpu(2));
        PairOptions kept{.edges = {.01, .1, .2, .5}};
        for (bool const weighted : {false, true}) {
            if (weighted) kept.weights = own;
            PairOptions alone = kept;
            alone.box = box;
            same(pair_counts(index, kept), pair_counts(rows, alone));
            if (weighted) kept.second_weights = alone.second_weights = theirs;
            same(pair_counts(index, others, kept), pair_counts(rows, others, alone));
        }
        PairOptions const two{.edges = {.1, .3}, .bins = PairBins::rp_pi, .los_edges = {0, .1, .2}};
        PairOptions alone = two;
        alone.box = box;
        same(pair_counts(index, others, two), pair_counts(rows, others, alone));
    }
    Index<double> const index(rows, {.box = {1}});
    PairOptions const o{.edges = {.1, .2}};
    Rows<3, double> const outside{{0, 0, 0}, {1.5, 0, 0}};
    CHECK(refusal_of([&] { pair_counts(index, outside, o); }).find("box") != std::string::npos);
    CHECK(refusal_of([&] {
              pair_counts(index, {.edges = {.1, .2}, .box = {1}});
          }).find("index") != std::string::npos);
    CHECK(refusal_of([&] {
              pair_counts(index, Rows<2, double>{{0, 0}}, o);
          }) == "the second points have 2 columns, but the first have 3");
}

TEST_CASE("pairs: refusals") {
    auto const rows = make_points<3, float>("uniform", 50, 9);
    auto const says = [&](PairOptions const& o) { return refusal_of([&] { pair_counts(rows, o); }); };
    CHECK(says({}) == "edges need at least two numbers, but have 0: one bin lies between two");
    CHECK(says({.edges = {1}}) ==
          "edges need at least two numbers, but have 1: one bin lies between two");
    CHECK(says({.edges = {-1, 2}}) == "edges must be finite numbers >= 0, but number 0 is -1");
    CHECK(says({.edges = {0, std::nan("")}}) ==
          "edges must be finite numbers >= 0, but number 1 is nan");
    CHECK(says({.edges = {0, 1e39}}) == "edges must be finite numbers >= 0, but number 1 is 1e+39");
    CHECK(says({.edges = {0, 2, 2}}) == "edges must ascend, but number 1 is 2, and number 2 is 2");
    CHECK(says({.edges = {0, 2}, .los_edges = {0, 1}}) ==
          "los_edges are for bins of two numbers: rp and pi, or s and mu");
    PairOptions two{.edges = {0, 1}, .bins = PairBins::s_mu, .los_edges = {0, 2}};
    CHECK(says(two) == "mu is at most 1, but los_edges go up to 2");
    two.los_edges = {0, 1};
    two.line_of_sight = 3;
    CHECK(says(two) == "line_of_sight must be an axis from 0 to 2, or -1 for the last, but is 3");
    two.line_of_sight = -1;
    CHECK(says(two) == "");
    two.los_edges.clear();
    for (int i = 0; i <= 257; ++i) two.los_edges.push_back(i / 300.);
    CHECK(says(two) == "at most 256 bins are possible along the line of sight, but there are 257");
    CHECK(refusal_of([&] {
              pair_counts(make_points<4, float>("uniform", 5, 1),
                          {.edges = {0, 1}, .bins = PairBins::rp_pi, .los_edges = {0, 1}});
          }) == "bins along the line of sight are for 2 or 3 dimensions, but there are 4");
    std::vector<double> const short_by_one(49, 1);
    std::vector<double> bad(50, 1);
    bad[7] = infinity<double>;
    CHECK(says({.edges = {0, 1}, .weights = short_by_one}) ==
          "there are 49 weights, but 50 points: give one for each");
    CHECK(says({.edges = {0, 1}, .weights = bad}) == "weights must be finite, but that of row 7 is inf");
    CHECK(says({.edges = {0, 1}, .second_weights = bad}) ==
          "second_weights are for a second set of points, and there is none");
    CHECK(says({.edges = {0, 1}, .box = {.5}}).find("box") != std::string::npos);
    CHECK(refusal_of([&] {
              pair_counts(rows, make_points<2, float>("uniform", 5, 1), {.edges = {0, 1}});
          }) == "the second points have 2 columns, but the first have 3");
    auto nowhere = rows;
    nowhere[7][1] = std::nanf("");
    CHECK(refusal_of([&] {
              pair_counts(rows, nowhere, {.edges = {0, 1}});
          }).find("second points") != std::string::npos);
}
