// Sorting networks on AVX2 registers of eight words (of doubles: four), or of four keys. Compiled for AVX2; called only where it is.
#include <immintrin.h>

#include "select_isa.hpp"
#include "select_words.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// All bits of the first n lanes of 64 bits.
__m256i first_lanes(pos_t n) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
/// a where the mask is set, else b.
__m256i blend(__m256i mask, __m256i a, __m256i b) { return _mm256_blendv_epi8(b, a, mask); }
/// All bits of the lanes in M.
template <unsigned M>
__m256i lanes_of() {
    return _mm256_setr_epi64x(-(M & 1LL), -(M >> 1 & 1LL), -(M >> 2 & 1LL), -(M >> 3 & 1LL));
}
template <int S>
__m256i swap_lanes(__m256i v) {
    if constexpr (S == 1) return _mm256_shuffle_epi32(v, 0x4E);
    else return _mm256_permute4x64_epi64(v, 0x4E);
}
__m256i widen(pos_t const* p) {
    return _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<__m128i const*>(p)));
}
void store_low_halves(void* to, __m256i v) {
    __m256i const low = _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    _mm_storeu_si128(static_cast<__m128i*>(to), _mm256_castsi256_si128(low));
}

/// Float keys: d2 in the upper half of 64 bits, position below. d2 >= 0, so bits order like values: also
/// like those of doubles, which AVX2 has a minimum and a maximum for. Exponents are raised by one, so that
/// no key is a subnormal double, which a caller's floating-point mode may take for zero.
struct Float4 {
    using real = float;
    using reg = __m256d;
    static constexpr int lanes = 4;
    static __m256i offset() { return _mm256_set1_epi64x(0x0010000000000000); }

    static reg load(float const* d2, pos_t const* position, pos_t n) {
        __m256i const d = _mm256_cvtepu32_epi64(_mm_castps_si128(_mm_loadu_ps(d2)));
        __m256i const key = _mm256_or_si256(_mm256_slli_epi64(d, 32), widen(position));
        return _mm256_castsi256_pd(_mm256_add_epi64(
            blend(first_lanes(n), key, _mm256_set1_epi64x(0x7f800000ffffffff)), offset()));
    }
    static void store(float* d2, pos_t* position, reg key) {
        __m256i const r = _mm256_sub_epi64(_mm256_castpd_si256(key), offset());
        store_low_halves(d2, _mm256_srli_epi64(r, 32));
        store_low_halves(position, r);
    }
    static void sort(reg& a, reg& b) {
        reg const lower = _mm256_min_pd(a, b);
        b = _mm256_max_pd(a, b);
        a = lower;
    }
    /// Lanes in M take the larger key of a and b, the others the smaller.
    template <unsigned M>
    static reg select(reg a, reg b) {
        return _mm256_blend_pd(_mm256_min_pd(a, b), _mm256_max_pd(a, b), M);
    }
    template <int S>
    static reg swap(reg r) {
        return _mm256_castsi256_pd(swap_lanes<S>(_mm256_castpd_si256(r)));
    }
    static reg reverse4(reg r) { return _mm256_permute4x64_pd(r, 0x1B); }
    static reg reverse(reg r) { return reverse4(r); }
};

/// Double keys: d2 as bits, and positions in a second register.
struct Double4 {
    using real = double;
    using words = Float4;
    struct reg {
        __m256i d2, position;
    };
    static constexpr int lanes = 4;

    static reg load(double const* d2, pos_t const* position, pos_t n) {
        __m256i const m = first_lanes(n);
        return {
            blend(m, _mm256_castpd_si256(_mm256_loadu_pd(d2)), _mm256_set1_epi64x(0x7ff0000000000000)),
            blend(m, widen(position), _mm256_set1_epi64x(0xffffffff))};
    }
    static void store(double* d2, pos_t* position, reg const& r) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(d2), r.d2);
        store_low_halves(position, r.position);
    }
    static __m256i greater(reg const& a, reg const& b) {
        __m256i const tie = _mm256_cmpeq_epi64(a.d2, b.d2);
        return _mm256_or_si256(_mm256_cmpgt_epi64(a.d2, b.d2),
                               _mm256_and_si256(tie, _mm256_cmpgt_epi64(a.position, b.position)));
    }
    static reg choose(__m256i m, reg const& a, reg const& b) {
        return {blend(m, a.d2, b.d2), blend(m, a.position, b.position)};
    }
    static void sort(reg& a, reg& b) {
        __m256i const m = greater(a, b);
        reg const lower = choose(m, b, a);
        b = choose(m, a, b);
        a = lower;
    }
    template <unsigned M>
    static reg select(reg const& a, reg const& b) {
        return choose(_mm256_xor_si256(greater(a, b), lanes_of<M>()), b, a);
    }
    template <int S>
    static reg swap(reg const& r) {
        return {swap_lanes<S>(r.d2), swap_lanes<S>(r.position)};
    }
    static reg reverse4(reg const& r) {
        return {_mm256_permute4x64_epi64(r.d2, 0x1B), _mm256_permute4x64_epi64(r.position, 0x1B)};
    }
    static reg reverse(reg const& r) { return reverse4(r); }
};

