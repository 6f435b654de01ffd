// How much memory of a device the lists of the coarsest planes take.
#pragma once
#include <algorithm>
#include <cstddef>

namespace zwalk { inline namespace v0 {

/// Bytes of the lists that walk/detail/device_small_planes.hpp makes for n targets, at most: each has room for all sources, up to two
/// entries per target in all, and 2^18 on a plane, of which others have less than a seventh. O(1).
inline double device_small_list_bytes(double n, std::size_t item_bytes) {
    return (item_bytes == 4 ? 8 : 16) * std::min(std::max(8192., 2 * n), 1.15 * 0x1p18);
}

}}  // namespace zwalk::v0
