// How much memory of a device density peaks need.
#pragma once
#include <algorithm>
#include <cstdint>

#include "zwalk/knn/device_knn_memory.hpp"
#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk { inline namespace v0 {

/// Bytes on the device that n points can't do without, beside themselves. Interaction lists are made in pieces where memory is
/// short, and take up to half as much again where it isn't. O(1).
inline std::uint64_t device_peaks_memory(double n, int columns, std::size_t item_bytes, index_t k,
                                         TreeOptions const& options = {}) {
    auto const tree = device_tree_bytes(columns, item_bytes, options);
    double const length = double(item_bytes), row = sizeof(index_t), position = sizeof(pos_t);
    auto const neighbours = device_knn_memory({.points = std::uint64_t(n),
                                               .k = k,
                                               .item_bytes = item_bytes,
                                               .order = Order::z,
                                               .visited = true},
                                              columns, options);
    // Radii and rows, which the walk to denser points sees, and what it finds. Then rows and lengths in the order of the input.
    double const walk = tree.tree + tree.walk + length + row + position + length,
                 end = tree.tree + 2 * (2 * length + row) + position;
    return std::max(whole_bytes(double(neighbours.needed()) + n * length),
                    whole_bytes(device_tree_padding + n * std::max(walk, end)));
}

}}  // namespace zwalk::v0
