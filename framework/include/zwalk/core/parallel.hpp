// Parallel loops, on oneTBB's threads, with pieces given by their ends. Each throws what one of its pieces throws, and
// Interrupted soon after the interrupt of the calling thread was requested (core/interrupt.hpp): what it was to write
// must not be read then.
#pragma once
#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/config.hpp"
#include "zwalk/core/interrupt.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

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

}}}  // namespace zwalk::v0::detail

#if defined(ZWALK_TSAN)
#include "zwalk/core/detail/tsan_parallel.hpp"
#else

namespace zwalk { inline namespace v0 {
namespace detail {

/// call(f, begin, end) for pieces of [0, n). oneTBB's loops are compiled once, for this, instead of with each loop of ours.
void loop_in_pieces(std::size_t n, std::size_t grain,
                    void (*call)(void const* f, std::size_t begin, std::size_t end), void const* f);
/// A number of pieces of at least `grain` that keeps the calling thread's arena busy to the end; 0 of nothing.
std::size_t pieces_of(std::size_t n, std::size_t grain);

}  // namespace detail

/// f(begin, end) on disjoint pieces of [0, n) of at least `grain` elements (but the last), in
/// parallel. Call inside Cpu::run.
template <class F>
void parallel_for(std::size_t n, std::size_t grain, F const& f) {
    detail::loop_in_pieces(
        n, grain,
        [](void const* loop, std::size_t begin, std::size_t end) {
            (*static_cast<F const*>(loop))(begin, end);
        },
        &f);
}

/// part(begin, end, so far) over pieces of [0, n), joined by join(a, b). Pieces differ with the number of
/// threads: join must be exactly associative. Call inside Cpu::run.
template <class V, class Part, class Join>
V parallel_reduce(std::size_t n, std::size_t grain, V const& zero, Part const& part, Join const& join) {
    static_assert(!std::is_same_v<V, bool>);  // neighbours in a vector of bool share a byte
    std::size_t const pieces = detail::pieces_of(n, grain);
    std::vector<V> found(pieces, zero);
    parallel_for(pieces, 1, [&](std::size_t piece, std::size_t last) {
        for (; piece < last; ++piece) {
            V so_far = std::move(found[piece]);
            detail::in_steps(piece * n / pieces, (piece + 1) * n / pieces, grain,
                             [&](std::size_t begin, std::size_t end) {
                                 so_far = part(begin, end, std::move(so_far));
                             });
            found[piece] = std::move(so_far);
        }
    });
    V all = zero;
    for (V const& one : found) all = join(all, one);
    return all;
}

}}  // namespace zwalk::v0
#endif
