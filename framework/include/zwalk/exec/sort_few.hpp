// Few keys in order, on one CPU thread.
#pragma once
#include <cstdint>
#include <span>

#include "zwalk/exec/isa.hpp"

namespace zwalk { inline namespace v0 {

/// So many keys are few.
inline constexpr std::size_t few_keys = 128;

/// Sorts keys of which no two are equal.
///
/// A few on AVX2 and AVX-512 by counting how many are less than each, lane by lane: O(N^2), but nothing that a CPU
/// would have to foresee. Else by pdqsort: O(N log N).
///
/// @param isa  one that the CPU has
void sort_few(std::span<std::uint64_t> keys, Isa isa = best_isa());

}}  // namespace zwalk::v0
