// Whole hierarchies: points, nesting, boxes; joint trees of several types; sizes of planes.
#include "zwalk/tree/joint.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tree/oracle.hpp"
#include "zorder/morton.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/tree/planes.hpp"
#include "zwalk/zorder/compare.hpp"
#include "zwalk/zorder/sort.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// Points are a permutation of the input, in z-order, equal ones in input order; columns padded.
template <int D, class T>
void check_points_of(Tree<T, Cpu> const& tree, Cloud<T> const& cloud) {
    REQUIRE(tree.size() == cloud.size());
    REQUIRE(tree.stride >= cloud.size() + column_padding);
    std::vector<bool> seen(cloud.size());
    for (pos_t i = 0; i < tree.size(); ++i) {
        REQUIRE(!seen[tree.input[i]]);
        seen[tree.input[i]] = true;
        auto const p = tree.template points<D>().point(i);
        for (std::size_t j = 0; j < D; ++j) {
            REQUIRE(p[int(j)] == (j < cloud.dim ? cloud.row(tree.input[i])[j] : T(0)));
            REQUIRE(!(p[int(j)] == 0 && std::signbit(p[int(j)])));
        }
        if (i == 0) continue;
        auto const before = tree.template points<D>().point(i - 1);
        REQUIRE((z_less(before, p) || (before == p && tree.input[i - 1] < tree.input[i])));
    }
    for (std::size_t j = 0; j < D; ++j)
        for (std::size_t i = tree.size(); i < tree.stride; ++i)
            REQUIRE(tree.x[j * tree.stride + i] == 0);
}

/// Planes are nested partitions without empty nodes; boxes are tight, and padded.
template <int D, class T>
void check_planes_of(Tree<T, Cpu> const& tree) {
    for (std::size_t p = 0; p < tree.planes.size(); ++p) {
        auto const view = tree.template plane<D>(p);
        REQUIRE(view.nodes >= 1);
        REQUIRE(view.first[0] == 0);
        REQUIRE(view.first[view.nodes] == tree.size());
        REQUIRE((view.child == nullptr) == (p == 0));
        if (p > 0) REQUIRE(view.child[view.nodes] == tree.planes[p - 1].nodes());
        REQUIRE(view.stride >= view.nodes + column_padding);
        for (pos_t i = 0; i < view.nodes; ++i) {
            REQUIRE(view.first[i] < view.first[i + 1]);
            if (p > 0) REQUIRE(view.first[i] == tree.planes[p - 1].first[view.child[i]]);
            for (int j = 0; j < D; ++j) {
                T lo = tree.template points<D>().at(j, view.first[i]), hi = lo;
                for (pos_t k = view.first[i]; k < view.first[i + 1]; ++k) {
                    lo = std::min(lo, tree.template points<D>().at(j, k));
                    hi = std::max(hi, tree.template points<D>().at(j, k));
                }
                REQUIRE((view.box_lo(j, i) == lo && view.box_hi(j, i) == hi));
            }
        }
        for (std::size_t j = 0; j < D; ++j)
            for (std::size_t i = view.nodes; i < view.stride; ++i)
                REQUIRE((view.lo[j * view.stride + i] == 0 && view.hi[j * view.stride + i] == 0));
    }
}

template <class T>
bool same(Tree<T, Cpu> const& a, Tree<T, Cpu> const& b) {
    auto equal = [](Buffer<T> const& u, Buffer<T> const& v) {
        return std::equal(u.begin(), u.end(), v.begin(), v.end());
    };
    bool all = equal(a.x, b.x) && a.input == b.input && a.planes.size() == b.planes.size();
    for (std::size_t p = 0; all && p < a.planes.size(); ++p)
        all = a.planes[p].first == b.planes[p].first && a.planes[p].child == b.planes[p].child &&
              equal(a.planes[p].lo, b.planes[p].lo) && equal(a.planes[p].hi, b.planes[p].hi);
    return all;
}

}  // namespace

