// Points into z-order (paper section II-A).
#pragma once
#include <vector>

#include "zwalk/core/index.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk { inline namespace v0 {

/// The z-order of N points of shape (N, dim): element i is the row of the point that is i-th on the
/// curve. Exact at full floating-point precision; equal points keep their input order, so the
/// result is unique: the same for every number of threads.
///
/// How: points are sorted by a prefix of their Morton codes (zorder/key.hpp), as much of it as fits into
/// 64 bits beside the row (zorder/words.hpp); then every run of equal keys is sorted again by keys of its
/// own range, and so on; short runs, and clumps that tie again and again, are settled by the exact
/// comparator. Time O(N) where few points tie and O(N log N) for every distribution: outliers, narrow
/// clumps and copies take one or two further rounds of the points that still tie. Memory: 16 bytes per
/// point, the result included.
///
/// T is float or double. Coordinates must be finite, N <= max_points and 1 <= dim <= 64
/// (`check_points`). Missing columns count as zero: padding never changes the order.
template <class T>
Buffer<pos_t> z_sort(Cpu const& cpu, Points<T> points);

}}  // namespace zwalk::v0
