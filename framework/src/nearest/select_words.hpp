// The k smallest keys by sorting networks of words: the upper bits of d2, and below them where the key lies in the buffer. A word takes
// half of the register that a key takes, so a network has half as many instructions. Included by one source per instruction set, as
// select_network.hpp is, whose networks these are.
//
// Words order as keys do, but where they have the same upper bits. Two neighbours of the sorted ones that share them
// are put in order by their keys. If three do, or if one that was kept shares them with one that wasn't, the keys themselves are sorted
// (V::Keys): of random distances that happens once in a few hundred times, on lattices nearly always.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "select_network.hpp"

namespace zwalk { inline namespace v0 { namespace {

/// Sorts R registers of words, and what follows of n keys into them: the smallest words of all are left.
/// @return whether the others have other upper bits than the last of them
template <class V, int R>
inline __attribute__((always_inline)) bool smallest_words(typename V::real const* d2, pos_t n,
                                                          typename V::Bits const& bits,
                                                          typename V::reg* best) {
    constexpr pos_t step = R * V::lanes;
    auto const load = [&](typename V::reg * r, pos_t begin) __attribute__((always_inline)) {
#pragma GCC unroll 8
        for (int i = 0; i < R; ++i) r[i] = V::load(d2, begin + pos_t(i) * V::lanes, n, bits);
        sort<V, R>(r);
    };
    load(best, 0);
    if (n <= step) return true;
    typename V::reg next[R], left = V::behind_all();
    for (pos_t begin = step; begin < n; begin += step) {
        load(next, begin);
#pragma GCC unroll 8
        for (int i = 0; i < R; ++i) {
            typename V::reg other = V::reverse(next[R - 1 - i]);
            V::sort(best[i], other);
            left = V::template select<0>(left, other);
        }
        clean<V, R>(best);
    }
    return V::is_behind_last(left, best[R - 1], bits);
}

/// Bit i: word i shares its upper bits with word i + 1. The last bit means nothing.
template <class V, int R>
inline __attribute__((always_inline)) std::uint64_t shared_bits(typename V::reg const* word,
                                                                typename V::Bits const& bits) {
    std::uint64_t shared = 0;
#pragma GCC unroll 8
    for (int i = 0; i < R; ++i)
        shared |= std::uint64_t(V::shares_with_next(word[i], word[i + 1 < R ? i + 1 : i], bits))
                  << (i * V::lanes);
    return shared;
}

/// Selector::choose for k <= R * V::lanes <= 64.
template <class V, int R>
Chosen<typename V::real> choose_by_words(typename V::real* d2, pos_t* position, pos_t chosen, pos_t n,
                                         pos_t k) {
    constexpr pos_t step = R * V::lanes;
    typename V::reg best[R];
    typename V::Bits const bits(std::max(V::least_bits, unsigned(std::bit_width(n - 1))));  // n > 0
    bool const decided = smallest_words<V, R>(d2, n, bits, best);
    pos_t const last = (n < step ? n : step) - 1;
    std::uint64_t const shared = shared_bits<V, R>(best, bits) & ((std::uint64_t(1) << last) - 1);
    if (!decided || (shared & shared >> 1) != 0)
        return choose_by_network<typename V::Keys, int(step) / V::Keys::lanes>(d2, position, chosen, n,
                                                                               k);
    V::template take<R>(d2, position, n, best, bits);
    for (std::uint64_t pairs = shared; pairs != 0; pairs &= pairs - 1) {
        int const i = std::countr_zero(pairs);
        if (Key<typename V::real>{d2[i], position[i]} <
            Key<typename V::real>{d2[i + 1], position[i + 1]})
            continue;
        std::swap(d2[i], d2[i + 1]);
        std::swap(position[i], position[i + 1]);
    }
    return {k, {d2[k - 1], position[k - 1]}};
}
template <class V, int R>
void finish_by_words(typename V::real* d2, pos_t* position, pos_t chosen, pos_t n, pos_t k) {
    if (n > 0) choose_by_words<V, R>(d2, position, chosen, n, k);
}

/// Words up to K neighbours, keys beyond.
template <class V, int K, Isa isa>
Selector<typename V::real> words_selector(pos_t k) {
    auto const words = []<int R>() {
        pos_t const keys = R * V::lanes;
        return Selector<typename V::real>{choose_by<choose_by_words<V, R>>, finish_by_words<V, R>,
                                          keys > 16 ? keys : 16};
    };
    if constexpr (V::lanes <= 8)
        if (k <= 8) return words.template operator()<8 / V::lanes>();
    if (k <= 16) return words.template operator()<16 / V::lanes>();
    if (k <= 32) return words.template operator()<32 / V::lanes>();
    if constexpr (K >= 64)
        if (k <= 64) return words.template operator()<64 / V::lanes>();
    return selector_for<typename V::Keys, isa>(k);
}

}}}  // namespace zwalk::v0
