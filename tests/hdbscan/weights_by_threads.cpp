// Hierarchies of points with weights, made by several threads: what one thread makes, one step after another.
#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "hdbscan/weighted_forest.hpp"
#include "level_walk.hpp"
#include "strips.hpp"
#include "weighted.hpp"

using namespace test;

namespace {

/// The order of merges of equal distance, one after another: what each made before is one part, the heaviest first.
std::vector<Merge> ordered_one_by_one(Linkage const& linkage, Weights const& w) {
    std::size_t const n = linkage.points;
    std::vector<Merge> merges(linkage.merges.begin(), linkage.merges.end());
    std::vector<double> whole(w.weight), size(n, 1);
    for (auto const& m : merges) {
        whole.push_back(whole[std::size_t(m.left)] + whole[std::size_t(m.right)]);
        size.push_back(m.size);
    }
    for (std::size_t begin = 0, end; begin < merges.size(); begin = end) {
        double const distance = merges[begin].distance;
        std::vector<std::pair<double, std::size_t>> parts;
        auto const add = [&](double id) {
            auto const i = std::size_t(id);
            bool const one = i < n && w.core[i] >= distance;
            parts.emplace_back(-(one ? std::min(1., whole[i]) : whole[i]), i);
        };
        add(merges[begin].left), add(merges[begin].right);
        for (end = begin + 1; end < merges.size() && merges[end].distance == distance; ++end) {
            auto const before = double(n + end - 1);
            if (merges[end].left != before && merges[end].right != before) break;
            add(merges[end].left == before ? merges[end].right : merges[end].left);
        }
        if (end - begin == 1) continue;
        std::sort(parts.begin(), parts.end());
        for (std::size_t row = begin, made = parts[0].second; row < end; made = n + row++) {
            std::size_t const with = parts[row - begin + 1].second;
            size[n + row] = size[made] + size[with];
            merges[row] = {double(std::min(made, with)), double(std::max(made, with)), distance,
                           size[n + row]};
        }
    }
    return merges;
}

/// The bits of condensed trees.
bool same(CondensedTree const& a, CondensedTree const& b) {
    return a.points == b.points && a.parent == b.parent && a.child == b.child && a.lambda == b.lambda &&
           a.child_size == b.child_size && a.child_weight == b.child_weight &&
           std::ranges::equal(a.clusters, b.clusters, [](auto const& x, auto const& y) {
               return x.parent == y.parent && x.size == y.size && x.birth == y.birth &&
                      x.death == y.death && x.stability == y.stability && x.leaf == y.leaf;
           });
}

CondensedTree level_by_level(Linkage const& linkage, std::size_t least) {
    CondensedTree tree;
    tree.points = linkage.points;
    tree.min_cluster_size = least;
    detail::LevelWalk<detail::PartWeights>(linkage, tree).run();
    return tree;
}

}  // namespace

TEST_CASE(
    "weights: merges of equal distance have their order, however many threads, and wherever they lie") {
    for (std::size_t const n : {3U, 4097U, 30000U})
        for (std::size_t const levels : {0U, 1U, 3U, 500U}) {  // 1: all rows are one event
            CAPTURE(n);
            CAPTURE(levels);
            auto const w = weighted_forest(n, levels, false, n + levels, false);
            auto const expected = ordered_one_by_one(w.forest.linkage(), w.weights);
            for (int const threads : {1, 3}) {
                auto const found =
                    with_weights(w.forest.linkage(), w.weights.weight, w.weights.core, Cpu(threads));
                CHECK(std::ranges::equal(found.merges, expected, [](Merge const& a, Merge const& b) {
                    return a.left == b.left && a.right == b.right && a.distance == b.distance &&
                           a.size == b.size;
                }));
            }
        }
}

TEST_CASE(
    "weights: chains make the condensed tree of the levels, where no point is as heavy as a cluster") {
    for (std::size_t const n : {2U, 3U, 40U, 700U, 5000U})
        for (std::size_t const levels : {0U, 1U, 3U, 500U})
            for (bool const integer : {false, true}) {
                CAPTURE(n);
                CAPTURE(levels);
                CAPTURE(integer);
                auto const linkage =
                    weighted_forest(n, levels, n % 2 == 0, n + levels, integer).linkage();
                for (std::size_t const least : {10U, 11U, 30U, 500U}) {
                    CAPTURE(least);
                    auto const expected = level_by_level(linkage, least);
                    for (int const threads : {1, 3})
                        CHECK(same(detail::condense_by_chains(linkage, least, Cpu(threads)), expected));
                }
            }
}

TEST_CASE("weights: condensed trees of many points, also where some points are clusters") {
    for (std::size_t const levels : {0U, 500U}) {
        auto const linkage = weighted_forest(40000, levels, false, levels, false).linkage();
        for (std::size_t const least : {2U, 4U, 20U}) {
            CAPTURE(levels);
            CAPTURE(least);
            auto const expected = level_by_level(linkage, least);
            CHECK(expected.clusters.size() > 10);
            CHECK(same(condense(linkage, least, Cpu(3)), expected));
            CHECK(same(condense(linkage, least, Cpu(1)), expected));
        }
    }
}
