// The k smallest keys by sorting networks across registers of four keys: all registers are sorted lane by
// lane first, which needs no permutation, then the four columns are merged. Where a register holds few keys
// this takes six tenths of the time of sorting and merging block after block of k keys (select_network.hpp),
// whose steps wait for each other. Included by one source per instruction set, as select_network.hpp is.
#pragma once
#include "select_network.hpp"

namespace zwalk { inline namespace v0 { namespace {

/// Sorts the columns of R registers. The networks with the fewest comparators.
template <class V, int R>
inline __attribute__((always_inline)) void sort_columns(typename V::reg* r) {
    static_assert(R == 4 || R == 8);
    auto const sort = [&](int a, int b) __attribute__((always_inline)) { V::sort(r[a], r[b]); };
    if constexpr (R == 4) {
        sort(0, 2), sort(1, 3);
        sort(0, 1), sort(2, 3);
        sort(1, 2);
    } else {
        sort(0, 2), sort(1, 3), sort(4, 6), sort(5, 7);
        sort(0, 4), sort(1, 5), sort(2, 6), sort(3, 7);
        sort(0, 1), sort(2, 3), sort(4, 5), sort(6, 7);
        sort(2, 4), sort(3, 5);
        sort(1, 4), sort(3, 6);
        sort(1, 2), sort(3, 4), sort(5, 6);
    }
}

/// combine(a[i], permute(a[R - 1 - i])), in place: how sequences in two lanes meet, one of them reversed.
template <int R, class Reg, class Permute, class Combine>
inline __attribute__((always_inline)) void meet_reversed(Reg* a, Permute const& permute,
                                                         Combine const& combine) {
#pragma GCC unroll 8
    for (int i = 0; i < R / 2; ++i) {
        Reg const low = a[i], high = a[R - 1 - i];
        a[i] = combine(low, permute(high));
        a[R - 1 - i] = combine(high, permute(low));
    }
}

/// The smallest quarter of 4 R keys in `out`, sorted.
template <class V, int R>
inline __attribute__((always_inline)) void smallest_quarter(typename V::reg* r, typename V::reg* out) {
    using Reg = typename V::reg;
    auto const less = [](Reg const& a, Reg const& b) __attribute__((always_inline)) {
        return V::template select<0>(a, b);
    };
    sort_columns<V, R>(r);
    // Both lanes of a pair find the same keys; then all four do.
    meet_reversed<R>(
        r, [](Reg const& a) __attribute__((always_inline)) { return V::template swap<1>(a); }, less);
    clean_columns<V, R>(r);
    meet_reversed<R>(
        r, [](Reg const& a) __attribute__((always_inline)) { return V::template swap<2>(a); }, less);
    clean_columns<V, R>(r);
#pragma GCC unroll 8
    for (int i = 0; i < R; i += 4)
        out[i / 4] = V::halves(V::lower_of_pairs(r[i], r[i + 1]), V::lower_of_pairs(r[i + 2], r[i + 3]));
}

/// The smallest half of 4 R keys in `out`, sorted.
template <class V, int R>
inline __attribute__((always_inline)) void smallest_half(typename V::reg* r, typename V::reg* out) {
    using Reg = typename V::reg;
    sort_columns<V, R>(r);
    // A pair of lanes: the lower keys of both columns in the first, the upper ones in the second.
    meet_reversed<R>(
        r, [](Reg const& a) __attribute__((always_inline)) { return V::template swap<1>(a); },
        [](Reg const& a, Reg const& b)
            __attribute__((always_inline)) { return V::template select<0xA>(a, b); });
    clean_columns<V, R>(r);
    // The two pairs, each a sequence of 2 R keys, find the same keys.
    meet_reversed<R>(
        r, [](Reg const& a) __attribute__((always_inline)) { return V::reverse4(a); },
        [](Reg const& a, Reg const& b)
            __attribute__((always_inline)) { return V::template select<0>(a, b); });
#pragma GCC unroll 8
    for (int i = 0; i < R; ++i) r[i] = exchange<V, 1>(r[i]);
    clean_columns<V, R>(r);
#pragma GCC unroll 8
    for (int i = 0; i < R; i += 4) {
        out[i / 4] = V::halves(V::lower_of_pairs(r[i], r[i + 1]), V::lower_of_pairs(r[i + 2], r[i + 3]));
        out[(i + R) / 4] =
            V::halves(V::upper_of_pairs(r[i], r[i + 1]), V::upper_of_pairs(r[i + 2], r[i + 3]));
    }
}

/// Selector::choose for k <= K, K = 8 or 16; V::lanes = 4.
template <class V, int K>
Chosen<typename V::real> choose_by_columns(typename V::real* d2, pos_t* position, pos_t, pos_t n,
                                           pos_t k) {
    constexpr int R = 8, kept = K / 4;
    typename V::reg r[R], best[kept];
    auto const load = [&](int from_register, int registers, pos_t begin) __attribute__((always_inline)) {
#pragma GCC unroll 8
        for (int i = 0; i < registers; ++i) {
            pos_t const from = begin + pos_t(i) * 4;
            r[from_register + i] = V::load(d2 + from, position + from, n > from ? n - from : 0);
        }
    };
    auto const choose = [&]() __attribute__((always_inline)) {
        if constexpr (K == 8) smallest_quarter<V, R>(r, best);
        else smallest_half<V, R>(r, best);
    };
    if (K == 8 && n <= 16) {
        load(0, 4, 0);
        smallest_half<V, 4>(r, best);
    } else {
        load(0, R, 0);
        choose();
        for (pos_t begin = R * 4; begin < n; begin += (R - kept) * 4) {
            for (int i = 0; i < kept; ++i) r[i] = best[i];
            load(kept, R - kept, begin);
            choose();
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < kept; ++i) V::store(d2 + 4 * i, position + 4 * i, best[i]);
    return {k, {d2[k - 1], position[k - 1]}};
}
template <class V, int K>
void finish_by_columns(typename V::real* d2, pos_t* position, pos_t chosen, pos_t n, pos_t k) {
    choose_by_columns<V, K>(d2, position, chosen, n, k);
}

/// For k <= 16.
template <class V>
Selector<typename V::real> columns_selector(pos_t k) {
    if (k <= 8) return {choose_by_columns<V, 8>, finish_by_columns<V, 8>, 16};
    return {choose_by_columns<V, 16>, finish_by_columns<V, 16>, 16};
}

}}}  // namespace zwalk::v0
