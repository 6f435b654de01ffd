// How much memory of the host trees need, predicted from sizes: as zorder/sort.cpp, tree/joint.cpp and tree/targets.cpp
// have it.
#pragma once
#include <cstddef>

namespace zwalk { inline namespace v0 {

/// Bytes per point; real numbers, which can't overflow.
struct CpuTreeBytes {
    double order = 4;      ///< a z-order
    double sort = 16;      ///< the most while one is found
    double tree = 0;       ///< what stays, its order included
    double build = 0;      ///< the most while it is cut
    double build_fit = 0;  ///< the most while targets are cut to fit another tree
};

/// Prediction for trees of `columns` columns of `item_bytes` each.
inline CpuTreeBytes cpu_tree_bytes(int columns, std::size_t item_bytes) {
    constexpr double level = 4, count = 4;
    // Nodes of all planes: 1/27 where points are uniform, 1/20 where they are clustered.
    constexpr double nodes = 1 / 21.;
    constexpr double cut = 5 * 4 * 1.5;  // per node while planes are cut: vectors that grow
    double const row = columns * double(item_bytes);
    CpuTreeBytes bytes;
    bytes.tree = bytes.order + row + nodes * (8 + 2 * row);
    bytes.build = bytes.tree + level + nodes * cut;
    bytes.build_fit = bytes.build + 2 * count;
    return bytes;
}

}}  // namespace zwalk::v0
