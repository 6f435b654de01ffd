// The levels of the gaps between neighbouring points in z-order (paper section II-C, eq. 7).
#pragma once
#include <cstdint>
#include <limits>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/zorder/level.hpp"

namespace zwalk { inline namespace v0 {

using level_t = std::int32_t;

/// Level of the gaps before the first and behind the last point: above every other.
inline constexpr level_t outer_level = std::numeric_limits<level_t>::max();

/// Eq. 7 for N points in z-order, given as `dim` columns (coordinate j of point i at
/// x[j * stride + i]): element i of N + 1 is the level of points i-1 and i; gaps 0 and N have
/// `outer_level`. Two gaps of one level always have a higher one between them, so that the gaps
/// define a binary tree. O(N dim).
///
/// Inside a run of equal points the gap at offset j (1, 2, ...) from the start of the run has the
/// virtual level `equal_points_level` + (number of trailing zero bits of j), below every real one:
/// as if the offset were appended to the Morton code. So runs longer than a leaf are cut into
/// aligned blocks, which nest from plane to plane, and never into single copies.
template <class T>
Buffer<level_t> gap_levels(Cpu const& cpu, T const* x, std::size_t stride, pos_t size, int dim);

}}  // namespace zwalk::v0
