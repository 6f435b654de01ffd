// Operations that a SIMD loop can't express in C++, per instruction set. Everything else is a loop over lanes.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "zwalk/core/index.hpp"
#include "zwalk/exec/isa.hpp"
#if ZWALK_X86_KERNELS
#include <immintrin.h>
#endif

// Lanes don't depend on each other. g++ would rather unroll a loop of 16 rounds whole, and then fails
// to turn what it got into SIMD. NEON's registers hold a quarter of a block: there the four rounds that are
// left are unrolled, and sums stay in registers.
#if defined(__CUDACC__)
#define ZWALK_SIMD_LOOP
#define ZWALK_AXES_LOOP ZWALK_UNROLL
#elif defined(__clang__)
#define ZWALK_SIMD_LOOP _Pragma("clang loop vectorize(enable)")
#define ZWALK_AXES_LOOP
#else
#if defined(__aarch64__)
#define ZWALK_SIMD_LOOP _Pragma("GCC ivdep") _Pragma("GCC unroll 4")
#define ZWALK_BITS_LOOP ZWALK_SIMD_LOOP
#else
#define ZWALK_SIMD_LOOP _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#endif
// The loop over axes around SIMD loops: unrolled, sums stay in registers.
#define ZWALK_AXES_LOOP _Pragma("GCC unroll 8")
#endif
// A loop over lanes that gathers bits: SIMD where lanes can be shifted by different numbers.
#if !defined(ZWALK_BITS_LOOP)
#define ZWALK_BITS_LOOP
#endif

