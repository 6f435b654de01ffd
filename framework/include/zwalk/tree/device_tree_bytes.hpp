// How much memory of a device trees and walks need, predicted from sizes.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

/// Bytes per point; real numbers, which can't overflow.
struct DeviceTreeBytes {
    double sort;   ///< the most while points are brought into z-order
    double build;  ///< the most while planes are cut; that of the tree included
    double tree;   ///< what stays
    double walk;   ///< beside trees and lists, per point of the targets
};

/// Prediction for trees of `columns` columns of `item_bytes` each, as build_tree() makes them. Clustered
/// points have leaves that are a quarter full or fuller; emptier ones need more.
/// @param sources  for targets that are cut to fit a tree, build_targets(): its points for each of them
inline DeviceTreeBytes device_tree_bytes(int columns, std::size_t item_bytes, TreeOptions const& options,
                                         double sources = 0) {
    constexpr double position = 4, level = 4, key = 8, flag = 1, usual_leaf = 48;
    double const leaf = options.leaf_size ? double(options.leaf_size) : usual_leaf;
    double const nodes = std::min(1., 5 / leaf * std::max(1., sources)) * 1.15;  // of all planes
    double const row = columns * double(item_bytes);
    DeviceTreeBytes bytes{};
    // The radix sort has a copy of keys and positions. Ties need as much beside the keys.
    bytes.sort = 2 * (key + position) + flag + level;
    bytes.tree = position + row + nodes * (2 * position + 2 * row);
    double const cut = nodes * (2 * position + 2 * level), counts = sources > 0 ? position : 0;
    bytes.build = std::max(position + row + 2 * level, bytes.tree + level + flag + counts + cut);
    bytes.walk = nodes * (position + 8 + 2 * double(item_bytes) + position);
    return bytes;
}

/// Entries of the interaction lists of a walk in which k neighbours are in reach of every target point, with those
/// that are sorted in a copy; measured for uniform, clustered and normal points, of which this is about the most.
/// Heavy tails may have twice as many.
inline double device_list_entries(int columns, double k, double targets, double sources,
                                  TreeOptions const& options) {
    double const leaf = options.leaf_size ? double(options.leaf_size) : 48.;
    double const usual = (3.9 + .48 * std::sqrt(k)) * std::pow(4., columns - 3) * std::sqrt(48 / leaf);
    // Entries of one point. Targets that are few have leaves of their own.
    double const most = leaf * std::min(usual, sources / 64 + 4);
    return std::min(most * targets, most / leaf * std::max(targets, sources));
}

/// What is there however few points there are: padding.
inline constexpr double device_tree_padding = 1 << 14;

/// No more than fits, for memory that is more than there is.
inline std::uint64_t whole_bytes(double bytes) {
    return bytes < 0x1p64 ? std::uint64_t(bytes) : ~std::uint64_t(0);
}

}}  // namespace zwalk::v0
