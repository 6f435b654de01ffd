// What the programs of this folder share: points, and what knn(), fof() and emst() make of them.
#pragma once
#include <array>
#include <cstdio>
#include <random>
#include <vector>

#include "mission/mission.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/knn/knn.hpp"

namespace zwalk::examples {

using Position = std::array<float, 3>;
inline constexpr float linking_length = .02f;
inline constexpr int neighbours = 5;

/// Clumps of points on a uniform background, in a box that repeats.
inline std::vector<Position> clumps(std::size_t n) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(0, 1);
    std::normal_distribution<float> near(0, .02f);
    std::vector<Position> points(n), centres(12);
    for (auto& c : centres) c = {uniform(random), uniform(random), uniform(random)};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            float const x = i % 3 ? centres[i % 12][j] + near(random) : uniform(random);
            points[i][j] = x - std::floor(x);
        }
    return points;
}

/// Of the points first, first + 1, ...: how much differs from what the library's own algorithms find among all.
template <class P, class All>
int differences(PointTree<3, float, P> const& tree, std::vector<Position> const& points,
                std::size_t first, All const& all_of) {
    int wrong = 0;
    auto const near = nearest_neighbours<neighbours>(tree);
    auto const expected = knn(points, {.k = neighbours, .box = {1}}, Cpu(1));
    for (std::size_t i = 0; i < near.rows[0].size(); ++i)
        for (std::size_t j = 0; j < neighbours; ++j) {
            std::size_t const at = (first + i) * neighbours + j;
            wrong += near.rows[j][i] != expected.indices[at];
            wrong += near.distances[j][i] != expected.distances[at];
        }

    auto const group = friends_of_friends(tree, linking_length);
    auto const groups = fof(points, {.linking_length = linking_length, .box = {1}}, Cpu(1));
    for (std::size_t i = 0; i < group.size(); ++i) wrong += group[i] != groups.labels[first + i];

    auto const compare_trees = [&](auto const& edges, int min_samples) {
        auto const lengths = emst(points, {.min_samples = min_samples, .box = {1}}, Cpu(1)).lengths;
        wrong += edges.size() != lengths.size();
        for (std::size_t i = 0; i < edges.size(); ++i)
            wrong += std::sqrt(edges[i].length2) != lengths[i];
    };
    compare_trees(spanning_tree<1>(tree, all_of, first), 1);
    compare_trees(spanning_tree<neighbours>(tree, all_of, first), neighbours);
    return wrong;
}

}  // namespace zwalk::examples
