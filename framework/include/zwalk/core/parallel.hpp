// Parallel loops: oneTBB's, with pieces given by their ends.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "zwalk/core/config.hpp"
#if defined(ZWALK_TSAN)
#include "zwalk/core/tsan_parallel.hpp"
#else

namespace zwalk::inline v0 {

/// f(begin, end) on disjoint pieces of [0, n) of at least `grain` elements (but the last), in
/// parallel. Call inside Cpu::run.
template <class F>
void parallel_for(std::size_t n, std::size_t grain, F const& f) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain),
                      [&](tbb::blocked_range<std::size_t> const& r) { f(r.begin(), r.end()); });
}

/// part(begin, end, so far) over pieces of [0, n), joined by join(a, b). Pieces differ from run to
/// run: join must be exactly associative. Call inside Cpu::run.
template <class V, class Part, class Join>
V parallel_reduce(std::size_t n, std::size_t grain, V const& zero, Part const& part, Join const& join) {
    return tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, n, grain), zero,
        [&](tbb::blocked_range<std::size_t> const& r, V so_far) {
            return part(r.begin(), r.end(), std::move(so_far));
        },
        join);
}

/// Sorts [begin, end) by `less`. Not stable. Call inside Cpu::run.
template <class Iterator, class Less>
void parallel_sort(Iterator begin, Iterator end, Less const& less) {
    tbb::parallel_sort(begin, end, less);
}

}  // namespace zwalk::inline v0
#endif
