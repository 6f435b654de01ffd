// How much memory of a device friends-of-friends need.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "zwalk/tree/device_tree_bytes.hpp"
#include "zwalk/walk/device_list_bytes.hpp"

namespace zwalk { inline namespace v0 {

/// Bytes on the device for n points beside them, predicted: at most 1.8 times what is measured where
/// points are uniform or clustered, and the linking length is up to a fifth of their mean spacing. Lists
/// are made in pieces where memory is short. O(1).
inline std::uint64_t device_fof_memory(double n, int columns, std::size_t item_bytes,
                                       TreeOptions const& options = {}) {
    constexpr double root = 4, smallest = 4, flag = 1, label = 8;
    auto const tree = device_tree_bytes(columns, item_bytes, options);
    double const lists = (item_bytes == 4 ? 8 : 16) * .1 * std::pow(4., columns - 3);
    double const walk =
                     n * (tree.tree + tree.walk + root + lists) + device_small_list_bytes(n, item_bytes),
                 rest =
                     n * std::max({tree.sort, tree.build, tree.tree + root + smallest + flag + label});
    return whole_bytes(device_tree_padding + std::max(walk, rest));
}

}}  // namespace zwalk::v0
