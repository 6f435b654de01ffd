// The levels of gaps inside runs of equal points (tree/detail/gap_levels.hpp).
#pragma once
#include <span>

#include "zwalk/tree/detail/gap_levels.hpp"

namespace zwalk { inline namespace v0 {

/// Gives every gap inside a run of equal points its virtual level. `levels` are those of N + 1 gaps, in which such a gap may have
/// any virtual level yet. O(N).
void set_virtual_levels(Cpu const& cpu, std::span<level_t> levels);

}}  // namespace zwalk::v0
