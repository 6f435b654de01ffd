// What DBSCAN promises beside the answer: one answer, indices, orders, refusals, what it costs.
#include <doctest/doctest.h>

#include <cmath>

#include "dbscan/brute.hpp"
#include "knn/check.hpp"
#include "support/on_threads.hpp"
#include "support/places.hpp"
#include "zwalk/fof/fof.hpp"

using namespace test;

namespace {

bool same_result(DbscanResult<> const& a, DbscanResult<> const& b) {
    return a.labels == b.labels && a.core == b.core && a.clusters == b.clusters &&
           a.core_points == b.core_points && a.noise == b.noise && a.z_order == b.z_order;
}

/// The rows in another order: row i is from[order[i]].
template <class SomeRows>
SomeRows in_order(SomeRows const& from, std::vector<std::size_t> const& order) {
    SomeRows to;
    for (auto i : order) to.push_back(from[i]);
    return to;
}

}  // namespace

TEST_CASE("DBSCAN: no bit depends on threads or on how the tree is cut") {
    auto const rows = make_points<3, float>("clustered", 30000, 1);
    DbscanOptions const o{.epsilon = .01, .min_samples = 9};
    auto const expected = dbscan(rows, o, Cpu(1));
    CHECK(expected.clusters > 20);
    CHECK(expected.noise > 20);
    for (int threads : {2, 5})
        for (pos_t leaf : {0, 1, 7, 300}) {
            auto other = o;
            other.tree = {.leaf_size = leaf, .coarsening = 3, .top_nodes = 20};
            CHECK(same_result(dbscan(rows, other, Cpu(threads)), expected));
        }
}

