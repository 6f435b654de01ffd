// Single linkage, cuts and condensed trees against their definitions.
#include <doctest/doctest.h>

#include <numeric>

#include "hdbscan/definition.hpp"
#include "zwalk/core/error.hpp"

using namespace test;

namespace {

/// Numbers of points and of different lengths; 0: all different.
constexpr std::size_t sizes[] = {2, 3, 10, 40, 150}, level_counts[] = {0, 1, 2, 5, 20};

template <class F>
void for_forests(F const& f) {
    std::uint64_t seed = 1;
    for (std::size_t const n : sizes)
        for (std::size_t const levels : level_counts)
            for (bool const zero : {false, true}) {
                ++seed;
                CAPTURE(n);
                CAPTURE(levels);
                CAPTURE(seed);
                f(random_forest(n, levels, zero, seed));
            }
}

std::set<Set> partition(Buffer<index_t> const& labels) {
    std::map<index_t, Set> groups;
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] >= 0) groups[labels[i]].push_back(index_t(i));
    std::set<Set> out;
    for (auto const& [label, set] : groups) out.insert(set);
    return out;
}

}  // namespace

TEST_CASE("linkage: SciPy's form, by hand") {
    // 0 -1- 1 -2- 2, 3 -1.5- 4, and 3 units between them.
    Forest const f{5, {1, 0, 4, 3, 2, 1, 3, 2}, {1, 1.5, 2, 3}};
    auto const z = f.linkage();
    std::vector<double> const expected{0, 1, 1, 2, 3, 4, 1.5, 2, 2, 5, 2, 3, 6, 7, 3, 5};
    auto const table = z.table();
    CHECK(std::vector<double>(table.begin(), table.end()) == expected);
}

TEST_CASE("linkage: at equal lengths, the largest cluster comes first and the smallest last") {
    // Point 3 lies between clusters of three (0, 1, 2) and two (4, 5), at the same distance from both.
    Forest const f{6, {0, 1, 1, 2, 4, 5, 2, 3, 3, 4}, {1, 1, 1, 2, 2}};
    auto const z = f.linkage();
    std::vector<double> const expected{0, 1, 1, 2, 2, 6, 1, 3, 4, 5, 1, 2, 7, 8, 2, 5, 3, 9, 2, 6};
    auto const table = z.table();
    CHECK(std::vector<double>(table.begin(), table.end()) == expected);
}

TEST_CASE("linkage: rows are a hierarchy, and its clusters those of the edges") {
    for_forests([](Forest const& f) {
        auto const z = f.linkage();
        REQUIRE(z.merges.size() == f.lengths.size());
        std::vector<bool> used(f.points + z.merges.size());
        for (std::size_t i = 0; i < z.merges.size(); ++i) {
            Merge const& m = z.merges[i];
            CHECK(m.left < m.right);
            CHECK(m.right < double(f.points + i));
            CHECK(m.distance == f.lengths[i]);
            double size = 0;
            for (double const id : {m.left, m.right}) {
                CHECK_FALSE(used[std::size_t(id)]);
                used[std::size_t(id)] = true;
                size += id < double(f.points) ? 1 : z.merges[std::size_t(id) - f.points].size;
            }
            CHECK(m.size == size);
        }
        Set all(f.points);
        std::iota(all.begin(), all.end(), index_t(0));
        for (double const cut : {-1., 0., .25, .5, .7, 1., 2., 6.})
            for (std::size_t const least : {1, 2, 4}) {
                std::set<Set> expected;
                for (Set const& part : parts_of(f, all, std::nextafter(cut, 10)))
                    if (part.size() >= least) expected.insert(part);
                auto const labels = clusters_at(z, cut, least);
                CHECK(partition(labels) == expected);
                index_t next = 0;
                for (index_t const label : labels) {
                    CHECK(label <= next);
                    next = std::max(next, label + 1);
                }
            }
    });
}

TEST_CASE("condensed tree: the clusters of the definition, whatever lengths are equal") {
    for_forests([](Forest const& f) {
        for (std::size_t const m : {2, 3, 5, 20, 1000}) {
            CAPTURE(m);
            auto const tree = condense(f.linkage(), m);
            CHECK(as_defined(tree) == define_clusters(f, m));
            std::vector<int> rows(f.points + tree.clusters.size());
            for (index_t const child : tree.child) ++rows[std::size_t(child)];
            for (std::size_t id = 0; id < rows.size(); ++id) CHECK(rows[id] == (id != f.points));
            for (std::size_t c = 0; c < tree.clusters.size(); ++c) {
                auto const& cluster = tree.clusters[c];
                CHECK_FALSE(std::isnan(cluster.stability));
                CHECK(cluster.stability >= 0);
                CHECK(cluster.parent < index_t(c));
            }
        }
    });
}

