// Running sums, and what depends on them, on all threads.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "zwalk/core/numbered_pieces.hpp"
#include "zwalk/core/parallel.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// For how many i < n is(i). Call inside Cpu::run.
template <class Is>
std::size_t count_where(std::size_t n, Is const& is) {
    return parallel_reduce(
        n, 1 << 14, std::size_t(0),
        [&](std::size_t i, std::size_t end, std::size_t so_far) {
            for (; i < end; ++i) so_far += is(i) ? 1 : 0;
            return so_far;
        },
        std::plus<>());
}

/// For pieces of [0, n): use(begin, end, before), where `before` is what sum(begin, end) was of all pieces before, added up by
/// add(before, here), from V{} on. Returns all of it. Call inside Cpu::run.
template <class V, class Sum, class Add, class Use>
V scan_pieces(std::size_t n, Sum const& sum, Add const& add, Use const& use) {
    if (n == 0) return V{};
    NumberedPieces const pieces(n, 1 << 14);
    std::vector<V> before(pieces.size() + 1);
    pieces.each([&](std::size_t piece, std::size_t begin, std::size_t end) {
        before[piece + 1] = sum(begin, end);
    });
    for (std::size_t piece = 0; piece < pieces.size(); ++piece)
        before[piece + 1] = add(before[piece], before[piece + 1]);
    pieces.each(
        [&](std::size_t piece, std::size_t begin, std::size_t end) { use(begin, end, before[piece]); });
    return before.back();
}

}}}  // namespace zwalk::v0::detail
