// The k smallest keys by bitonic sorting networks in vector registers. Included by one source per
// instruction set, each compiled with its own flags: everything here has internal linkage, so that
// no function compiled for one CPU can end up in a program's path on another.
//
// V is a register of V::lanes keys: load, store, sort two registers lane by lane, permute. Networks
// sort upwards everywhere: a merge starts by comparing one run with the reverse of the other.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>
#include <vector>

#include "select_threshold.hpp"
#include "zwalk/nearest/detail/select.hpp"

namespace zwalk { inline namespace v0 { namespace {

/// Memory for registers, kept by a thread.
template <class V>
class RegisterMemory {
    using Reg = typename V::reg;

  public:
    RegisterMemory() = default;
    RegisterMemory(RegisterMemory const&) = delete;
    ~RegisterMemory() { std::free(data_); }
    Reg* reserve(std::size_t n) {
        if (n <= size_) return data_;
        std::free(data_);
        data_ = static_cast<Reg*>(std::aligned_alloc(64, n * sizeof(Reg)));
        size_ = data_ ? n : 0;
        if (!data_) throw std::bad_alloc();
        return data_;
    }

  private:
    Reg* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Bits of the lanes l of a register of V with l & S.
template <class V, int S>
constexpr unsigned upper_lanes = (S == 1   ? 0xAAAA
                                  : S == 2 ? 0xCCCC
                                  : S == 4 ? 0xF0F0
                                           : 0xFF00) &
                                 ((1U << V::lanes) - 1);

/// One register: compares each lane with lane l ^ S; the upper of both takes the larger key.
template <class V, int S>
inline __attribute__((always_inline)) typename V::reg exchange(typename V::reg r) {
    return V::template select<upper_lanes<V, S>>(r, V::template swap<S>(r));
}
/// Sorts bitonic sequences of 2 S lanes.
template <class V, int S>
inline __attribute__((always_inline)) typename V::reg clean_lanes(typename V::reg r) {
    r = exchange<V, S>(r);
    if constexpr (S > 1) r = clean_lanes<V, S / 2>(r);
    return r;
}

/// Sorts columns that are bitonic sequences.
template <class V, int R>
inline __attribute__((always_inline)) void clean_columns(typename V::reg* r) {
#pragma GCC unroll 8
    for (int stride = R / 2; stride > 0; stride /= 2)
#pragma GCC unroll 8
        for (int i = 0; i < R; ++i)
            if ((i & stride) == 0) V::sort(r[i], r[i + stride]);
}

/// Sorts a bitonic sequence of R registers.
template <class V, int R>
inline __attribute__((always_inline)) void clean(typename V::reg* r) {
    clean_columns<V, R>(r);
#pragma GCC unroll 8
    for (int i = 0; i < R; ++i) r[i] = clean_lanes<V, V::lanes / 2>(r[i]);
}

/// Sorts R registers.
template <class V, int R>
inline __attribute__((always_inline)) void sort(typename V::reg* r) {
    if constexpr (R == 1) {
        r[0] = exchange<V, 1>(r[0]);
        r[0] = V::template select<upper_lanes<V, 2>>(r[0], V::reverse4(r[0]));
        r[0] = exchange<V, 1>(r[0]);
        if constexpr (V::lanes == 16) {
            r[0] = V::template select<upper_lanes<V, 4>>(r[0], V::reverse8(r[0]));
            r[0] = clean_lanes<V, 2>(r[0]);
        }
        if constexpr (V::lanes > 4) {
            r[0] = V::template select<upper_lanes<V, V::lanes / 2>>(r[0], V::reverse(r[0]));
            r[0] = clean_lanes<V, V::lanes / 4>(r[0]);
        }
    } else {
        sort<V, R / 2>(r);
        sort<V, R / 2>(r + R / 2);
        typename V::reg other[R / 2];
#pragma GCC unroll 8
        for (int i = 0; i < R / 2; ++i) other[i] = V::reverse(r[R - 1 - i]);
#pragma GCC unroll 8
        for (int i = 0; i < R / 2; ++i) {
            r[R / 2 + i] = other[i];
            V::sort(r[i], r[R / 2 + i]);
        }
        clean<V, R / 2>(r);
        clean<V, R / 2>(r + R / 2);
    }
}

/// Sorts 8 R registers, R a power of two, where they are: blocks of eight by a network in registers,
/// then merges that go through memory.
template <class V>
void sort_many(typename V::reg* r, std::size_t registers) {
    if (registers == 8) return sort<V, 8>(r);
    std::size_t const half = registers / 2;
    sort_many<V>(r, half);
    sort_many<V>(r + half, half);
    for (std::size_t i = 0; i < half / 2; ++i) {  // compare with the other half's reverse
        typename V::reg other = V::reverse(r[registers - 1 - i]);
        typename V::reg inner = V::reverse(r[half + i]);
        V::sort(r[i], other);
        V::sort(r[half - 1 - i], inner);
        r[half + i] = other;
        r[registers - 1 - i] = inner;
    }
    for (std::size_t stride = half / 2; stride >= 8; stride /= 2)
        for (std::size_t i = 0; i < registers; ++i)
            if ((i & stride) == 0) V::sort(r[i], r[i + stride]);
    for (std::size_t i = 0; i < registers; i += 8) clean<V, 8>(r + i);
}

/// Selector::choose for k <= R * V::lanes: keeps R sorted registers and merges what is new into them, as
/// many keys at a time.
template <class V, int R>
Chosen<typename V::real> choose_by_network(typename V::real* d2, pos_t* position, pos_t chosen, pos_t n,
                                           pos_t k) {
    constexpr pos_t step = R * V::lanes;
    typename V::reg best[R], next[R];
    auto const load = [&](typename V::reg* r, pos_t begin, pos_t end) {
#pragma GCC unroll 8
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
#pragma GCC unroll 8
        for (int i = 0; i < R; ++i) {
            typename V::reg other = V::reverse(next[R - 1 - i]);
            V::sort(best[i], other);
        }
        clean<V, R>(best);
    }
#pragma GCC unroll 8
    for (int i = 0; i < R; ++i) {
        pos_t const to = pos_t(i) * V::lanes;
        V::store(d2 + to, position + to, best[i]);
    }
    return {k, {d2[k - 1], position[k - 1]}};
}
template <class V, int R>
void finish_by_network(typename V::real* d2, pos_t* position, pos_t chosen, pos_t n, pos_t k) {
    choose_by_network<V, R>(d2, position, chosen, n, k);
}

/// A key; of internal linkage, and so is what the standard library makes of it.
struct WideKey {
    double d2;
    pos_t position;
    bool operator<(WideKey const& o) const { return d2 < o.d2 || (d2 == o.d2 && position < o.position); }
};

/// Sorts n keys of two words each by one: the upper bits of d2 and an index. What they don't tell apart is
/// sorted again.
template <class V>
void sort_wide_keys(double* d2, pos_t* position, pos_t n) {
    using W = typename V::words;
    // As doubles that are neither subnormal nor near infinity: see Float8.
    constexpr std::uint64_t raised = 0x0010000000000000, behind_all = 0x7fe0000000000000;
    thread_local RegisterMemory<W> memory;
    thread_local std::vector<WideKey> key;
    std::size_t registers = 8;
    while (registers * W::lanes < n) registers *= 2;
    typename W::reg* const r = memory.reserve(registers);
    auto* const word = reinterpret_cast<std::uint64_t*>(r);
    int const index_bits = int(std::bit_width(n));
    key.resize(n);
    for (pos_t i = 0; i < n; ++i) {
        key[i] = {d2[i], position[i]};
        word[i] = ((std::bit_cast<std::uint64_t>(d2[i]) >> (index_bits + 1) << index_bits) | i) + raised;
    }
    for (std::size_t i = n; i < registers * W::lanes; ++i) word[i] = behind_all;
    sort_many<W>(r, registers);
    std::uint64_t const mask = (std::uint64_t(1) << index_bits) - 1;
    for (pos_t i = 0; i < n; ++i) {
        d2[i] = key[word[i] & mask].d2;
        position[i] = key[word[i] & mask].position;
    }
    for (pos_t i = 0, end = 1; i < n; i = end++) {
        while (end < n && (word[i] ^ word[end]) >> index_bits == 0) ++end;
        if (end - i == 1) continue;
        for (pos_t j = i; j < end; ++j) key[j] = {d2[j], position[j]};
        std::sort(key.begin() + i, key.begin() + end);
        for (pos_t j = i; j < end; ++j) d2[j] = key[j].d2, position[j] = key[j].position;
    }
}

/// Sorts n keys.
template <class V>
void sort_keys(typename V::real* d2, pos_t* position, pos_t n) {
    thread_local RegisterMemory<V> memory;
    std::size_t registers = 8;
    while (registers * V::lanes < n) registers *= 2;
    typename V::reg* const r = memory.reserve(registers);
    for (std::size_t i = 0; i < registers; ++i) {
        pos_t const from = pos_t(i) * V::lanes;
        pos_t const some = n > from ? n - from : 0;
        r[i] = V::load(d2 + (some ? from : 0), position + (some ? from : 0), some);
    }
    sort_many<V>(r, registers);
    for (pos_t from = 0; from < n; from += V::lanes)
        V::store(d2 + from, position + from, r[from / V::lanes]);
}

/// Selector::finish for any k: by threshold to few more than k, then a network.
template <class V, Isa isa>
void finish_by_threshold(typename V::real* d2, pos_t* position, pos_t, pos_t n, pos_t k) {
    if (n > k) {
        // The network sorts a power of two: nothing is gained by choosing more closely.
        pos_t const room = pos_t(std::bit_ceil(std::size_t(k))) - k;
        n = choose_by_threshold<isa>(d2, position, n, k, room).count;
    }
    if constexpr (sizeof(typename V::real) == 8) sort_wide_keys<V>(d2, position, n);
    else sort_keys<V>(d2, position, n);
}
template <class V, Isa isa>
Chosen<typename V::real> choose_roughly(typename V::real* d2, pos_t* position, pos_t, pos_t n, pos_t k) {
    return choose_by_threshold<isa>(d2, position, n, k, k / 8);
}

/// Networks up to 128 neighbours, 32 of double keys, which are twice as wide; thresholds from there on.
template <class V, Isa isa>
Selector<typename V::real> selector_for(pos_t k) {
    auto const network = []<int R>() {
        pos_t const keys = R * V::lanes;
        return Selector<typename V::real>{choose_by<choose_by_network<V, R>>, finish_by_network<V, R>,
                                          keys > 16 ? keys : 16};
    };
    if (k <= 8) return network.template operator()<8 / V::lanes>();
    if (k <= 16) return network.template operator()<16 / V::lanes>();
    if (k <= 32) return network.template operator()<32 / V::lanes>();
    if constexpr (sizeof(typename V::real) == 4) {
        if (k <= 64) return network.template operator()<64 / V::lanes>();
        if (k <= 128) return network.template operator()<128 / V::lanes>();
    }
    return {choose_by<choose_roughly<V, isa>>, finish_by_threshold<V, isa>, k / 2};
}

}}}  // namespace zwalk::v0
