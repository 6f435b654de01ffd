// How much memory of a device DBSCAN needs.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "zwalk/tree/device_tree_bytes.hpp"
#include "zwalk/walk/device_list_bytes.hpp"

namespace zwalk { inline namespace v0 {

/// Bytes on the device for n points beside them, predicted for the epsilon and min_samples that need most. Interaction
/// lists are made in pieces where memory is short. O(1).
inline std::uint64_t device_dbscan_memory(double n, int columns, std::size_t item_bytes,
                                          TreeOptions const& options = {}) {
    constexpr double position = 4, flag = 1, index = 8;
    double const item = double(item_bytes), row = columns * item;
    double const lists = 2 * item * .1 * std::pow(4., columns - 3);
    auto const tree = device_tree_bytes(columns, item_bytes, options);
    // Beside the tree of all points: flags, positions, groups. Then, of core points or of the others, which are as many
    // together: rows, a tree, groups or neighbours.
    double const beside = tree.tree + flag + 2 * position;
    double const build = row + std::max(tree.sort, tree.build);
    double const found = tree.tree + tree.walk + lists + 2 * position + index + std::max(flag, item);
    double const walk = n * (beside + row + found) + device_small_list_bytes(n, item_bytes),
                 rest = n * std::max({tree.sort, tree.build, beside + build,
                                      tree.tree + flag + 2 * position + index});
    return whole_bytes(device_tree_padding + std::max(walk, rest));
}

}}  // namespace zwalk::v0