/// Words of float keys.
struct FloatWords8 {
    using real = float;
    using Keys = Float4;
    using reg = __m256i;
    static constexpr int lanes = 8;
    static constexpr unsigned least_bits = 3;  // those that a permutation looks at

    /// Which bits of a word say where its key is.
    struct Bits {
        explicit Bits(unsigned count) : index(_mm256_set1_epi32((1 << count) - 1)) {}
        __m256i index;
    };

    static reg behind_all() { return _mm256_set1_epi32(0x7fffffff); }
    /// Of keys from `begin` on; behind the n-th they are behind all.
    static reg load(float const* d2, pos_t begin, pos_t n, Bits const& bits) {
        __m256i const at =
            _mm256_add_epi32(_mm256_set1_epi32(int(begin)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        __m256i const word = _mm256_or_si256(_mm256_andnot_si256(bits.index, words_at(d2 + begin)), at);
        return blend(_mm256_cmpgt_epi32(_mm256_set1_epi32(int(n)), at), word, behind_all());
    }
    static void sort(reg& a, reg& b) {
        reg const lower = _mm256_min_epi32(a, b);
        b = _mm256_max_epi32(a, b);
        a = lower;
    }
    template <unsigned M>
    static reg select(reg a, reg b) {
        reg const lower = _mm256_min_epi32(a, b);
        if constexpr (M == 0) return lower;
        else return _mm256_blend_epi32(lower, _mm256_max_epi32(a, b), M);
    }
    template <int S>
    static reg swap(reg r) {
        if constexpr (S == 1) return _mm256_shuffle_epi32(r, 0xB1);
        else if constexpr (S == 2) return _mm256_shuffle_epi32(r, 0x4E);
        else return _mm256_permute4x64_epi64(r, 0x4E);
    }
    static reg reverse4(reg r) { return _mm256_shuffle_epi32(r, 0x1B); }
    static reg reverse(reg r) {
        return _mm256_permutevar8x32_epi32(r, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    }
    /// Whether all of `left` have larger upper bits than the last lane of `best`.
    static bool is_behind_last(reg left, reg best, Bits const& bits) {
        reg const last = _mm256_permutevar8x32_epi32(best, _mm256_set1_epi32(7));
        return each_bit(_mm256_cmpgt_epi32(left, _mm256_or_si256(last, bits.index))) == 0xff;
    }
    static unsigned shares_with_next(reg a, reg next, Bits const& bits) {
        reg const after = _mm256_permutevar8x32_epi32(_mm256_blend_epi32(a, next, 1),
                                                      _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0));
        return 0xff ^ each_bit(_mm256_cmpgt_epi32(after, _mm256_or_si256(a, bits.index)));
    }
    /// Puts the keys of these words where the buffer begins.
    template <int R>
    static void take(float* d2, pos_t* position, pos_t n, reg const* word, Bits const& bits) {
        reg d[R], p[R];
#pragma GCC unroll 8
        for (int i = 0; i < R; ++i) {
            d[i] = _mm256_permutevar8x32_epi32(words_at(d2), word[i]);
            p[i] = _mm256_permutevar8x32_epi32(words_at(position), word[i]);
        }
        __m256i const there = _mm256_andnot_si256(_mm256_set1_epi32(7), bits.index);
        for (pos_t begin = 8; begin < n; begin += 8) {
            __m256i const from = _mm256_set1_epi32(int(begin));
            __m256i const some_d2 = words_at(d2 + begin), some_position = words_at(position + begin);
#pragma GCC unroll 8
            for (int i = 0; i < R; ++i) {
                __m256i const m = _mm256_cmpeq_epi32(_mm256_and_si256(word[i], there), from);
                d[i] = blend(m, _mm256_permutevar8x32_epi32(some_d2, word[i]), d[i]);
                p[i] = blend(m, _mm256_permutevar8x32_epi32(some_position, word[i]), p[i]);
            }
        }
#pragma GCC unroll 8
        for (int i = 0; i < R; ++i) {
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(d2 + 8 * i), d[i]);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(position + 8 * i), p[i]);
        }
    }

