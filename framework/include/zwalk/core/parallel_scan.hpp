// Sums of what comes before, in parallel.
#pragma once
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "zwalk/core/parallel.hpp"

namespace zwalk { inline namespace v0 {

/// out[i] = in[0] + ... + in[i - 1] for all i < n, of integers; `out` may be `in`. O(n). Call inside Cpu::run.
template <class In, class Out>
void parallel_exclusive_scan(In const* in, Out* out, std::size_t n, std::size_t grain = 1 << 16) {
    std::size_t const pieces = n / grain + 1;
    auto const begin = [=](std::size_t piece) { return piece * n / pieces; };
    std::vector<Out> before(pieces, Out(0));  // sums of pieces, then of those before
    auto const each = [&](auto const& f) {
        parallel_for(pieces, 1, [&](std::size_t piece, std::size_t end) {
            for (; piece < end; ++piece) f(piece);
        });
    };
    if (pieces > 1)
        each([&](std::size_t p) {
            before[p] = std::accumulate(in + begin(p), in + begin(p + 1), Out(0));
        });
    std::exclusive_scan(before.begin(), before.end(), before.begin(), Out(0));
    each([&](std::size_t p) {
        std::exclusive_scan(in + begin(p), in + begin(p + 1), out + begin(p), before[p]);
    });
}

}}  // namespace zwalk::v0
