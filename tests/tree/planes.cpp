// Gap levels, node counts, planes and regularisation against their definitions.
#include "zwalk/tree/planes.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "support/sanitized.hpp"
#include "tree/oracle.hpp"
#include "zorder/morton.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/tree/cell.hpp"
#include "zwalk/tree/detail/geometry.hpp"
#include "zwalk/tree/detail/regularise.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

template <class T>
std::vector<level_t> levels_of(Cpu const& cpu, Cloud<T> const& sorted) {
    std::size_t const stride = column_stride(sorted.size());
    std::vector<pos_t> order(sorted.size());
    std::iota(order.begin(), order.end(), 0U);
    Buffer<T> x(stride * sorted.dim);
    gather_columns(cpu, sorted.points(), std::span<pos_t const>(order), x.data(), stride,
                   int(sorted.dim));
    auto const levels = gap_levels(cpu, x.data(), stride, pos_t(sorted.size()), int(sorted.dim));
    return {levels.begin(), levels.end()};
}

template <class T>
TypeCounts counts_of(Oracle<T> const& oracle) {
    TypeCounts counts{pos_t(oracle.cloud.size()), {}};
    for (int t = 0; oracle.types > 1 && t < oracle.types; ++t) {
        auto& before = counts.before.emplace_back(1, 0U);
        for (int type : oracle.type) before.push_back(before.back() + pos_t(type == t));
    }
    return counts;
}

/// Eq. 10 with every point written out: mean over the smallest `fraction` of the points.
level_t eq10(std::vector<pos_t> const& gaps, std::vector<level_t> const& level, double ratio,
             double fraction) {
    std::vector<level_t> points;  // level of the node around each point
    for (std::size_t k = 0; k + 1 < gaps.size(); ++k) {
        level_t l = single_point_level;
        for (pos_t i = gaps[k] + 1; i < gaps[k + 1]; ++i) l = std::max(l, level[i]);
        points.insert(points.end(), gaps[k + 1] - gaps[k], l);
    }
    std::sort(points.begin(), points.end());
    double const wanted = fraction * double(points.size());
    long double sum = 0, weight = 0;
    for (level_t l : points) {
        double const w = std::min(1., wanted - double(weight));
        if (w <= 0) break;
        weight += w;
        if (l > equal_points_level / 2) sum += w * std::exp2((long double)l);
    }
    return sum > 0 ? level_t(std::floor(std::log2(ratio * sum / weight))) : outer_level;
}

}  // namespace

TEST_CASE("extent levels (eq. 6) sum to the level") {
    for (int dim : {1, 2, 3, 7, 64})
        for (int level = -300; level <= 300; ++level) {
            int sum = 0, least = 1000, most = -1000;
            for (int j = 0; j < dim; ++j) {
                int const l = extent_level(level, j, dim);
                sum += l;
                least = std::min(least, l);
                most = std::max(most, l);
            }
            REQUIRE(sum == level);
            REQUIRE(most - least <= 1);
        }
    // (1, 1) and (1, 1.5) share a cell of 1/2 x 1: they differ first in bit -1 of axis 1.
    Vec<2, float> const p{{1, 1}}, q{{1, 1.5F}};
    CHECK(extent_level(z_level(p, q), 0, 2) == -1);
    CHECK(extent_level(z_level(p, q), 1, 2) == 0);
}

TEST_CASE_TEMPLATE("levels, leaf gaps and counts of all gaps", T, float, double) {
    std::mt19937_64 g(test_seed());
    for (std::size_t dim : {1U, 2U, 3U}) {
        for (std::size_t n : {1U, 2U, 3U, 48U, 49U, 72U, 1500U}) {
            for (auto const& cloud : all_clouds<T>(g, n, dim)) {
                CAPTURE(cloud.name);
                CAPTURE(n);
                CAPTURE(dim);
                std::vector<int> types(n);
                for (int& t : types) t = int(g() % 3);
                bool const several = g() % 2;
                Oracle<T> const oracle(cloud, several ? types : std::vector<int>());
                TypeCounts const counts = counts_of(oracle);
                auto const levels = levels_of(Cpu(1), oracle.cloud);
                REQUIRE(levels == oracle.level);
                for (pos_t n_max : {1U, 2U, 7U, 47U, 48U, 2000U}) {
                    auto const gaps = leaf_gaps(Cpu(1), levels, counts, n_max);
                    REQUIRE(gaps == oracle.kept(n_max));
                    std::vector<level_t> gap_level;
                    for (pos_t i : gaps) gap_level.push_back(levels[i]);
                    auto const count = node_counts(gaps, gap_level, counts);
                    for (std::size_t k = 0; k < gaps.size(); ++k) REQUIRE(count[k] == oracle.n[gaps[k]]);
                }
            }
        }
    }
}

