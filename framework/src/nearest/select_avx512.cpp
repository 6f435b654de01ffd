// Sorting networks on AVX-512 registers of eight keys. Compiled for AVX-512; called only where it is.
#include <immintrin.h>

#include "select_isa.hpp"
#include "select_network.hpp"

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

}  // namespace

Selector<float> avx512_selector(float, pos_t k) {
    // Columns of four keys take less than blocks of eight, where keys cross lanes at every step.
    return k <= 16 ? avx2_selector(float{}, k) : selector_for<Float8, Isa::avx512>(k);
}
Selector<double> avx512_selector(double, pos_t k) { return selector_for<Double8, Isa::avx512>(k); }

}}  // namespace zwalk::v0