TEST_CASE_TEMPLATE("one type: hierarchies of all sizes", T, float, double) {
    std::mt19937_64 g(test_seed());
    for (std::size_t n : {0U, 1U, 2U, 3U, 10U, 47U, 48U, 49U, 71U, 72U, 73U, 100U, 20'000U}) {
        for (auto const& cloud : all_clouds<T>(g, std::max<std::size_t>(n, 1), 3)) {
            CAPTURE(cloud.name);
            CAPTURE(n);
            Points<T> const points(cloud.x.data(), n, 3);
            auto const tree = build_tree(Cpu(1), points, 3);
            REQUIRE(tree.size() == n);
            REQUIRE(tree.planes.empty() == (n == 0));
            if (n == 0) continue;
            check_points_of<3>(tree, cloud);
            check_planes_of<3>(tree);
            if (n <= 48) REQUIRE(tree.planes.size() == 1);
            if (n < 48) continue;
            REQUIRE(same(tree, build_tree(Cpu(2), points, 3)));
            REQUIRE(same(tree, build_tree(Cpu(5), points, 3)));
        }
    }
}

TEST_CASE("missing columns are zero and do not change the tree") {
    std::mt19937_64 g(test_seed());
    for (auto const& cloud : all_clouds<double>(g, 20'000, 2)) {
        CAPTURE(cloud.name);
        auto const flat = build_tree(Cpu(2), cloud.points(), 2);
        auto const padded = build_tree(Cpu(2), cloud.points(), 4);
        check_points_of<4>(padded, cloud);
        check_planes_of<4>(padded);
        REQUIRE(flat.input == padded.input);
        REQUIRE(flat.planes.size() == padded.planes.size());
        for (std::size_t p = 0; p < flat.planes.size(); ++p)
            REQUIRE(flat.planes[p].first == padded.planes[p].first);
    }
}

TEST_CASE_TEMPLATE("joint trees of several types", T, float, double) {
    std::mt19937_64 g(test_seed());
    TreeOptions const options{.leaf_size = 8, .coarsening = 3, .top_nodes = 5, .volume_ratio = 0};
    for (auto const& a : all_clouds<T>(g, 900, 2)) {
        std::vector<Cloud<T>> const clouds{a, Cloud<T>{"none", 2, {}}, normal_cloud<T>(g, 300, 2),
                                           sites_cloud<T>(g, 400, 1, 30)};
        CAPTURE(a.name);
        std::vector<Points<T>> types;
        Cloud<T> all{"all", 2, {}};
        std::vector<int> type;
        for (auto const& cloud : clouds) {
            types.push_back(cloud.points());
            for (std::size_t i = 0; i < cloud.size(); ++i) {
                type.push_back(int(types.size()) - 1);
                for (std::size_t j = 0; j < 2; ++j)
                    all.x.push_back(j < cloud.dim ? cloud.row(i)[j] : T(0));
            }
        }
        Oracle<T> const oracle(all, type);
        auto const trees = build_joint<T>(Cpu(2), types, 2, options);
        REQUIRE(trees.size() == 4);
        REQUIRE(trees[1].planes.empty());
        for (std::size_t t : {0U, 2U, 3U}) {
            check_points_of<2>(trees[t], clouds[t]);
            check_planes_of<2>(trees[t]);
            REQUIRE(trees[t].planes.size() == trees[0].planes.size());
            std::uint64_t n_max = 8;
            for (auto const& plane : trees[t].planes) {
                std::vector<pos_t> first;  // the joint cuts at this type's positions
                for (pos_t i : oracle.kept(n_max)) {
                    auto const own =
                        pos_t(std::count(oracle.type.begin(), oracle.type.begin() + i, int(t)));
                    if (first.empty() || first.back() != own) first.push_back(own);
                }
                REQUIRE(std::ranges::equal(plane.first, first));
                n_max *= 3;
            }
        }
    }
}

TEST_CASE("joint trees: rows of types that several threads separate are in the joint order") {
    std::mt19937_64 g(test_seed());
    std::vector<Cloud<float>> const clouds{normal_cloud<float>(g, 30000, 3),
                                           uniform_cloud<float>(g, 9000, 3),
                                           sites_cloud<float>(g, 20000, 3, 100)};
    std::vector<Points<float>> types;
    Cloud<float> all{"all", 3, {}};
    for (auto const& cloud : clouds) {
        types.push_back(cloud.points());
        all.x.insert(all.x.end(), cloud.x.begin(), cloud.x.end());
    }
    auto const order = z_sort(Cpu(1), all.points());
    auto const trees = build_joint<float>(Cpu(3), types, 3);
    pos_t begin = 0;
    for (std::size_t t = 0; t < types.size(); ++t) {
        std::vector<pos_t> expected;
        for (pos_t const row : order)
            if (row >= begin && row - begin < types[t].size) expected.push_back(row - begin);
        CHECK(std::ranges::equal(trees[t].input, expected));
        begin += pos_t(types[t].size);
        check_planes_of<3>(trees[t]);
    }
}

TEST_CASE("joint trees: one type, no points, wrong shapes") {
    std::mt19937_64 g(test_seed());
    auto const cloud = uniform_cloud<float>(g, 5000, 3);
    Points<float> const none(nullptr, 0, 3);
    std::vector<Points<float>> const types{cloud.points(), none};
    auto const trees = build_joint<float>(Cpu(2), types, 3);
    CHECK(same(trees[0], build_tree(Cpu(1), cloud.points(), 3)));
    CHECK(trees[1].planes.empty());
    CHECK(build_joint<float>(Cpu(1), std::vector<Points<float>>{none, none}, 3).size() == 2);
    CHECK(build_joint<float>(Cpu(1), std::vector<Points<float>>{}, 3).empty());
    CHECK_THROWS_AS((build_tree(Cpu(1), cloud.points(), 2)), InputError);
}

TEST_CASE_TEMPLATE("planes stay small for every distribution", T, float, double) {
    std::mt19937_64 g(test_seed());
    std::size_t const n = 200'000;
    for (std::size_t dim : {1U, 3U}) {
        for (auto const& cloud : all_clouds<T>(g, n, dim)) {
            CAPTURE(cloud.name);
            CAPTURE(dim);
            TreeOptions const options{.leaf_size = 48};
            auto const tree = build_tree(Cpu(2), cloud.points(), 3, options);
            CHECK(tree.planes.back().nodes() <= options.top_nodes);
            double n_max = options.leaf_size;
            for (auto const& plane : tree.planes) {
                CHECK(plane.nodes() <= 4 * double(n) / n_max + 200);
                n_max *= coarsening_of(options);
            }
        }
    }
}

TEST_CASE("25 000 sites x 40: a site is never cut, and makes one leaf") {
    std::mt19937_64 g(test_seed());
    auto const cloud = sites_cloud<float>(g, 1'000'000, 3, 40);
    BuildSeconds seconds;
    auto const tree = build_tree(Cpu(2), cloud.points(), 3, {}, &seconds);
    CHECK(tree.planes[0].nodes() <= 25'001);
    CHECK(seconds.sort > 0);
    CHECK(seconds.planes > 0);
    CHECK(seconds.geometry > 0);
}
