// Index types and the checks that keep them honest (no silent 32-bit overflow).
#pragma once
#include <cstddef>
#include <cstdint>

namespace zwalk { inline namespace v0 {

/// A z-order position, or a node's index on its plane, inside ONE device: 32-bit, and checked when
/// points are passed in (`max_points`). Offsets into lists and results are 64-bit (`size_type`).
using pos_t = std::uint32_t;

/// List offsets, result sizes, counts that sum over nodes.
using size_type = std::uint64_t;

/// Input indices handed to users; -1 means "none".
using index_t = std::int64_t;

/// "No position": larger than every valid one, so that it also sorts behind every valid one.
inline constexpr pos_t no_pos = 0xffffffffU;

/// Largest number of points of one device. Leaves room for padding below `no_pos`.
inline constexpr std::size_t max_points = 0x7fffff00U;

}}  // namespace zwalk::v0