namespace zwalk { inline namespace v0 {

/// Lanes of a block of T: one AVX-512 register, two of AVX2.
template <class T>
inline constexpr int simd_width = 64 / int(sizeof(T));

/// Bits of the lanes that `count` elements fill, 1 <= count <= 64.
ZWALK_CPU_INLINE std::uint32_t lanes_below(pos_t count, unsigned width) {
    return std::uint32_t(~(~std::uint64_t(1) << (count - 1))) & ((1U << width) - 1);
}

/// Operations on a block of simd_width<T> lanes; memory must hold a whole block.
template <Isa isa>
struct Simd {
    /// Bit l is set where a[l] <= limit.
    template <class T>
    static ZWALK_CPU_INLINE std::uint32_t at_most(T const* a, T limit) {
        std::uint32_t bits = 0;
        ZWALK_BITS_LOOP
        for (int l = 0; l < simd_width<T>; ++l) bits |= std::uint32_t(a[l] <= limit) << l;
        return bits;
    }
    /// Bit l is set where a[l] >= limit.
    template <class T>
    static ZWALK_CPU_INLINE std::uint32_t at_least(T const* a, T limit) {
        std::uint32_t bits = 0;
        ZWALK_BITS_LOOP
        for (int l = 0; l < simd_width<T>; ++l) bits |= std::uint32_t(a[l] >= limit) << l;
        return bits;
    }
    /// Bit l is set where a[l] <= limit[l].
    template <class T>
    static ZWALK_CPU_INLINE std::uint32_t at_most(T const* a, T const* limit) {
        std::uint32_t bits = 0;
        ZWALK_BITS_LOOP
        for (int l = 0; l < simd_width<T>; ++l) bits |= std::uint32_t(a[l] <= limit[l]) << l;
        return bits;
    }
    /// Bit l is set where a[l] != value; always of a block of 32-bit lanes.
    static ZWALK_CPU_INLINE std::uint32_t differ(pos_t const* a, pos_t value) {
        std::uint32_t bits = 0;
        ZWALK_BITS_LOOP
        for (int l = 0; l < simd_width<pos_t>; ++l) bits |= std::uint32_t(a[l] != value) << l;
        return bits;
    }
    /// Moves the lowest popcount(mask) bits of `bits` to the places of the set bits of `mask`.
    static ZWALK_INLINE std::uint64_t deposit(std::uint64_t bits, std::uint64_t mask) {
        std::uint64_t out = 0;
        for (; mask; mask &= mask - 1, bits >>= 1)
            if (bits & 1) out |= mask & (~mask + 1);
        return out;
    }
    /// Writes a[l] and b[l] of the lanes l in `bits`, closed up, and returns their number. What lies
    /// behind them, up to a whole block, may be overwritten. The outputs may be the inputs, or begin
    /// before them.
    template <class T>
    static ZWALK_CPU_INLINE unsigned compress(std::uint32_t bits, T const* a, pos_t const* b, T* out_a,
                                              pos_t* out_b) {
        unsigned n = 0;
        for (; bits;
             bits &= bits - 1, ++n) {  // few are set: half the instructions of a copy of each lane
            int const l = std::countr_zero(bits);
            out_a[n] = a[l];
            out_b[n] = b[l];
        }
        return n;
    }
    /// Writes a[l] and first + l of the lanes l in `bits` from out_a[n] and out_b[n] on, closed up, and returns where they end.
    /// What lies behind them, up to a whole block, may be overwritten.
    template <class T>
    static ZWALK_CPU_INLINE std::size_t append(std::uint32_t bits, T const* a, pos_t first, T* out_a,
                                               pos_t* out_b, std::size_t n) {
        for (; bits; bits &= bits - 1, ++n) {
            int const l = std::countr_zero(bits);
            out_a[n] = a[l];
            out_b[n] = first + pos_t(l);
        }
        return n;
    }
};

#if ZWALK_X86_KERNELS

namespace detail {

/// Row m: the set bits of m, in order, as indices for a permutation of 8 lanes.
struct CompressTable {
    alignas(64) std::uint8_t row[256][8];
    constexpr CompressTable() : row() {
        for (unsigned m = 0; m < 256; ++m)
            for (unsigned bit = 0, n = 0; bit < 8; ++bit)
                if (m >> bit & 1) row[m][n++] = std::uint8_t(bit);
    }
};
inline constexpr CompressTable compress_table{};

}  // namespace detail

template <>
struct Simd<Isa::avx2> {
#define ZWALK_AVX2 [[gnu::target(ZWALK_TARGET_AVX2)]] static inline
    ZWALK_AVX2 std::uint32_t at_most(float const* a, float limit) {
        __m256 const v = _mm256_set1_ps(limit);
        return bits(a, v) | bits(a + 8, v) << 8;
    }
    ZWALK_AVX2 std::uint32_t at_least(float const* a, float limit) {
        __m256 const v = _mm256_set1_ps(limit);
        auto const of = [&](float const* h) __attribute__((target(ZWALK_TARGET_AVX2))) {
            return std::uint32_t(_mm256_movemask_ps(_mm256_cmp_ps(v, _mm256_loadu_ps(h), _CMP_LE_OQ)));
        };
        return of(a) | of(a + 8) << 8;
    }
    ZWALK_AVX2 std::uint32_t at_least(double const* a, double limit) {
        __m256d const v = _mm256_set1_pd(limit);
        auto const of = [&](double const* h) __attribute__((target(ZWALK_TARGET_AVX2))) {
            return std::uint32_t(_mm256_movemask_pd(_mm256_cmp_pd(v, _mm256_loadu_pd(h), _CMP_LE_OQ)));
        };
        return of(a) | of(a + 4) << 4;
    }
    ZWALK_AVX2 std::uint32_t at_most(float const* a, float const* limit) {
        return bits(a, _mm256_loadu_ps(limit)) | bits(a + 8, _mm256_loadu_ps(limit + 8)) << 8;
    }
    ZWALK_AVX2 std::uint32_t at_most(double const* a, double limit) {
        __m256d const v = _mm256_set1_pd(limit);
        return bits(a, v) | bits(a + 4, v) << 4;
    }
    ZWALK_AVX2 std::uint32_t at_most(double const* a, double const* limit) {
        return bits(a, _mm256_loadu_pd(limit)) | bits(a + 4, _mm256_loadu_pd(limit + 4)) << 4;
    }
    ZWALK_AVX2 std::uint32_t differ(pos_t const* a, pos_t value) {
        __m256i const v = _mm256_set1_epi32(int(value));
        auto const of = [&](pos_t const* h) __attribute__((target(ZWALK_TARGET_AVX2))) {
            __m256i const same =
                _mm256_cmpeq_epi32(v, _mm256_loadu_si256(reinterpret_cast<__m256i const*>(h)));
            return std::uint32_t(_mm256_movemask_ps(_mm256_castsi256_ps(same))) ^ 0xffU;
        };
        return of(a) | of(a + 8) << 8;
    }
    ZWALK_AVX2 std::uint64_t deposit(std::uint64_t bits, std::uint64_t mask) {
        return _pdep_u64(bits, mask);
    }
    ZWALK_AVX2 unsigned compress(std::uint32_t mask, float const* a, pos_t const* b, float* out_a,
                                 pos_t* out_b) {
        unsigned const n = half(mask & 255, a, b, out_a, out_b);
        return n + half(mask >> 8 & 255, a + 8, b + 8, out_a + n, out_b + n);
    }
    ZWALK_AVX2 unsigned compress(std::uint32_t mask, double const* a, pos_t const* b, double* out_a,
                                 pos_t* out_b) {
        _mm256_storeu_si256(
            reinterpret_cast<__m256i*>(out_b),
            _mm256_permutevar8x32_epi32(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(b)),
                                        row(mask & 255)));
        // Four doubles are eight lanes of 32 bits, so each half of the block is closed up by itself.
        unsigned const n = quarter(mask & 15, a, out_a);
        return n + quarter(mask >> 4 & 15, a + 4, out_a + n);
    }

