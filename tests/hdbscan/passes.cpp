// Passes over all points that threads share, piece by piece: of so many points that there are several pieces, against the plain loop.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "hdbscan/same_condensed.hpp"
#include "hdbscan/shapes.hpp"
#include "zwalk/hdbscan/membership.hpp"

using namespace test;

namespace {

constexpr std::size_t many = 50000;
constexpr int some_threads[] = {1, 2, 7};

/// Labels of a cut by joining edge by edge.
std::vector<index_t> plain_cut(Forest const& f, double distance, std::size_t least) {
    std::vector<std::size_t> above(f.points), size(f.points, 0);
    std::iota(above.begin(), above.end(), std::size_t(0));
    auto const root = [&](std::size_t i) {
        while (above[i] != i) i = above[i] = above[above[i]];
        return i;
    };
    for (std::size_t e = 0; e < f.lengths.size() && f.lengths[e] <= distance; ++e)
        above[root(std::size_t(f.edges[2 * e]))] = root(std::size_t(f.edges[2 * e + 1]));
    for (std::size_t i = 0; i < f.points; ++i) ++size[root(i)];
    std::vector<index_t> number(f.points, -1), labels(f.points, -1);
    index_t next = 0;
    for (std::size_t i = 0; i < f.points; ++i) {
        std::size_t const r = root(i);
        if (size[r] < least) continue;
        if (number[r] < 0) number[r] = next++;
        labels[i] = number[r];
    }
    return labels;
}

/// without_short_splits(), whose clusters are known, row by row.
void check_rows(CondensedTree const& tree, CondensedTree const& t) {
    std::vector<index_t> points, expected;
    for (index_t const child : t.child)
        if (std::size_t(child) < t.points) points.push_back(child);
    for (index_t const child : tree.child)
        if (std::size_t(child) < tree.points) expected.push_back(child);
    CHECK(points == expected);
    CHECK(t.rows() == t.points + t.clusters.size() - 1);
    std::vector<double> death(t.clusters.size(), 0), stability = death;
    index_t made = 0;  // clusters come in the order of their rows
    bool in_order = true, inside = true;
    for (std::size_t row = 0; row < t.rows(); ++row) {
        auto const c = std::size_t(t.parent[row]) - t.points;
        auto const child = std::size_t(t.child[row]);
        if (child >= t.points) {
            in_order = in_order && index_t(child - t.points) == ++made;
            inside = inside && t.clusters[child - t.points].parent == index_t(c) &&
                     t.child_size[row] == t.clusters[child - t.points].size;
        }
        double const lambda = t.lambda[row], birth = t.clusters[c].birth;
        death[c] = std::max(death[c], lambda);
        if (lambda > birth) stability[c] += (lambda - birth) * double(t.child_size[row]);
    }
    CHECK(in_order);
    CHECK(inside);
    for (std::size_t c = 0; c < t.clusters.size(); ++c) {
        REQUIRE(t.clusters[c].death == death[c]);
        REQUIRE(t.clusters[c].stability == stability[c]);
    }
}

}  // namespace

TEST_CASE("cut: many points, in hierarchies of all shapes, on any number of threads") {
    for_shapes(many, [](Forest const& f) {
        auto const z = f.linkage();
        auto const at = [&](std::size_t part) { return f.lengths[(f.lengths.size() - 1) * part / 10]; };
        for (double const distance : {-1., at(0), at(3), at(9), at(10)})
            for (std::size_t const least : {1, 2, 9, 1000}) {
                auto const expected = plain_cut(f, distance, least);
                for (int const threads : some_threads) {
                    CAPTURE(distance);
                    CAPTURE(least);
                    CAPTURE(threads);
                    CHECK(std::ranges::equal(clusters_at(z, distance, least, Cpu(threads)), expected));
                }
            }
    });
}

TEST_CASE("selected tree: many rows, on any number of threads") {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        CAPTURE(seed);
        auto const tree = condense(random_forest(many, seed % 2 * 9, false, seed).linkage(), 3);
        std::size_t undone = 0;
        for (double const persistence : {.01, .5}) {
            CAPTURE(persistence);
            auto const one = without_short_splits(tree, persistence, Cpu(1));
            undone += tree.clusters.size() - one.clusters.size();
            check_rows(tree, one);
            for (int const threads : some_threads)
                check_same(without_short_splits(tree, persistence, Cpu(threads)), one);
        }
        CHECK(undone > 0);
    }
}

TEST_CASE("exemplars: of many points, on any number of threads") {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        CAPTURE(seed);
        auto const tree = condense(random_forest(many, seed % 2 * 9, seed == 4, seed).linkage(), 20);
        auto const found = select_clusters(tree);
        REQUIRE(found.size() > 1);
        std::vector<index_t> label(tree.clusters.size(), -1);
        for (std::size_t c = 1; c < label.size(); ++c) {
            auto const own = std::ranges::find(found.ids, index_t(tree.points + c));
            label[c] = own != found.ids.end() ? index_t(own - found.ids.begin())
                                              : label[std::size_t(tree.clusters[c].parent)];
        }
        std::vector<std::vector<index_t>> expected(found.size());
        for (std::size_t row = 0; row < tree.rows(); ++row) {
            auto const c = std::size_t(tree.parent[row]) - tree.points;
            bool const point = std::size_t(tree.child[row]) < tree.points;
            if (point && label[c] >= 0 && tree.clusters[c].leaf &&
                tree.lambda[row] == tree.clusters[c].death)
                expected[std::size_t(label[c])].push_back(tree.child[row]);
        }
        for (auto& rows : expected) std::sort(rows.begin(), rows.end());
        for (int const threads : some_threads) {
            CAPTURE(threads);
            CHECK(exemplars(tree, found, Cpu(threads)) == expected);
        }
    }
}

TEST_CASE(
    "clusters: the largest distance of a tree of many points, which epsilon_max is compared with") {
    // One cluster, which points leave one by one: the last one to be merged has the first row.
    auto const f = shaped_forest("star", many, 0, 1);
    auto const tree = condense(f.linkage(), 3);
    REQUIRE(tree.clusters.size() == 1);
    double const far = 1 / tree.lambda[0];
    CHECK(far == double(many - 1));
    for (int const threads : some_threads) {
        CAPTURE(threads);
        SelectionOptions o{.allow_single_cluster = true};
        o.epsilon_max = far;
        CHECK(select_clusters(tree, o, Cpu(threads)).size() == 1);
        o.epsilon_max = std::nextafter(far, 0);
        CHECK(select_clusters(tree, o, Cpu(threads)).size() == 0);
    }
}
