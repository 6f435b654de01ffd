// Sorting networks on AVX-512 registers of sixteen words (of doubles: eight), or of eight keys. Compiled for AVX-512; called only where it is.
#include <immintrin.h>

#include "select_isa.hpp"
#include "select_words.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// Bits of the first n lanes.
__mmask8 first_lanes(pos_t n) { return n < 8 ? __mmask8((1U << n) - 1) : __mmask8(0xff); }

/// Permutations of eight lanes of 64 bits; S: lane l gets lane l ^ S.
template <int S>
__m512i swap_lanes(__m512i v) {
    if constexpr (S == 1) return _mm512_shuffle_epi32(v, _MM_PERM_BADC);
    else if constexpr (S == 2) return _mm512_permutex_epi64(v, 0x4E);
    else return _mm512_shuffle_i64x2(v, v, 0x4E);
}
__m512i reverse_lanes(__m512i v) {
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), v);
}

/// Float keys: d2 in the upper half of 64 bits, position below. d2 >= 0, so bits order like values: as
/// integers, and also as doubles, whose minimum and maximum run on twice as many ports. Exponents are raised
/// by one, so that no key is a subnormal double, which a caller's floating-point mode may take for zero; none
/// comes near infinity.
struct Float8 {
    using real = float;
    using reg = __m512i;
    static constexpr int lanes = 8;

    static reg load(float const* d2, pos_t const* position, pos_t n) {
        __mmask8 const m = first_lanes(n);
        __m256i const d = _mm256_mask_loadu_epi32(_mm256_set1_epi32(0x7f800000), m, d2);
        __m256i const p = _mm256_mask_loadu_epi32(_mm256_set1_epi32(-1), m, position);
        reg const key = _mm512_permutex2var_epi32(
            _mm512_castsi256_si512(p),
            _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
            _mm512_castsi256_si512(d));
        return _mm512_add_epi64(key, raised());
    }
    static void store(float* d2, pos_t* position, reg r) {
        r = _mm512_sub_epi64(r, raised());
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(d2),
                            _mm512_cvtepi64_epi32(_mm512_srli_epi64(r, 32)));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(position), _mm512_cvtepi64_epi32(r));
    }
    static void sort(reg& a, reg& b) {
        reg const lower = select<0>(a, b);
        b = select<0xFF>(a, b);
        a = lower;
    }
    /// Lanes in M take the larger key of a and b, the others the smaller.
    template <unsigned M>
    static reg select(reg a, reg b) {
        __m512d const x = _mm512_castsi512_pd(a), y = _mm512_castsi512_pd(b);
        if constexpr (M == 0xFF) return _mm512_castpd_si512(_mm512_max_pd(x, y));
        else return _mm512_castpd_si512(_mm512_mask_max_pd(_mm512_min_pd(x, y), M, x, y));
    }
    template <int S>
    static reg swap(reg r) {
        return swap_lanes<S>(r);
    }
    static reg reverse4(reg r) { return _mm512_permutex_epi64(r, 0x1B); }
    static reg reverse(reg r) { return reverse_lanes(r); }

  private:
    static reg raised() { return _mm512_set1_epi64(0x0010000000000000); }
};

/// Double keys: d2 as bits, and positions in a second register.
struct Double8 {
    using real = double;
    using words = Float8;
    struct reg {
        __m512i d2, position;
    };
    static constexpr int lanes = 8;

    static reg load(double const* d2, pos_t const* position, pos_t n) {
        __mmask8 const m = first_lanes(n);
        return {_mm512_mask_loadu_epi64(_mm512_set1_epi64(0x7ff0000000000000), m, d2),
                _mm512_cvtepu32_epi64(_mm256_mask_loadu_epi32(_mm256_set1_epi32(-1), m, position))};
    }
    static void store(double* d2, pos_t* position, reg r) {
        _mm512_storeu_si512(d2, r.d2);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(position), _mm512_cvtepi64_epi32(r.position));
    }
    static __mmask8 less(reg const& a, reg const& b) {
        __mmask8 const tie = _mm512_cmpeq_epi64_mask(a.d2, b.d2);
        return _mm512_cmplt_epu64_mask(a.d2, b.d2) |
               _mm512_mask_cmplt_epu64_mask(tie, a.position, b.position);
    }
    /// a where the bit is set, else b.
    static reg blend(__mmask8 m, reg const& a, reg const& b) {
        return {_mm512_mask_blend_epi64(m, b.d2, a.d2),
                _mm512_mask_blend_epi64(m, b.position, a.position)};
    }
    static void sort(reg& a, reg& b) {
        __mmask8 const m = less(a, b);
        reg const lower = blend(m, a, b);
        b = blend(m, b, a);
        a = lower;
    }
    template <unsigned M>
    static reg select(reg const& a, reg const& b) {
        return blend(__mmask8(less(a, b) ^ M), a, b);
    }
    template <int S>
    static reg swap(reg const& r) {
        return {swap_lanes<S>(r.d2), swap_lanes<S>(r.position)};
    }
    static reg reverse4(reg const& r) {
        return {_mm512_permutex_epi64(r.d2, 0x1B), _mm512_permutex_epi64(r.position, 0x1B)};
    }
    static reg reverse(reg const& r) { return {reverse_lanes(r.d2), reverse_lanes(r.position)}; }
};