TEST_CASE("condensed tree: stability is the time that points stay") {
    for_forests([](Forest const& f) {
        auto const tree = condense(f.linkage(), 3);
        auto const members = members_of(tree);
        std::vector<double> expected(tree.clusters.size(), 0);
        auto const stay = [&](std::size_t c, double lambda, std::size_t points) {
            double const birth = tree.clusters[c].birth;
            if (lambda > birth) expected[c] += double(points) * (lambda - birth);
        };
        for (std::size_t r = 0; r < tree.rows(); ++r)
            if (std::size_t(tree.child[r]) < tree.points)
                stay(below(tree, tree.parent[r]), tree.lambda[r], 1);
        for (std::size_t c = 1; c < expected.size(); ++c)
            stay(std::size_t(tree.clusters[c].parent), tree.clusters[c].birth, members[c].size());
        for (std::size_t c = 0; c < expected.size(); ++c) {
            double const found = tree.clusters[c].stability;
            CHECK((found == expected[c] || std::abs(found - expected[c]) <= 1e-12 * expected[c]));
            CHECK(std::size_t(tree.clusters[c].size) == members[c].size());
        }
    });
}

TEST_CASE("condensed tree: no order of equal edges changes it, no order of points but its names") {
    for_forests([](Forest const& f) {
        Random r(f.points);
        Forest other = f;
        std::vector<index_t> name(f.points);
        std::iota(name.begin(), name.end(), index_t(0));
        for (std::size_t i = name.size(); i > 1; --i) std::swap(name[i - 1], name[r.below(i)]);
        for (index_t& end : other.edges) end = name[std::size_t(end)];
        for (std::size_t e = 1; e < f.lengths.size(); ++e) {
            std::size_t const to = e - r.below(e + 1);
            if (f.lengths[to] != f.lengths[e]) continue;
            std::swap(other.edges[2 * e], other.edges[2 * to + 1]);  // ends swap places, too
            std::swap(other.edges[2 * e + 1], other.edges[2 * to]);
        }
        for (std::size_t const m : {2, 5}) {
            auto clusters = as_defined(condense(f.linkage(), m));
            for (auto& c : clusters) {
                for (index_t& p : c.points) p = name[std::size_t(p)];
                std::sort(c.points.begin(), c.points.end());
                std::map<index_t, double> leaves;
                for (auto const& [p, lambda] : c.leaves) leaves[name[std::size_t(p)]] = lambda;
                c.leaves = leaves;
            }
            std::sort(clusters.begin(), clusters.end());
            CHECK(as_defined(condense(other.linkage(), m)) == clusters);
        }
    });
}

TEST_CASE("hierarchy: no points, one, two; a million at one place and on a chain") {
    for (std::size_t const n : {0, 1}) {
        auto const z = single_linkage<float>(n, {}, {});
        CHECK(z.merges.empty());
        CHECK(clusters_at(z, 1, 1).size() == n);
        auto const tree = condense(z, 2);
        CHECK(tree.points == n);
        CHECK(tree.rows() == 0);
    }
    Forest const two{2, {0, 1}, {0}};
    CHECK(condense(two.linkage(), 2).lambda == PageVector<double>(2, lambda_of(0)));
    std::size_t const n = 1000000;
    for (bool const chain : {false, true}) {
        Forest f{n, {}, {}};
        for (std::size_t i = 1; i < n; ++i) {
            f.edges.insert(f.edges.end(), {index_t(i - 1), index_t(i)});
            f.lengths.push_back(chain ? double(i) : 0);
        }
        auto const tree = condense(f.linkage(), 5);
        CHECK(tree.rows() == n);
        CHECK(tree.clusters.size() == 1);
    }
}

TEST_CASE("hierarchy: what is no tree is refused") {
    auto const refused = [](Forest const& f) { CHECK_THROWS_AS(f.linkage(), InputError); };
    refused({3, {0, 1}, {1}});
    refused({3, {0, 1, 1, 2}, {1}});
    refused({0, {0, 1}, {1}});
    refused({3, {0, 1, 1, 3}, {1, 2}});
    refused({3, {0, 1, -1, 2}, {1, 2}});
    refused({3, {0, 1, 1, 2}, {2, 1}});
    refused({3, {0, 1, 1, 2}, {-1, 1}});
    refused({3, {0, 1, 1, 2}, {1, std::nan("")}});
    refused({4, {0, 1, 0, 1, 2, 3}, {1, 2, 3}});
    refused({4, {0, 1, 0, 1, 2, 3}, {1, 1, 1}});
    refused({4, {0, 0, 0, 1, 2, 3}, {1, 2, 3}});
    Forest const good{3, {0, 1, 1, 2}, {1, 2}};
    for (std::size_t const m : {0, 1}) CHECK_THROWS_AS(condense(good.linkage(), m), InputError);
    CHECK_THROWS_AS(clusters_at(good.linkage(), 1, 0), InputError);
    CHECK_THROWS_AS(clusters_at(good.linkage(), std::nan(""), 1), InputError);
}
