// Sorting networks on AVX2 registers of four keys. Compiled for AVX2; called only where it is.
#include <immintrin.h>

#include "select_columns.hpp"
#include "select_isa.hpp"
#include "select_network.hpp"

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
    /// a0 b0 a2 b2; a1 b1 a3 b3; a0 a1 b2 b3.
    static reg lower_of_pairs(reg a, reg b) { return _mm256_unpacklo_pd(a, b); }
    static reg upper_of_pairs(reg a, reg b) { return _mm256_unpackhi_pd(a, b); }
    static reg halves(reg a, reg b) { return _mm256_blend_pd(a, b, 0xC); }
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

}  // namespace

Selector<float> avx2_selector(float, pos_t k) {
    return k <= 16 ? columns_selector<Float4>(k) : selector_for<Float4, Isa::avx2>(k);
}
Selector<double> avx2_selector(double, pos_t k) { return selector_for<Double4, Isa::avx2>(k); }

}}  // namespace zwalk::v0