/// Words of float keys.
struct FloatWords16 {
    using real = float;
    using Keys = Float8;
    using reg = __m512i;
    static constexpr int lanes = 16;
    static constexpr unsigned least_bits = 5;  // those that of_32() looks at

    /// Which bits of a word say where its key is.
    struct Bits {
        explicit Bits(unsigned count) : index(_mm512_set1_epi32(int((1U << count) - 1))) {}
        __m512i index;
    };

    static reg behind_all() { return _mm512_set1_epi32(-1); }
    /// Of keys from `begin` on; behind the n-th they are behind all.
    static reg load(float const* d2, pos_t begin, pos_t n, Bits const& bits) {
        auto const some = n > begin ? n - begin : 0;
        auto const m = __mmask16(some < 16 ? (1U << some) - 1 : 0xffff);
        // Upper bits of d2, lower ones of the index.
        return _mm512_mask_ternarylogic_epi32(
            _mm512_mask_loadu_epi32(behind_all(), m, d2 + begin), m, bits.index,
            _mm512_add_epi32(lane(), _mm512_set1_epi32(int(begin))), 0xBA);
    }
    static void sort(reg& a, reg& b) {
        reg const lower = _mm512_min_epu32(a, b);
        b = _mm512_max_epu32(a, b);
        a = lower;
    }
    template <unsigned M>
    static reg select(reg a, reg b) {
        reg const lower = _mm512_min_epu32(a, b);
        if constexpr (M == 0) return lower;
        else return _mm512_mask_max_epu32(lower, M, a, b);
    }
    template <int S>
    static reg swap(reg r) {
        if constexpr (S == 1) return _mm512_shuffle_epi32(r, _MM_PERM_CDAB);
        else if constexpr (S == 2) return _mm512_shuffle_epi32(r, _MM_PERM_BADC);
        else if constexpr (S == 4) return _mm512_permutex_epi64(r, 0x4E);
        else return _mm512_shuffle_i64x2(r, r, 0x4E);
    }
    static reg reverse4(reg r) { return _mm512_shuffle_epi32(r, _MM_PERM_ABCD); }
    static reg reverse8(reg r) {
        return _mm512_permutexvar_epi32(
            _mm512_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8), r);
    }
    static reg reverse(reg r) {
        return _mm512_permutexvar_epi32(
            _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), r);
    }
    /// Whether all of `left` have larger upper bits than the last lane of `best`.
    static bool is_behind_last(reg left, reg best, Bits const& bits) {
        reg const last = _mm512_permutexvar_epi32(_mm512_set1_epi32(15), best);
        return _mm512_cmple_epu32_mask(left, _mm512_or_si512(last, bits.index)) == 0;
    }
    static unsigned shares_with_next(reg a, reg next, Bits const& bits) {
        return _mm512_cmple_epu32_mask(_mm512_alignr_epi32(next, a, 1), _mm512_or_si512(a, bits.index));
    }
    /// Puts the keys of these words where the buffer begins.
    template <int R>
    static void take(float* d2, pos_t* position, pos_t n, reg const* word, Bits const& bits) {
        reg d[R], p[R];
#pragma GCC unroll 4
        for (int i = 0; i < R; ++i) {
            d[i] = of_32(d2, word[i]);
            p[i] = of_32(position, word[i]);
        }
        for (pos_t begin = 32; begin < n; begin += 32) {
            __m512i const from = _mm512_set1_epi32(int(begin));
            __m512i const there = _mm512_andnot_si512(_mm512_set1_epi32(31), bits.index);
#pragma GCC unroll 4
            for (int i = 0; i < R; ++i) {
                __mmask16 const m = _mm512_cmpeq_epi32_mask(_mm512_and_si512(word[i], there), from);
                d[i] = _mm512_mask_mov_epi32(d[i], m, of_32(d2 + begin, word[i]));
                p[i] = _mm512_mask_mov_epi32(p[i], m, of_32(position + begin, word[i]));
            }
        }
#pragma GCC unroll 4
        for (int i = 0; i < R; ++i) {
            _mm512_storeu_si512(d2 + 16 * i, d[i]);
            _mm512_storeu_si512(position + 16 * i, p[i]);
        }
    }

  private:
    static __m512i lane() {
        return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
    /// Those of 32 words that the lower five bits of `index` name.
    static __m512i of_32(void const* from, __m512i index) {
        auto const* const words = static_cast<__m512i const*>(from);
        return _mm512_permutex2var_epi32(_mm512_loadu_si512(words), index,
                                         _mm512_loadu_si512(words + 1));
    }
};

