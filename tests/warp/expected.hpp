// What the library finds on the CPU, for tests that are compiled with cuda_shim.hpp: those can't call it by its
// own name.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/points.hpp"

namespace test {

template <class T>
struct ExpectedNeighbours {
    std::size_t rows, columns;
    std::vector<std::int64_t> indices;
    std::vector<T> distances;
    std::vector<std::uint32_t> row_order, source_order;
};
/// @param queries  null: of the points themselves
template <int D, class T>
ExpectedNeighbours<T> expected_neighbours(Rows<D, T> const& rows, Rows<D, T> const* queries,
                                          std::int64_t k, bool exclude_self,
                                          std::vector<double> const& box);

template <class T>
struct ExpectedBalls {
    std::vector<std::int64_t> counts;
    std::vector<std::uint64_t> offsets;
    std::vector<std::int64_t> indices;
    std::vector<T> distances;
};
template <int D, class T>
ExpectedBalls<T> expected_balls(Rows<D, T> const& rows, double radius, bool exclude_self,
                                std::vector<double> const& box);

struct ExpectedGroups {
    std::vector<std::int64_t> labels;
    std::vector<std::uint32_t> root, z_order;
    std::size_t groups;
};
template <int D, class T>
ExpectedGroups expected_groups(Rows<D, T> const& rows, double linking_length,
                               std::vector<double> const& box);

struct ExpectedClusters {
    std::vector<std::int64_t> labels;
    std::vector<std::uint8_t> core;
    std::size_t clusters, noise;
};
template <int D, class T>
ExpectedClusters expected_clusters(Rows<D, T> const& rows, double epsilon, std::int64_t min_samples,
                                   std::vector<double> const& box);

template <class T>
struct ExpectedGraph {
    std::vector<T> radius, delta;
    std::vector<std::int64_t> nearest_denser;
};
template <int D, class T>
ExpectedGraph<T> expected_graph(Rows<D, T> const& rows, std::int64_t k, std::vector<double> const& box);

template <class T>
struct ExpectedTree {
    std::vector<std::int64_t> edges;
    std::vector<T> lengths, core_distances;
};
template <int D, class T>
ExpectedTree<T> expected_tree(Rows<D, T> const& rows, int min_samples, std::vector<double> const& box);

}  // namespace test
