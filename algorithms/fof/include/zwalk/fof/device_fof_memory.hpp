// How much memory of a device friends-of-friends need.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk { inline namespace v0 {

/// Bytes on the device for n points beside them, predicted: at most half as much again as is measured where
/// points are uniform or clustered, and the linking length is up to a fifth of their mean spacing. Lists, which
/// are little of it, are made in pieces where memory is short. O(1).
inline std::uint64_t device_fof_memory(double n, int columns, std::size_t item_bytes,
                                       TreeOptions const& options = {}) {
    constexpr double root = 4, smallest = 4, flag = 1, label = 8;
    auto const tree = device_tree_bytes(columns, item_bytes, options);
    double const lists = (item_bytes == 4 ? 8 : 16) * .1 * std::pow(4., columns - 3);
    return whole_bytes(device_tree_padding +
                       n * std::max({tree.sort, tree.build, tree.tree + tree.walk + root + lists,
                                     tree.tree + root + smallest + flag + label}));
}

}}  // namespace zwalk::v0
