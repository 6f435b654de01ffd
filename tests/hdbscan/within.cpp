// One meaning of "within r": distances of one function, as radii of another, take in the pairs that they come from.
#include <doctest/doctest.h>

#include <set>

#include "support/points.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/hdbscan/linkage.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/radius/radius.hpp"

using namespace test;
using namespace zwalk;

namespace {

/// f(rows) for every kind of points.
template <int D, class T, class F>
void for_kinds(std::size_t n, F const& f) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed)
        for (auto const& kind : kinds()) {
            CAPTURE(kind);
            CAPTURE(seed);
            f(make_points<D, T>(kind, n, seed));
        }
}
template <class T>
std::set<T> some_of(std::set<T> const& all, std::size_t most) {
    std::set<T> some;
    std::size_t i = 0, step = all.size() / most + 1;
    for (T const& x : all)
        if (i++ % step == 0) some.insert(x);
    return some;
}

}  // namespace

TEST_CASE_TEMPLATE("within: k-th distances as radii take in k neighbours", T, float, double) {
    for_kinds<3, T>(300, [](auto const& rows) {
        index_t const k = 5;
        auto const near = knn(rows, {.k = k});
        std::set<T> radii;
        for (std::size_t i = 0; i < rows.size(); ++i) radii.insert(near.distances[i * k + k - 1]);
        for (T const r : some_of(radii, 40)) {
            CAPTURE(r);
            auto const counts = radius_count(rows, {.radius = double(r)}).counts;
            auto const core = dbscan(rows, {.epsilon = double(r), .min_samples = k}).core;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                bool const inside = near.distances[i * k + k - 1] <= r;
                REQUIRE((counts[i] >= k) == inside);
                REQUIRE((core[i] != 0) == inside);
            }
        }
    });
}

TEST_CASE_TEMPLATE("within: lengths of a tree's edges as linking lengths, and as cuts", T, float,
                   double) {
    for_kinds<2, T>(200, [](auto const& rows) {
        auto const tree = emst(rows);
        auto const linkage = single_linkage<T>(rows.size(), tree.edges, tree.lengths);
        std::set<T> const lengths(tree.lengths.begin(), tree.lengths.end());
        for (T const b : some_of(lengths, 60)) {
            CAPTURE(b);
            std::size_t longer = 0;
            for (T const length : tree.lengths) longer += length > b;
            REQUIRE(fof(rows, {.linking_length = double(b)}).groups == index_t(longer) + 1);
            auto const clusters = clusters_at(linkage, double(b), 1);
            REQUIRE(std::size_t(*std::max_element(clusters.begin(), clusters.end())) == longer);
        }
    });
}

TEST_CASE_TEMPLATE("within: distances of pairs as edges of bins", T, float, double) {
    for_kinds<3, T>(60, [](auto const& rows) {
        auto const all = knn(rows, {.k = index_t(rows.size()), .exclude_self = true});
        std::set<T> distances;
        for (T const d : all.distances)
            if (d < infinity<T>) distances.insert(d);
        auto const some = some_of(distances, 100);
        std::vector<double> edges(some.begin(), some.end());
        if (edges.front() > 0) edges.insert(edges.begin(), 0);
        if (edges.size() < 2) return;
        std::vector<index_t> expected(edges.size() - 1);
        for (T const d : all.distances)
            for (std::size_t i = 0; i + 1 < edges.size(); ++i)
                expected[i] += d<infinity<T>&& double(d)> edges[i] && double(d) <= edges[i + 1];
        CHECK(pair_counts(rows, {.edges = edges}).counts == expected);
    });
}

TEST_CASE("within: a lattice of steps that aren't binary") {
    // (3, 4, 0) steps of .1 are at a distance of .5, as the root is rounded.
    Rows<3, double> rows;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            for (int k = 0; k < 6; ++k) rows.push_back({.1 * i, .1 * j, .1 * k});
    std::vector<double> const edges{0, .1, .2, .3, .4, .5, .6};
    std::vector<index_t> expected(6);
    for (auto const& p : rows)
        for (auto const& q : rows) {
            double d2 = 0;
            for (std::size_t c = 0; c < 3; ++c) d2 = std::fma(q[c] - p[c], q[c] - p[c], d2);
            for (std::size_t b = 0; b < 6; ++b)
                expected[b] += std::sqrt(d2) > edges[b] && std::sqrt(d2) <= edges[b + 1];
        }
    CHECK(pair_counts(rows, {.edges = edges}).counts == expected);
}