TEST_CASE("leaf gaps across chunks and threads") {
    std::mt19937_64 g(test_seed());
    for (std::size_t copies : {1U, 3U, 70U, 100'000U}) {
        auto const cloud = sites_cloud<float>(g, 300'000, 2, copies);
        std::vector<int> types(cloud.size());
        for (int& t : types) t = int(g() % 2);
        for (bool several : {true, false}) {
            Oracle<float> const oracle(cloud, several ? types : std::vector<int>());
            TypeCounts const counts = counts_of(oracle);
            for (int threads : {1, 2, 5}) {
                Cpu const cpu(threads);
                auto const levels = levels_of(cpu, oracle.cloud);
                CHECK(levels == oracle.level);
                for (pos_t n_max : {1U, 48U, 512U, 513U, 5000U})
                    CHECK(leaf_gaps(cpu, levels, counts, n_max) == oracle.kept(n_max));
            }
        }
    }
}

/// The gaps whose nearest higher ones, or equal ones to the left, are more than n_max apart.
std::vector<pos_t> far_from_higher(std::vector<level_t> const& level, pos_t n_max) {
    std::vector<pos_t> gaps{0};
    std::size_t const n = level.size() - 1;
    for (std::size_t i = 1; i < n; ++i) {
        std::size_t left = i - 1, right = i + 1;
        while (level[left] < level[i]) --left;
        while (level[right] <= level[i]) ++right;
        if (right - left > n_max) gaps.push_back(pos_t(i));
    }
    if (n > 0) gaps.push_back(pos_t(n));
    return gaps;
}

TEST_CASE("leaf gaps of any levels, equal ones too, about as many as a block of windows has") {
    std::mt19937_64 g(test_seed());
    for (int round = 0; round < int(::test::fewer(300, 4)); ++round) {
        std::size_t const n = g() % (round % 2 ? 60 : 3000);
        auto const largest = level_t(round % 3 ? 4 : 130'000);
        std::vector<level_t> level(n + 1);
        for (level_t& l : level) l = level_t(g() % std::uint64_t(2 * largest)) - largest;
        level.front() = level.back() = outer_level;
        for (pos_t n_max : {1U, 2U, 3U, 48U, 511U, 512U, pos_t(1 + g() % 600)}) {
            CAPTURE(n);
            CAPTURE(n_max);
            REQUIRE(leaf_gaps(Cpu(1), level, TypeCounts{pos_t(n), {}}, n_max) ==
                    far_from_higher(level, n_max));
        }
    }
}

TEST_CASE("a node that reaches far to one side of a chunk's end only") {
    // 65 636 copies: the gap at 65 536 has 65 536 points to its left and 100 to its right.
    std::mt19937_64 g(test_seed());
    auto const cloud = make_cloud<float>(
        "copies", 150'000, 1, [&](auto i, auto) { return i < 65'636 ? -1 : double(g() % 100'000); });
    std::vector<int> types(cloud.size());
    for (std::size_t i = 0; i < types.size(); ++i) types[i] = int(i % 2);
    Oracle<float> const oracle(cloud, types);
    auto const kept = oracle.kept(5000);
    REQUIRE(std::binary_search(kept.begin(), kept.end(), 65'536U));
    CHECK(leaf_gaps(Cpu(1), oracle.level, counts_of(oracle), 5000) == kept);
}

TEST_CASE_TEMPLATE("planes by the definition, with and without regularisation", T, float, double) {
    std::mt19937_64 g(test_seed());
    for (auto const& cloud : all_clouds<T>(g, 3000, 2)) {
        Oracle<T> const oracle(cloud);
        for (double ratio : {0., 1., 50.}) {
            CAPTURE(cloud.name);
            CAPTURE(ratio);
            TreeOptions const options{
                .leaf_size = 6, .coarsening = 3, .top_nodes = 4, .volume_ratio = ratio};
            auto const planes = cut_planes(Cpu(2), oracle.level, counts_of(oracle), options);
            std::uint64_t n_max = 6;
            for (std::size_t p = 0; p < planes.size(); ++p, n_max *= 3) {
                auto const* const finer = p ? &planes[p - 1].first : nullptr;
                auto const plain = oracle.kept(n_max);
                auto expected = plain;
                if (ratio > 0 && plain.size() - 1 > 8 * options.top_nodes) {
                    level_t lvl_max = eq10(plain, oracle.level, ratio, .9);
                    std::size_t const most =
                        std::max<std::size_t>(plain.size() - 1, 4 * oracle.cloud.size() / n_max + 16);
                    expected = oracle.kept(n_max, lvl_max, finer);
                    while (expected.size() - 1 > most)  // the guard
                        expected = oracle.kept(n_max, ++lvl_max, finer);
                }
                REQUIRE(planes[p].first == expected);
                REQUIRE((planes[p].nodes() <= options.top_nodes) == (p + 1 == planes.size()));
                for (std::size_t i = 0; p > 0 && i <= planes[p].nodes(); ++i)
                    REQUIRE(planes[p].first[i] == planes[p - 1].first[planes[p].child[i]]);
            }
        }
    }
}

TEST_CASE("regularisation bounds the nodes of a normal distribution") {
    std::mt19937_64 g(test_seed());
    Oracle<double> const oracle(normal_cloud<double>(g, 200'000, 3));
    auto const plain = oracle.kept(48);
    level_t const lvl_max = eq10(plain, oracle.level, 50, .9);
    auto const planes = cut_planes(Cpu(1), oracle.level, counts_of(oracle), {});
    auto largest = [](CutPlane const& p) { return *std::max_element(p.level.begin(), p.level.end()); };
    CHECK(largest(planes[0]) <= lvl_max);
    CHECK(planes[0].nodes() > plain.size() - 1);            // it did something,
    CHECK(planes[0].nodes() < 1.3 * double(plain.size()));  // and not much
    auto const without = cut_planes(Cpu(1), oracle.level, counts_of(oracle), {.volume_ratio = 0});
    CHECK(without[0].first == plain);
    CHECK(largest(without[0]) > lvl_max);
}

TEST_CASE("the mean volume of eq. 10") {
    using Nodes = std::vector<NodeVolume>;
    CHECK(largest_node_level({{10, 5}, {10, 5}}, 64, .9) == 16);
    CHECK(largest_node_level({{10, 90}, {500, 10}}, 64, .9) == 16);  // the large node is left out
    CHECK(largest_node_level({{69'999, 50}, {70'000, 50}}, 1, 1) == 69'999 + 0);
    CHECK(largest_node_level({{-70'000, 100}, {70'000, 1}}, 4, .5) == -69'998);
    CHECK(largest_node_level({{single_point_level, 1}, {4, 1}}, 8, 1) ==
          6);                                                        // a volume of 0 and one of 16
    CHECK(largest_node_level({{10, 80}, {14, 20}}, 1.2, .9) == 11);  // 10 of 20 points count
    CHECK(!largest_node_level({{single_point_level, 1}, {equal_points_level + 5, 64}}, 50, .9));
    CHECK(!largest_node_level({{3, 1}}, 0, .9));
    CHECK(!largest_node_level(Nodes{}, 50, .9));
    CHECK(affordable_level({5, 9, 7}, 4, 3) == 4);
    CHECK(affordable_level({5, 9, 7}, 4, 2) == 5);
    CHECK(affordable_level({9, 9, 7}, 4, 1) == 9);
}

TEST_CASE("planes grow by 8 unless something else is asked for") {
    std::mt19937_64 g(test_seed());
    Oracle<float> const oracle(all_clouds<float>(g, 3000, 2).front());
    auto const cut = [&](pos_t coarsening) {
        auto const planes = cut_planes(Cpu(2), oracle.level, counts_of(oracle),
                                       {.leaf_size = 6, .coarsening = coarsening, .top_nodes = 4});
        std::vector<std::vector<pos_t>> first;
        for (auto const& plane : planes) first.push_back(plane.first);
        return first;
    };
    CHECK(cut(0) == cut(8));
    CHECK(cut(0) != cut(2));
}

TEST_CASE("options that make no sense are refused") {
    CHECK_THROWS_AS(check_options({.coarsening = 1}), InputError);
    CHECK_THROWS_AS(check_options({.top_nodes = 0}), InputError);
    CHECK_THROWS_AS(check_options({.volume_ratio = std::nan("")}), InputError);
    CHECK_THROWS_AS(check_options({.volume_fraction = 0}), InputError);
    CHECK_NOTHROW(check_options({}));
}
