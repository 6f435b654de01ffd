// Parallel loops: oneTBB's, with pieces given by their ends. Each throws what one of its pieces throws, and
// Interrupted soon after the interrupt of the calling thread was requested (core/interrupt.hpp): what it was to write
// must not be read then.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "zwalk/core/config.hpp"
#include "zwalk/core/interrupt.hpp"
#if defined(ZWALK_TSAN)
#include "zwalk/core/detail/tsan_parallel.hpp"
#else

namespace zwalk { inline namespace v0 {
namespace detail {

/// f(i, next) for all of [begin, end), which isn't empty; at once, or where it can be interrupted in steps of at least
/// `grain`: a piece that oneTBB hands out may be a tenth of the loop.
template <class F>
void in_steps(std::size_t begin, std::size_t end, std::size_t grain, F const& f) {
    auto const* const interrupt = Interrupt::current();
    while (true) {
        std::size_t const next = interrupt && end - begin >= 2 * grain ? begin + grain : end;
        f(begin, next);
        if (next == end) return;
        begin = next;
        Interrupt::check(interrupt);
    }
}

}  // namespace detail

/// f(begin, end) on disjoint pieces of [0, n) of at least `grain` elements (but the last), in
/// parallel. Call inside Cpu::run.
template <class F>
void parallel_for(std::size_t n, std::size_t grain, F const& f) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain),
                      [&, behalf = Interrupt::Behalf()](tbb::blocked_range<std::size_t> const& r) {
                          behalf([&] { detail::in_steps(r.begin(), r.end(), grain, f); });
                      });
}

/// part(begin, end, so far) over pieces of [0, n), joined by join(a, b). Pieces differ from run to
/// run: join must be exactly associative. Call inside Cpu::run.
template <class V, class Part, class Join>
V parallel_reduce(std::size_t n, std::size_t grain, V const& zero, Part const& part, Join const& join) {
    return tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, n, grain), zero,
        [&, behalf = Interrupt::Behalf()](tbb::blocked_range<std::size_t> const& r, V so_far) {
            behalf([&] {
                detail::in_steps(r.begin(), r.end(), grain, [&](std::size_t begin, std::size_t end) {
                    so_far = part(begin, end, std::move(so_far));
                });
            });
            return so_far;
        },
        join);
}

/// Sorts [begin, end) by `less`. Not stable. Call inside Cpu::run.
template <class Iterator, class Less>
void parallel_sort(Iterator begin, Iterator end, Less const& less) {
    if (auto const* const interrupt = Interrupt::current())
        tbb::parallel_sort(begin, end, [&less, interrupt](auto const& a, auto const& b) {
            Interrupt::check(interrupt);
            return less(a, b);
        });
    else tbb::parallel_sort(begin, end, less);
}

}}  // namespace zwalk::v0
#endif