  private:
    static __m256i words_at(void const* p) { return _mm256_loadu_si256(static_cast<__m256i const*>(p)); }
    static unsigned each_bit(__m256i m) { return unsigned(_mm256_movemask_ps(_mm256_castsi256_ps(m))); }
};

/// Words of double keys: as doubles that are neither subnormal nor near infinity, like Float4.
struct DoubleWords4 {
    using real = double;
    using Keys = Double4;
    using reg = __m256d;
    static constexpr int lanes = 4;
    static constexpr unsigned least_bits = 1;

    struct Bits {
        explicit Bits(unsigned count) : index(_mm256_set1_epi64x((1 << count) - 1)) {}
        __m256i index;
    };

    static reg behind_all() { return _mm256_castsi256_pd(_mm256_set1_epi64x(0x7fe0000000000000)); }
    static reg load(double const* d2, pos_t begin, pos_t n, Bits const& bits) {
        __m256i const half =  // of infinity, too
            _mm256_srli_epi64(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(d2 + begin)), 1);
        __m256i const at = _mm256_add_epi64(_mm256_set1_epi64x(begin), _mm256_setr_epi64x(0, 1, 2, 3));
        __m256i const word = _mm256_or_si256(_mm256_andnot_si256(bits.index, half), at);
        return _mm256_blendv_pd(behind_all(),
                                _mm256_castsi256_pd(_mm256_add_epi64(word, Float4::offset())),
                                _mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x(n), at)));
    }
    static void sort(reg& a, reg& b) { Float4::sort(a, b); }
    template <unsigned M>
    static reg select(reg a, reg b) {
        return Float4::select<M>(a, b);
    }
    template <int S>
    static reg swap(reg r) {
        return Float4::swap<S>(r);
    }
    static reg reverse4(reg r) { return Float4::reverse4(r); }
    static reg reverse(reg r) { return Float4::reverse4(r); }
    static bool is_behind_last(reg left, reg best, Bits const& bits) {
        return _mm256_movemask_pd(_mm256_cmp_pd(left, end_of(_mm256_permute4x64_pd(best, 0xFF), bits),
                                                _CMP_LE_OQ)) == 0;
    }
    static unsigned shares_with_next(reg a, reg next, Bits const& bits) {
        reg const after = _mm256_permute4x64_pd(_mm256_blend_pd(a, next, 1), 0x39);
        return unsigned(_mm256_movemask_pd(_mm256_cmp_pd(after, end_of(a, bits), _CMP_LE_OQ)));
    }
    template <int R>
    static void take(double* d2, pos_t* position, pos_t, reg const* word, Bits const& bits) {
        alignas(32) std::uint64_t from[4 * R];
        double d[4 * R];
        pos_t p[4 * R];
        for (int i = 0; i < R; ++i)
            _mm256_store_si256(reinterpret_cast<__m256i*>(from + 4 * i),
                               _mm256_and_si256(_mm256_castpd_si256(word[i]), bits.index));
        for (int i = 0; i < 4 * R; ++i) d[i] = d2[from[i]], p[i] = position[from[i]];
        std::copy(d, d + 4 * R, d2);
        std::copy(p, p + 4 * R, position);
    }

  private:
    /// The last words with the upper bits of these.
    static reg end_of(reg a, Bits const& bits) {
        return _mm256_or_pd(a, _mm256_castsi256_pd(bits.index));
    }
};

}  // namespace

Selector<float> avx2_selector(float, pos_t k) { return words_selector<FloatWords8, 64, Isa::avx2>(k); }
Selector<double> avx2_selector(double, pos_t k) {
    return words_selector<DoubleWords4, 32, Isa::avx2>(k);
}

}}  // namespace zwalk::v0