/// Words of double keys: as doubles that are neither subnormal nor near infinity, like Float8.
struct DoubleWords8 {
    using real = double;
    using Keys = Double8;
    using reg = __m512i;
    static constexpr int lanes = 8;
    static constexpr unsigned least_bits = 4;  // those that of_16() looks at

    struct Bits {
        explicit Bits(unsigned count) : index(_mm512_set1_epi64((1 << count) - 1)) {}
        __m512i index;
    };

    static reg behind_all() { return _mm512_set1_epi64(0x7fe0000000000000); }
    static reg load(double const* d2, pos_t begin, pos_t n, Bits const& bits) {
        __m512i const half = _mm512_srli_epi64(_mm512_loadu_si512(d2 + begin), 1);  // of infinity, too
        __m512i const index = _mm512_add_epi64(lane(), _mm512_set1_epi64(begin));
        __m512i const word = _mm512_ternarylogic_epi64(half, bits.index, index, 0xBA);
        return _mm512_mask_add_epi64(behind_all(), first_lanes(n > begin ? n - begin : 0), word,
                                     _mm512_set1_epi64(0x0010000000000000));
    }
    static void sort(reg& a, reg& b) { Float8::sort(a, b); }
    template <unsigned M>
    static reg select(reg a, reg b) {
        return Float8::select<M>(a, b);
    }
    template <int S>
    static reg swap(reg r) {
        return swap_lanes<S>(r);
    }
    static reg reverse4(reg r) { return Float8::reverse4(r); }
    static reg reverse(reg r) { return reverse_lanes(r); }
    static bool is_behind_last(reg left, reg best, Bits const& bits) {
        reg const last = _mm512_permutexvar_epi64(_mm512_set1_epi64(7), best);
        return _mm512_cmple_epi64_mask(left, _mm512_or_si512(last, bits.index)) == 0;
    }
    static unsigned shares_with_next(reg a, reg next, Bits const& bits) {
        return _mm512_cmple_epi64_mask(_mm512_alignr_epi64(next, a, 1), _mm512_or_si512(a, bits.index));
    }
    template <int R>
    static void take(double* d2, pos_t* position, pos_t n, reg const* word, Bits const& bits) {
        __m512d d[R];
        __m256i p[R];
#pragma GCC unroll 4
        for (int i = 0; i < R; ++i) {
            d[i] = of_16(d2, word[i]);
            p[i] = of_16(position, word[i]);
        }
        for (pos_t begin = 16; begin < n; begin += 16) {
            __m512i const from = _mm512_set1_epi64(begin);
            __m512i const there = _mm512_andnot_si512(_mm512_set1_epi64(15), bits.index);
#pragma GCC unroll 4
            for (int i = 0; i < R; ++i) {
                __mmask8 const m = _mm512_cmpeq_epi64_mask(_mm512_and_si512(word[i], there), from);
                d[i] = _mm512_mask_mov_pd(d[i], m, of_16(d2 + begin, word[i]));
                p[i] = _mm256_mask_mov_epi32(p[i], m, of_16(position + begin, word[i]));
            }
        }
#pragma GCC unroll 4
        for (int i = 0; i < R; ++i) {
            _mm512_storeu_pd(d2 + 8 * i, d[i]);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(position + 8 * i), p[i]);
        }
    }

  private:
    static __m512i lane() { return _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7); }
    /// Those of 16 that the lower four bits of `index` name.
    static __m512d of_16(double const* from, __m512i index) {
        return _mm512_permutex2var_pd(_mm512_loadu_pd(from), index, _mm512_loadu_pd(from + 8));
    }
    static __m256i of_16(pos_t const* from, __m512i index) {
        return _mm256_permutex2var_epi32(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(from)),
                                         _mm512_cvtepi64_epi32(index),
                                         _mm256_loadu_si256(reinterpret_cast<__m256i const*>(from + 8)));
    }
};

}  // namespace

Selector<float> avx512_selector(float, pos_t k) {
    return words_selector<FloatWords16, 64, Isa::avx512>(k);
}
Selector<double> avx512_selector(double, pos_t k) {
    return words_selector<DoubleWords8, 32, Isa::avx512>(k);
}

}}  // namespace zwalk::v0