    ZWALK_AVX2 std::size_t append(std::uint32_t mask, float const* a, pos_t first, float* out_a,
                                  pos_t* out_b, std::size_t n) {
        __m256i const from = _mm256_set1_epi32(int(first));
        n = append_half(mask & 255, a, from, out_a, out_b, n);
        return append_half(mask >> 8, a + 8, _mm256_add_epi32(from, _mm256_set1_epi32(8)), out_a, out_b,
                           n);
    }
    ZWALK_AVX2 std::size_t append(std::uint32_t mask, double const* a, pos_t first, double* out_a,
                                  pos_t* out_b, std::size_t n) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out_b + n),
                            _mm256_add_epi32(row(mask), _mm256_set1_epi32(int(first))));
        n += quarter(mask & 15, a, out_a + n);
        return n + quarter(mask >> 4, a + 4, out_a + n);
    }

  private:
    ZWALK_AVX2 std::size_t append_half(std::uint32_t mask, float const* a, __m256i first, float* out_a,
                                       pos_t* out_b, std::size_t n) {
        __m256i const from = row(mask);
        _mm256_storeu_ps(out_a + n, _mm256_permutevar8x32_ps(_mm256_loadu_ps(a), from));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out_b + n), _mm256_add_epi32(from, first));
        return n + std::size_t(_mm_popcnt_u64(mask));
    }
    ZWALK_AVX2 std::uint32_t bits(float const* a, __m256 limit) {
        return std::uint32_t(_mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(a), limit, _CMP_LE_OQ)));
    }
    ZWALK_AVX2 std::uint32_t bits(double const* a, __m256d limit) {
        return std::uint32_t(_mm256_movemask_pd(_mm256_cmp_pd(_mm256_loadu_pd(a), limit, _CMP_LE_OQ)));
    }
    ZWALK_AVX2 __m256i row(std::uint32_t mask) {
        return _mm256_cvtepu8_epi32(
            _mm_loadl_epi64(reinterpret_cast<__m128i const*>(detail::compress_table.row[mask])));
    }
    ZWALK_AVX2 unsigned half(std::uint32_t mask, float const* a, pos_t const* b, float* out_a,
                             pos_t* out_b) {
        __m256i const from = row(mask);
        __m256i const kept =
            _mm256_permutevar8x32_epi32(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(b)), from);
        _mm256_storeu_ps(out_a, _mm256_permutevar8x32_ps(_mm256_loadu_ps(a), from));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out_b), kept);
        return unsigned(_mm_popcnt_u32(mask));
    }
    ZWALK_AVX2 unsigned quarter(std::uint32_t mask, double const* a, double* out) {
        std::uint32_t const pairs = _pdep_u32(mask, 0x55) * 3;  // each bit twice
        __m256 const v = _mm256_castpd_ps(_mm256_loadu_pd(a));
        _mm256_storeu_pd(out, _mm256_castps_pd(_mm256_permutevar8x32_ps(v, row(pairs))));
        return unsigned(_mm_popcnt_u32(mask));
    }
#undef ZWALK_AVX2
};

