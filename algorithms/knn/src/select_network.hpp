// The k smallest keys by bitonic sorting networks in vector registers. Included by one source per
// instruction set, each compiled with its own flags: everything here has internal linkage, so that
// no function compiled for one CPU can end up in a program's path on another.
//
// V is a register of V::lanes keys: load, store, sort two registers lane by lane, permute. Networks
// sort upwards everywhere: a merge starts by comparing one run with the reverse of the other.
#pragma once
#include "zwalk/knn/select.hpp"

namespace zwalk::inline v0 {
namespace {

/// One register: compares each lane with lane l ^ S; bit l of M says that lane l takes the larger key.
template <class V, int S>
inline __attribute__((always_inline)) typename V::reg exchange(typename V::reg r) {
    constexpr unsigned upper = V::lanes == 8 ? (S == 1 ? 0xAA : S == 2 ? 0xCC : 0xF0)
                                             : (S == 1 ? 0xA : 0xC);
    return V::template select<upper>(r, V::template swap<S>(r));
}

/// Sorts a bitonic sequence of R registers.
template <class V, int R>
inline __attribute__((always_inline)) void clean(typename V::reg* r) {
#pragma GCC unroll 8
    for (int stride = R / 2; stride > 0; stride /= 2)
#pragma GCC unroll 32
        for (int i = 0; i < R; ++i)
            if ((i & stride) == 0) V::sort(r[i], r[i + stride]);
#pragma GCC unroll 32
    for (int i = 0; i < R; ++i) {
        if constexpr (V::lanes == 8) r[i] = exchange<V, 4>(r[i]);
        r[i] = exchange<V, 2>(r[i]);
        r[i] = exchange<V, 1>(r[i]);
    }
}

/// Sorts R registers.
template <class V, int R>
inline __attribute__((always_inline)) void sort(typename V::reg* r) {
    if constexpr (R == 1) {
        constexpr unsigned upper4 = V::lanes == 8 ? 0xCC : 0xC;
        r[0] = exchange<V, 1>(r[0]);
        r[0] = V::template select<upper4>(r[0], V::reverse4(r[0]));
        r[0] = exchange<V, 1>(r[0]);
        if constexpr (V::lanes == 8) {
            r[0] = V::template select<0xF0>(r[0], V::reverse(r[0]));
            r[0] = exchange<V, 2>(r[0]);
            r[0] = exchange<V, 1>(r[0]);
        }
    } else {
        sort<V, R / 2>(r);
        sort<V, R / 2>(r + R / 2);
        typename V::reg other[R / 2];
#pragma GCC unroll 32
        for (int i = 0; i < R / 2; ++i) other[i] = V::reverse(r[R - 1 - i]);
#pragma GCC unroll 32
        for (int i = 0; i < R / 2; ++i) {
            r[R / 2 + i] = other[i];
            V::sort(r[i], r[R / 2 + i]);
        }
        clean<V, R / 2>(r);
        clean<V, R / 2>(r + R / 2);
    }
}

/// Selector::choose and ::finish for k <= R * V::lanes: keeps R sorted registers and merges what is new
/// into them, as many keys at a time.
template <class V, int R>
void choose_by_network(typename V::real* d2, pos_t* position, pos_t chosen, pos_t n, pos_t k) {
    constexpr pos_t step = R * V::lanes;
    typename V::reg best[R], next[R];
    auto const load = [&](typename V::reg* r, pos_t begin, pos_t end) {
#pragma GCC unroll 32
        for (int i = 0; i < R; ++i) {
            pos_t const from = begin + pos_t(i) * V::lanes;
            r[i] = V::load(d2 + from, position + from, end > from ? end - from : 0);
        }
    };
    pos_t begin = k;
    if (chosen == k) {
        load(best, 0, k);
    } else {
        load(best, 0, n);
        sort<V, R>(best);
        begin = step;
    }
    for (; begin < n; begin += step) {
        load(next, begin, n);
        sort<V, R>(next);
#pragma GCC unroll 32
        for (int i = 0; i < R; ++i) {
            typename V::reg other = V::reverse(next[R - 1 - i]);
            V::sort(best[i], other);
        }
        clean<V, R>(best);
    }
#pragma GCC unroll 32
    for (int i = 0; i < R; ++i) {
        pos_t const to = pos_t(i) * V::lanes;
        V::store(d2 + to, position + to, best[i]);
    }
}

template <class V, int R>
Selector<typename V::real> network_selector() {
    constexpr pos_t step = R * V::lanes;
    return {choose_by_network<V, R>, choose_by_network<V, R>, step < 16 ? 16 : step};
}

/// For k <= 16 registers of float keys, or 8 of double ones, which take twice the space.
template <class V>
Selector<typename V::real> network_for(pos_t k) {
    if (k <= 8) return network_selector<V, 8 / V::lanes>();
    if (k <= 16) return network_selector<V, 16 / V::lanes>();
    if (k <= 32) return network_selector<V, 32 / V::lanes>();
    if (k <= 64) return network_selector<V, 64 / V::lanes>();
    if constexpr (sizeof(typename V::real) == 4)
        if (k <= 128) return network_selector<V, 128 / V::lanes>();
    return {};
}

}  // namespace
}  // namespace zwalk::inline v0