TEST_CASE(
    "DBSCAN: border points go to the nearest core point, at equal distances to the first in z-order") {
    // Two clusters of three places with four points each; 0 is a neighbour of both, as near to the one as to the other.
    for (double right : {1., .875, 1.125}) {
        Rows<1, double> rows;
        for (double place : {-1., -1.5, -1.75, right, right + .5, right + .75})
            for (int i = 0; i < 4; ++i) rows.push_back({place});
        rows.push_back({0});
        DbscanOptions const o{.epsilon = 1.125, .min_samples = 12};
        std::vector<std::size_t> order(rows.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        for (int turn = 0; turn < 2; ++turn, std::reverse(order.begin(), order.end())) {
            auto const shown = in_order(rows, order);
            auto const r = dbscan(shown, o);
            CHECK(clusters_are(r, brute_dbscan(view<1>(shown), o)));
            CHECK(r.clusters == 2);
            CHECK(r.core_points == 24);
            std::size_t const middle = turn == 0 ? 24 : 0;
            CHECK(r.core[middle] == 0);
            // At -1 is what comes first in z-order.
            index_t const left = r.labels[turn == 0 ? 0 : 24], other = r.labels[12];
            CHECK(left != other);
            CHECK(r.labels[middle] == (right < 1 ? other : left));
        }
    }
}

TEST_CASE("DBSCAN: nothing but the numbers of clusters depends on the order of the points") {
    for (auto const* kind : {"clustered", "grid", "normal"}) {
        auto const rows = make_points<2, double>(kind, 3000, 2);
        DbscanOptions const o{.epsilon = std::string(kind) == "grid" ? 1. : .05, .min_samples = 5};
        auto const r = dbscan(rows, o);
        std::vector<std::size_t> order(rows.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i * 1237 % order.size();
        auto const other = dbscan(in_order(rows, order), o);
        CHECK(r.clusters == other.clusters);
        std::vector<index_t> number(rows.size(), -1);  // of a cluster there, by its number here
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            wrong += r.core[order[i]] != other.core[i];
            index_t const here = r.labels[order[i]], there = other.labels[i];
            if (here < 0 || there < 0) {
                wrong += here != there;
                continue;
            }
            auto& same = number[std::size_t(here)];
            if (same < 0) same = there;
            wrong += same != there;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("DBSCAN: an index gives what a call with the points gives") {
    auto const rows = in_box<3, double>("clustered", 900, 1, 1);
    for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0, 1}}) {
        TreeOptions const tree{.leaf_size = 20};
        Index<double> const index(rows, {.box = box, .tree = tree}, Cpu(2));
        for (index_t min_samples : {1, 4, 8, 1000}) {
            DbscanOptions const kept{.epsilon = .05, .min_samples = min_samples};
            DbscanOptions alone = kept;
            alone.box = box;
            alone.tree = tree;
            CHECK(same_result(dbscan(index, kept), dbscan(rows, alone)));
            CHECK(clusters_are(dbscan(index, kept), brute_dbscan(view<3>(rows), alone)));
        }
    }
}

TEST_CASE("DBSCAN: labels and core points in z-order") {
    auto const rows = make_points<3, float>("clustered", 1500, 3);
    for (index_t min_samples : {1, 6, 2000}) {
        DbscanOptions o{.epsilon = .02, .min_samples = min_samples};
        auto const plain = dbscan(rows, o);
        o.order = Order::z;
        auto const z = dbscan(rows, o);
        REQUIRE(z.labels.size() == rows.size());
        REQUIRE(z.core.size() == rows.size());
        CHECK(z.z_order == plain.z_order);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
            wrong += z.labels[i] != plain.labels[z.z_order[i]] || z.core[i] != plain.core[z.z_order[i]];
        CHECK(wrong == 0);
    }
}

TEST_CASE("DBSCAN: epsilon is rounded to the points' precision, and squares don't vanish") {
    Rows<1, float> const rows{{0.f}, {.1f}};
    auto const clusters = [&](double epsilon) {
        return dbscan(rows, {.epsilon = epsilon, .min_samples = 2}).clusters;
    };
    CHECK(clusters(.1) == 1);  // float(.1) = .1f
    CHECK(clusters(double(std::nextafter(.1f, 0.f))) == 0);
    Rows<1, float> const small{{0.f}, {1e-30f}};
    CHECK(dbscan(small, {.epsilon = 0, .min_samples = 2}).clusters == 0);
    CHECK(dbscan(small, {.epsilon = 1e-30, .min_samples = 2}).clusters == 1);
}

TEST_CASE(
    "DBSCAN: what min_samples = 1 finds are friends-of-friends, what needs more than all points is "
    "noise") {
    auto const rows = make_points<3, double>("clustered", 2000, 3);
    auto const groups = fof(rows, {.linking_length = .01});
    auto const one = dbscan(rows, {.epsilon = .01, .min_samples = 1});
    CHECK(one.labels == groups.labels);
    CHECK(one.clusters == groups.groups);
    auto const none = dbscan(rows, {.epsilon = 100, .min_samples = 2001});
    CHECK(none.noise == 2000);
    auto const all = dbscan(rows, {.epsilon = 100, .min_samples = 2000});
    CHECK(all.core_points == 2000);
    CHECK(all.clusters == 1);
}

TEST_CASE("DBSCAN: refusals") {
    auto const rows = make_points<3, float>("uniform", 50, 9);
    auto const says = [&](DbscanOptions const& o) { return refusal_of([&] { (void)dbscan(rows, o); }); };
    CHECK(says({.epsilon = -1}) == "epsilon must be a finite number >= 0, but is -1");
    CHECK(says({.epsilon = std::nan("")}) == "epsilon must be a finite number >= 0, but is nan");
    CHECK(says({.epsilon = infinity<double>}) == "epsilon must be a finite number >= 0, but is inf");
    CHECK(says({.epsilon = 1e39}) == "epsilon = 1e+39 is too large for the precision of the points");
    CHECK(says({.epsilon = 1, .min_samples = 0}) == "min_samples must be at least 1, but is 0");
    CHECK(says({.epsilon = 1, .min_samples = -3}) == "min_samples must be at least 1, but is -3");
    CHECK(says({.epsilon = 1, .box = {.5}}).find("box") != std::string::npos);
    CHECK(says({.epsilon = 1}) == "");
    CHECK(dbscan(rows, {.epsilon = 1e30, .min_samples = index_t(1) << 40}).noise == 50);
    Index<float> const index(rows, {.box = {1}});
    CHECK(refusal_of([&] { (void)dbscan(index, {.epsilon = 1, .box = {1}}); }) ==
          "an index has a box of its own: leave out that of the options");
}

TEST_CASE("DBSCAN: nodes are taken whole, however many points are near") {
    auto const entries = [](Rows<3, float> const& rows, double epsilon, index_t min_samples) {
        return count_of(dbscan(rows, {.epsilon = epsilon, .min_samples = min_samples}).stats,
                        "node_entries");
    };
    std::size_t const n = 20000;
    auto const uniform = make_points<3, float>("uniform", n, 1),
               equal = make_points<3, float>("equal", n, 1),
               sites = make_points<3, float>("sites40", n, 1);
    auto const usual = entries(uniform, .08, 10);
    CHECK(usual > 1000);
    for (index_t min_samples : {index_t(2), index_t(n / 2), index_t(n)}) {
        CAPTURE(min_samples);
        CHECK(entries(equal, 0, min_samples) < usual / 4);
        CHECK(entries(equal, 1, min_samples) < usual / 4);
        CHECK(entries(uniform, 2, min_samples) < usual / 4);
    }
    for (double epsilon : {0., .08, .5}) {
        CHECK(entries(sites, epsilon, 40) < 2 * usual);
        CHECK(entries(sites, epsilon, 41) < 2 * usual);
    }
    // Two clumps, far from each other, each a little wider than epsilon.
    auto clumps = uniform;
    for (std::size_t i = 0; i < n; i += 2) clumps[i][0] += 100;
    for (index_t min_samples : {10, 1000}) CHECK(entries(clumps, 1.5, min_samples) < usual / 4);
}

TEST_CASE("DBSCAN: predicted memory") {
    auto const m = dbscan_memory(1000, 3, 4);
    CHECK(m.result == 13000);
    CHECK(m.sort == 16000);
    CHECK(m.build > 2 * fof_memory(1000, 3, 4).build);
    CHECK(dbscan_memory(1000, 3, 8).build > m.build);
}
