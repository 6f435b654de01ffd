// Sorting keys, whatever they were made of: the part of the z-sort that knows no points.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "zwalk/core/index.hpp"

namespace zwalk::inline v0 {

/// A point's key and its row in the input.
struct KeyRecord {
    std::uint64_t key;
    pos_t row;
};

/// Records [begin, end) that share one key.
struct KeyRun {
    pos_t begin, end;
};

/// Sorts by key; the order among equal keys is arbitrary. O(N log N), on the threads of the calling
/// arena (call inside Cpu::run). Where several threads take part, 17 bytes per record are needed
/// for a copy, unless `in_place`.
void sort_by_key(std::span<KeyRecord> records, bool in_place);

/// Sorts by row, likewise.
void sort_by_row(std::span<KeyRecord> records, bool in_place);

/// The runs of two or more equal keys in sorted records, in order. O(N).
std::vector<KeyRun> equal_key_runs(std::span<KeyRecord const> records);

}  // namespace zwalk::inline v0