template <>
struct Simd<Isa::avx512> {
#define ZWALK_AVX512 [[gnu::target(ZWALK_TARGET_AVX512)]] static inline
    ZWALK_AVX512 std::uint32_t at_most(float const* a, float limit) {
        return _mm512_cmp_ps_mask(_mm512_loadu_ps(a), _mm512_set1_ps(limit), _CMP_LE_OQ);
    }
    ZWALK_AVX512 std::uint32_t at_least(float const* a, float limit) {
        return _mm512_cmp_ps_mask(_mm512_loadu_ps(a), _mm512_set1_ps(limit), _CMP_GE_OQ);
    }
    ZWALK_AVX512 std::uint32_t at_least(double const* a, double limit) {
        return _mm512_cmp_pd_mask(_mm512_loadu_pd(a), _mm512_set1_pd(limit), _CMP_GE_OQ);
    }
    ZWALK_AVX512 std::uint32_t at_most(float const* a, float const* limit) {
        return _mm512_cmp_ps_mask(_mm512_loadu_ps(a), _mm512_loadu_ps(limit), _CMP_LE_OQ);
    }
    ZWALK_AVX512 std::uint32_t at_most(double const* a, double limit) {
        return _mm512_cmp_pd_mask(_mm512_loadu_pd(a), _mm512_set1_pd(limit), _CMP_LE_OQ);
    }
    ZWALK_AVX512 std::uint32_t at_most(double const* a, double const* limit) {
        return _mm512_cmp_pd_mask(_mm512_loadu_pd(a), _mm512_loadu_pd(limit), _CMP_LE_OQ);
    }
    ZWALK_AVX512 std::uint32_t differ(pos_t const* a, pos_t value) {
        return _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(a), _mm512_set1_epi32(int(value)));
    }
    ZWALK_AVX512 std::uint64_t deposit(std::uint64_t bits, std::uint64_t mask) {
        return _pdep_u64(bits, mask);
    }
    // Compressed in a register, then stored: the form that compresses into memory is slow on Zen 4.
    ZWALK_AVX512 unsigned compress(std::uint32_t mask, float const* a, pos_t const* b, float* out_a,
                                   pos_t* out_b) {
        auto const m = __mmask16(mask);
        __m512i const kept = _mm512_maskz_compress_epi32(m, _mm512_loadu_si512(b));
        _mm512_storeu_ps(out_a, _mm512_maskz_compress_ps(m, _mm512_loadu_ps(a)));
        _mm512_storeu_si512(out_b, kept);
        return unsigned(_mm_popcnt_u32(mask));
    }
    ZWALK_AVX512 unsigned compress(std::uint32_t mask, double const* a, pos_t const* b, double* out_a,
                                   pos_t* out_b) {
        auto const m = __mmask8(mask);
        __m256i const kept =
            _mm256_maskz_compress_epi32(m, _mm256_loadu_si256(reinterpret_cast<__m256i const*>(b)));
        _mm512_storeu_pd(out_a, _mm512_maskz_compress_pd(m, _mm512_loadu_pd(a)));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out_b), kept);
        return unsigned(_mm_popcnt_u32(mask));
    }
    ZWALK_AVX512 std::size_t append(std::uint32_t mask, float const* a, pos_t first, float* out_a,
                                    pos_t* out_b, std::size_t n) {
        auto const m = __mmask16(mask);
        __m512i const lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        __m512i const all = _mm512_add_epi32(lane, _mm512_set1_epi32(int(first)));
        _mm512_storeu_ps(out_a + n, _mm512_maskz_compress_ps(m, _mm512_loadu_ps(a)));
        _mm512_storeu_si512(out_b + n, _mm512_maskz_compress_epi32(m, all));
        return n + std::size_t(_mm_popcnt_u64(mask));
    }
    ZWALK_AVX512 std::size_t append(std::uint32_t mask, double const* a, pos_t first, double* out_a,
                                    pos_t* out_b, std::size_t n) {
        auto const m = __mmask8(mask);
        __m256i const lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        __m256i const all = _mm256_add_epi32(lane, _mm256_set1_epi32(int(first)));
        _mm512_storeu_pd(out_a + n, _mm512_maskz_compress_pd(m, _mm512_loadu_pd(a)));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out_b + n), _mm256_maskz_compress_epi32(m, all));
        return n + std::size_t(_mm_popcnt_u64(mask));
    }
#undef ZWALK_AVX512
};

#endif

}}  // namespace zwalk::v0
