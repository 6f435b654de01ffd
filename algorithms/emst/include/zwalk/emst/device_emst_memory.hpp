// How much memory of a device a spanning tree needs.
#pragma once
#include <algorithm>
#include <cstdint>

#include "zwalk/emst/detail/point_rules.hpp"
#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk { inline namespace v0 {

/// Bytes on the device for n points beside them, predicted: at most half as much again as is measured where
/// points are uniform or clustered. Interaction lists are made in pieces where memory is short. O(1).
inline std::uint64_t device_emst_memory(double n, int columns, std::size_t item_bytes, int min_samples,
                                        TreeOptions const& options = {}) {
    constexpr double position = 4, flag = 1, index = 8;
    double const item = double(item_bytes), key = item_bytes == 4 ? 8 : 16, edge = 8 + item;
    double const listed = std::max(double(detail::usual_neighbours), double(min_samples));
    double const core = min_samples > 1 ? item : 0;
    auto const tree = device_tree_bytes(columns, item_bytes, options);
    // Rows of neighbours, core distances, steps to the next point; then as DeviceForest has them.
    double const near = listed * key + core + item;
    double const rounds = 3 * key + 4 * position + item + 2 * flag + edge;
    double const lists = key * device_list_entries(columns, listed, 1, 1, options);
    double const search = tree.walk + lists / 2;
    double const order = 2 * edge + 2 * index + item + core;
    return whole_bytes(device_tree_padding +
                       n * std::max({tree.sort, tree.build, tree.tree + tree.walk + near + lists,
                                     tree.tree + near + rounds + search, tree.tree + order}));
}

/// Bytes on the device for a search among a rank's own and imported points (rank_search.hpp): the copy of their tree, what
/// is known of them, and of the own ones, which search.
/// @param all         own points and others
/// @param components  that are searched for, by all ranks
inline std::uint64_t device_edge_search_memory(double all, double own, double components, int columns,
                                               std::size_t item_bytes, TreeOptions const& options = {}) {
    constexpr double position = 4, flag = 1;
    double const item = double(item_bytes), key = item_bytes == 4 ? 8 : 16;
    auto const tree = device_tree_bytes(columns, item_bytes, options);
    double const summary = tree.walk, lists = key * device_list_entries(columns, 1, own, all, options);
    double const known = position + flag + item, searching = 3 * key + 2 * item;
    return whole_bytes(device_tree_padding + all * (tree.tree + summary + known) + own * searching +
                       components * position + lists / 16);
}

}}  // namespace zwalk::v0
