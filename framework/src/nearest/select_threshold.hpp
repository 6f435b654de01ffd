// The k smallest keys by a threshold: for k beyond what a sorting network does best. Included by one
// source per instruction set, as select_network.hpp is.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

#include "select_isa.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/nearest/detail/select.hpp"

namespace zwalk { inline namespace v0 { namespace {

/// d2 >= 0 as an integer of the same order.
template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Keys with d2 <= limit among n. Reads up to a whole block of lanes.
template <Isa isa, class T>
inline pos_t count_at_most(T const* d2, pos_t n, T limit) {
    constexpr pos_t W = simd_width<T>;
    pos_t count = 0, i = 0;
    for (; i + W <= n; i += W) count += pos_t(std::popcount(Simd<isa>::at_most(d2 + i, limit)));
    if (i < n) count += pos_t(std::popcount(Simd<isa>::at_most(d2 + i, limit) & lanes_below(n - i, W)));
    return count;
}

/// Keeps the keys with d2 <= limit, in order.
template <Isa isa, class T>
inline pos_t keep_at_most(T* d2, pos_t* position, pos_t n, T limit) {
    constexpr pos_t W = simd_width<T>;
    pos_t kept = 0;
    for (pos_t i = 0; i < n; i += W) {
        std::uint32_t const wanted =
            Simd<isa>::at_most(d2 + i, limit) & lanes_below(n - i < W ? n - i : W, W);
        kept += Simd<isa>::compress(wanted, d2 + i, position + i, d2 + kept, position + kept);
    }
    return kept;
}

/// Keeps at least k and at most k + room of n keys, n >= k. Searches a distance that as many keys are
/// within: by the share of keys below it, which few steps suffice for, and by halving the bits of the
/// interval every other step, which ends on any distribution. Where more than k + room keys tie, positions
/// decide: choose_exactly. About 5 passes over the distances.
template <Isa isa, class T>
Chosen<T> choose_by_threshold(T* d2, pos_t* position, pos_t n, pos_t k, pos_t room) {
    using B = Bits<T>;
    T low = 0, high = 0;
    for (pos_t i = 0; i < n; ++i) high = d2[i] > high ? d2[i] : high;
    pos_t below_low = count_at_most<isa>(d2, n, low), below_high = n;
    if (below_low >= k) high = low, below_high = below_low;  // at least k at distance 0
    for (int step = 0; below_high > k + room; ++step) {
        B const l = std::bit_cast<B>(low), h = std::bit_cast<B>(high);
        if (h - l <= 1) return choose_exactly(d2, position, n, k);
        T const share = T(k + room / 2 - below_low) / T(below_high - below_low);
        T middle = low + (high - low) * share;
        if (step % 2 == 1 || !(middle > low && middle < high))
            middle = std::bit_cast<T>(B(l + (h - l) / 2));
        pos_t const count = count_at_most<isa>(d2, n, middle);
        if (count < k) low = middle, below_low = count;
        else high = middle, below_high = count;
    }
    return {keep_at_most<isa>(d2, position, n, high), {high, no_pos}};
}

}}}  // namespace zwalk::v0
