// Sums of what comes before, in parallel.
#pragma once
#include <functional>
#include <numeric>
#include <vector>

#include "zwalk/core/numbered_pieces.hpp"

namespace zwalk { inline namespace v0 {

/// out[i] = in[0] + ... + in[i - 1] for all i < n, of integers; `out` may be `in`. O(n). Call inside Cpu::run.
template <class In, class Out>
void parallel_exclusive_scan(In const* in, Out* out, std::size_t n, std::size_t grain = 1 << 16) {
    detail::NumberedPieces const pieces(n, grain);
    std::vector<Out> before(pieces.size(), Out(0));  // sums of pieces, then of those before
    if (pieces.size() > 1)
        pieces.each([&](std::size_t p, std::size_t begin, std::size_t end) {
            before[p] = std::accumulate(in + begin, in + end, Out(0));
        });
    std::exclusive_scan(before.begin(), before.end(), before.begin(), Out(0));
    pieces.each([&](std::size_t p, std::size_t begin, std::size_t end) {
        std::exclusive_scan(in + begin, in + end, out + begin, before[p]);
    });
}

}}  // namespace zwalk::v0
