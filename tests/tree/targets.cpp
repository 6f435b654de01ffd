// Hierarchies cut to fit that of the sources: ranks, nesting, and nodes as small as there.
#include "zwalk/tree/targets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/everywhere.hpp"
#include "zwalk/tree/planes.hpp"
#include "zwalk/zorder/compare.hpp"

using namespace test;

namespace {

template <class T>
SortedColumns<T> columns(Tree<T, Cpu> const& tree) {
    return {tree.x.data(), tree.stride, tree.size()};
}

/// Sources inside the smallest interval of the z-order around points [begin, end).
pos_t spanned(std::vector<pos_t> const& rank, pos_t begin, pos_t end) {
    return rank[end - 1] - rank[begin];
}

}  // namespace

TEST_CASE("targets: ranks are those of the comparator") {
    Cpu const cpu(2);
    for (auto const& kind : kinds())
        for (std::size_t n : {0, 1, 7, 500}) {
            CAPTURE(kind);
            CAPTURE(n);
            auto const few = build_tree(cpu, view<3>(make_points<3, double>(kind, n, 1)), 3);
            auto const many = build_tree(cpu, view<3>(make_points<3, double>(kind, 900, 2)), 3);
            auto const check = [&](auto const& a, auto const& b) {
                auto const rank = z_ranks(cpu, columns(a), columns(b), 3);
                REQUIRE(rank.size() == a.size());
                for (pos_t i = 0; i < a.size(); ++i) {
                    pos_t expected = 0;
                    while (expected < b.size() && z_less(b.template points<3>().point(expected),
                                                         a.template points<3>().point(i)))
                        ++expected;
                    REQUIRE(rank[i] == expected);
                }
            };
            check(few, many);
            check(many, few);
            check(few, few);
        }
}

TEST_CASE("targets: cuts are those of two types, one of which is all targets") {
    Cpu const cpu(2);
    for (TreeOptions const& options :
         {TreeOptions{}, TreeOptions{.leaf_size = 5, .coarsening = 3, .top_nodes = 4}})
        for (auto const& kind : kinds())
            for (std::size_t n : {1, 2, 60, 3000}) {
                CAPTURE(kind);
                CAPTURE(n);
                auto const sources =
                    build_tree(cpu, view<3>(make_points<3, float>("clustered", 5000, 1)), 3, options);
                auto const tree =
                    build_targets(cpu, view<3>(make_points<3, float>(kind, n, 2)), sources, options);
                TypeCounts counts{pos_t(n), {PageVector<pos_t>(n + 1), {}}};
                std::iota(counts.before[0].begin(), counts.before[0].end(), pos_t(0));
                auto const ranks = z_ranks(cpu, columns(tree), columns(sources), 3);
                counts.before[1].assign(ranks.begin(), ranks.end());
                counts.before[1].push_back(sources.size());
                auto const levels = gap_levels(cpu, tree.x.data(), tree.stride, pos_t(n), 3);
                auto const planes = cut_planes(cpu, levels, counts, options);
                REQUIRE(tree.planes.size() >= planes.size());
                for (std::size_t p = 0; p < planes.size(); ++p) {
                    CHECK(std::ranges::equal(tree.planes[p].first, planes[p].first));
                    CHECK(std::ranges::equal(tree.planes[p].child, planes[p].child));
                }
            }
}

TEST_CASE("targets: planes are nested, hold every point, and are as many as the sources have") {
    Cpu const cpu(2);
    TreeOptions const options{.leaf_size = 5, .coarsening = 3, .top_nodes = 4};
    auto const sources =
        build_tree(cpu, view<3>(make_points<3, float>("clustered", 5000, 1)), 3, options);
    for (auto const& kind : kinds())
        for (std::size_t n : {0, 1, 2, 60, 3000}) {
            CAPTURE(kind);
            CAPTURE(n);
            auto const rows = make_points<3, float>(kind, n, 2);
            auto const tree = build_targets(cpu, view<3>(rows), sources, options);
            auto const alone = build_tree(cpu, view<3>(rows), 3, options);
            REQUIRE(tree.input == alone.input);
            if (n == 0) {
                CHECK(tree.planes.empty());
                continue;
            }
            REQUIRE(tree.planes.size() >= sources.planes.size());
            for (std::size_t p = 0; p < tree.planes.size(); ++p) {
                auto const& plane = tree.planes[p];
                CHECK(plane.first.front() == 0);
                CHECK(plane.first.back() == n);
                CHECK(std::is_sorted(plane.first.begin(), plane.first.end()));
                if (p == 0) continue;
                REQUIRE(plane.child.size() == plane.first.size());
                CHECK(plane.child.back() == tree.planes[p - 1].nodes());
                for (pos_t i = 0; i <= plane.nodes(); ++i)
                    REQUIRE(plane.first[i] == tree.planes[p - 1].first[plane.child[i]]);
            }
        }
}

TEST_CASE("targets: few points among dense sources make small nodes") {
    Cpu const cpu(2);
    auto const sources = build_tree(cpu, view<3>(make_points<3, float>("uniform", 100000, 1)), 3);
    auto const tree = build_targets(cpu, view<3>(make_points<3, float>("uniform", 5000, 2)), sources);
    auto const rank = z_ranks(cpu, columns(tree), columns(sources), 3);
    TreeOptions const defaults{.leaf_size = 48};
    std::uint64_t n_max = defaults.leaf_size;
    for (auto const& plane : tree.planes) {
        CAPTURE(n_max);
        for (pos_t i = 0; i < plane.nodes(); ++i)
            CHECK(spanned(rank, plane.first[i], plane.first[i + 1]) <= n_max);
        n_max *= coarsening_of(defaults);
    }
}
