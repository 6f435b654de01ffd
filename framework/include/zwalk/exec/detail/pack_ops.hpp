// What exec/pack.hpp is made of: operations on simd_width<T> numbers in memory, per instruction set. Loads and stores
// have the width of registers, so that compilers take them away between one operation and the next. (Vectors as
// arguments would do the same, but for compilers without the instruction set they are a change of ABI.)
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "zwalk/exec/simd.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// An integer as wide as T.
template <class T>
using LaneInt = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// All bits of a lane are set where a mask is true.
template <class T, class Ops>
struct LaneMask {
    LaneInt<T> lane[simd_width<T>];

    ZWALK_INLINE LaneMask() { Ops::set(LaneInt<T>(0), lane); }
    ZWALK_INLINE LaneMask(LaneMask const& other) { Ops::copy(other.lane, lane); }
    LaneMask& operator=(LaneMask const&) = delete;
};

/// As loops, which compilers make of them what they can.
template <Isa isa>
struct PackOps {
    template <class T>
    using Mask = LaneMask<T, PackOps>;

#define ZWALK_LANES \
    ZWALK_SIMD_LOOP \
    for (int l = 0; l < simd_width<T>; ++l)
#define ZWALK_OF(T_OR_MASK) \
    template <class T>      \
    static ZWALK_INLINE T_OR_MASK

    ZWALK_OF(void) set(T x, T* out) { ZWALK_LANES out[l] = x; }
    ZWALK_OF(void) copy(T const* a, T* out) { ZWALK_LANES out[l] = a[l]; }
    ZWALK_OF(void) add(T const* a, T const* b, T* out) { ZWALK_LANES out[l] = a[l] + b[l]; }
    ZWALK_OF(void) subtract(T const* a, T const* b, T* out) { ZWALK_LANES out[l] = a[l] - b[l]; }
    ZWALK_OF(void) multiply(T const* a, T const* b, T* out) { ZWALK_LANES out[l] = a[l] * b[l]; }
    ZWALK_OF(void) divide(T const* a, T const* b, T* out) { ZWALK_LANES out[l] = a[l] / b[l]; }
    ZWALK_OF(void) negate(T const* a, T* out) { ZWALK_LANES out[l] = -a[l]; }
    ZWALK_OF(void) magnitude(T const* a, T* out) { ZWALK_LANES out[l] = std::fabs(a[l]); }
    ZWALK_OF(void) sqrt(T const* a, T* out) { ZWALK_LANES out[l] = std::sqrt(a[l]); }
    ZWALK_OF(void) fma(T const* a, T const* b, T const* c, T* out) {
        ZWALK_LANES out[l] = std::fma(a[l], b[l], c[l]);
    }
    ZWALK_OF(Mask<T>) less(T const* a, T const* b) {
        Mask<T> m;
        ZWALK_LANES m.lane[l] = a[l] < b[l] ? -1 : 0;
        return m;
    }
    ZWALK_OF(Mask<T>) at_most(T const* a, T const* b) {
        Mask<T> m;
        ZWALK_LANES m.lane[l] = a[l] <= b[l] ? -1 : 0;
        return m;
    }
    ZWALK_OF(Mask<T>) equal(T const* a, T const* b) {
        Mask<T> m;
        ZWALK_LANES m.lane[l] = a[l] == b[l] ? -1 : 0;
        return m;
    }
    ZWALK_OF(Mask<T>) both(LaneMask<T, PackOps> const& a, LaneMask<T, PackOps> const& b) {
        Mask<T> m;
        ZWALK_LANES m.lane[l] = a.lane[l] & b.lane[l];
        return m;
    }
    ZWALK_OF(Mask<T>) either(LaneMask<T, PackOps> const& a, LaneMask<T, PackOps> const& b) {
        Mask<T> m;
        ZWALK_LANES m.lane[l] = a.lane[l] | b.lane[l];
        return m;
    }
    ZWALK_OF(void) select(LaneMask<T, PackOps> const& m, T const* a, T const* b, T* out) {
        ZWALK_LANES out[l] = m.lane[l] ? a[l] : b[l];
    }
    ZWALK_OF(pos_t) count(LaneMask<T, PackOps> const& m) {
        LaneInt<T> n = 0;
        for (int l = 0; l < simd_width<T>; ++l) n -= m.lane[l];
        return pos_t(n);
    }
    /// One more in the lanes where a mask is true.
    ZWALK_OF(void) count_lanes(LaneMask<T, PackOps> const& m, LaneInt<T>* n) {
        ZWALK_LANES n[l] -= m.lane[l];
    }
    /// Halves are added until one number is left.
    ZWALK_OF(T) sum(T const* a) {
        T half[simd_width<T>];
        for (int l = 0; l < simd_width<T>; ++l) half[l] = a[l];
        for (int n = simd_width<T> / 2; n > 0; n /= 2)
            for (int l = 0; l < n; ++l) half[l] += half[l + n];
        return half[0];
    }
    /// Columns of as many rows as a pack of doubles has lanes, packs one behind the other. `columns` is a multiple of 4.
    static ZWALK_INLINE void transpose(double const* rows, int columns, double* packs) {
        for (int c = 0; c < columns; ++c)
            for (int l = 0; l < simd_width<double>; ++l)
                packs[c * simd_width<double> + l] = rows[l * columns + c];
    }
#undef ZWALK_OF
#undef ZWALK_LANES
};

#if ZWALK_X86_KERNELS

/// A register of `bytes` bytes of T, and the same anywhere in memory.
template <class T, int bytes>
struct Register;
#define ZWALK_REGISTER(T, bytes)                                                              \
    template <>                                                                               \
    struct Register<T, bytes> {                                                               \
        typedef T type __attribute__((vector_size(bytes)));                                   \
        typedef T memory __attribute__((vector_size(bytes), aligned(alignof(T)), may_alias)); \
    };
ZWALK_REGISTER(float, 32)
ZWALK_REGISTER(double, 32)
ZWALK_REGISTER(std::int32_t, 32)
ZWALK_REGISTER(std::int64_t, 32)
ZWALK_REGISTER(float, 64)
ZWALK_REGISTER(double, 64)
ZWALK_REGISTER(std::int32_t, 64)
ZWALK_REGISTER(std::int64_t, 64)
#undef ZWALK_REGISTER

// Lambdas and function objects have no instruction set of their own, so each operation is written out.
#define ZWALK_PARTS for (int i = 0; i < simd_width<T>; i += step<T>)
#define ZWALK_AT(pointer) (*reinterpret_cast<Memory<T> const*>(pointer + i))
#define ZWALK_PUT(pointer) *reinterpret_cast<Memory<T>*>(pointer + i)
// The operations that are plain expressions of registers.
#define ZWALK_PLAIN_OPS(OF)                                                               \
    OF(void) set(T x, T* out) { ZWALK_PARTS ZWALK_PUT(out) = x - Vector<T>{}; }           \
    OF(void) copy(T const* a, T* out) { ZWALK_PARTS ZWALK_PUT(out) = ZWALK_AT(a); }       \
    OF(void) add(T const* a, T const* b, T* out) {                                        \
        ZWALK_PARTS ZWALK_PUT(out) = ZWALK_AT(a) + ZWALK_AT(b);                           \
    }                                                                                     \
    OF(void) subtract(T const* a, T const* b, T* out) {                                   \
        ZWALK_PARTS ZWALK_PUT(out) = ZWALK_AT(a) - ZWALK_AT(b);                           \
    }                                                                                     \
    OF(void) multiply(T const* a, T const* b, T* out) {                                   \
        ZWALK_PARTS ZWALK_PUT(out) = ZWALK_AT(a) * ZWALK_AT(b);                           \
    }                                                                                     \
    OF(void) divide(T const* a, T const* b, T* out) {                                     \
        ZWALK_PARTS ZWALK_PUT(out) = ZWALK_AT(a) / ZWALK_AT(b);                           \
    }                                                                                     \
    OF(void) negate(T const* a, T* out) { ZWALK_PARTS ZWALK_PUT(out) = -ZWALK_AT(a); }    \
    OF(void) sqrt(T const* a, T* out) { ZWALK_PARTS ZWALK_PUT(out) = root(ZWALK_AT(a)); } \
    OF(void) fma(T const* a, T const* b, T const* c, T* out) {                            \
        ZWALK_PARTS ZWALK_PUT(out) = multiply_add(ZWALK_AT(a), ZWALK_AT(b), ZWALK_AT(c)); \
    }

template <>
struct PackOps<Isa::avx2> {
    template <class T>
    using Mask = LaneMask<T, PackOps>;
    template <class T>
    using Vector = typename Register<T, 32>::type;
    template <class T>
    using Memory = typename Register<T, 32>::memory;
    template <class T>
    static constexpr int step = 32 / int(sizeof(T));

#define ZWALK_AVX2 [[gnu::target(ZWALK_TARGET_AVX2)]] static inline
#define ZWALK_OF(type) \
    template <class T> \
    ZWALK_AVX2 type
    ZWALK_AVX2 Vector<float> root(Vector<float> x) { return _mm256_sqrt_ps(x); }
    ZWALK_AVX2 Vector<double> root(Vector<double> x) { return _mm256_sqrt_pd(x); }
    ZWALK_AVX2 Vector<float> multiply_add(Vector<float> x, Vector<float> y, Vector<float> z) {
        return _mm256_fmadd_ps(x, y, z);
    }
    ZWALK_AVX2 Vector<double> multiply_add(Vector<double> x, Vector<double> y, Vector<double> z) {
        return _mm256_fmadd_pd(x, y, z);
    }
    ZWALK_PLAIN_OPS(ZWALK_OF)
    ZWALK_OF(void) magnitude(T const* a, T* out) {
        ZWALK_PARTS ZWALK_PUT(out) = Vector<T>(Vector<LaneInt<T>>(ZWALK_AT(a)) & positive<T>);
    }
    ZWALK_OF(Mask<T>) less(T const* a, T const* b) {
        Mask<T> m;
        ZWALK_PARTS put(m, i, ZWALK_AT(a) < ZWALK_AT(b));
        return m;
    }
    ZWALK_OF(Mask<T>) at_most(T const* a, T const* b) {
        Mask<T> m;
        ZWALK_PARTS put(m, i, ZWALK_AT(a) <= ZWALK_AT(b));
        return m;
    }
    ZWALK_OF(Mask<T>) equal(T const* a, T const* b) {
        Mask<T> m;
        ZWALK_PARTS put(m, i, ZWALK_AT(a) == ZWALK_AT(b));
        return m;
    }
    ZWALK_OF(Mask<T>) both(LaneMask<T, PackOps> const& a, LaneMask<T, PackOps> const& b) {
        Mask<T> m;
        ZWALK_PARTS put(m, i, at(a, i) & at(b, i));
        return m;
    }
    ZWALK_OF(Mask<T>) either(LaneMask<T, PackOps> const& a, LaneMask<T, PackOps> const& b) {
        Mask<T> m;
        ZWALK_PARTS put(m, i, at(a, i) | at(b, i));
        return m;
    }
    ZWALK_OF(void) select(LaneMask<T, PackOps> const& m, T const* a, T const* b, T* out) {
        ZWALK_PARTS ZWALK_PUT(out) = at(m, i) ? ZWALK_AT(a) : ZWALK_AT(b);
    }
    ZWALK_AVX2 pos_t count(Mask<float> const& m) {
        auto const bits = [&](int i) __attribute__((target(ZWALK_TARGET_AVX2))) {
            return std::uint32_t(_mm256_movemask_ps(Vector<float>(at(m, i))));
        };
        return pos_t(_mm_popcnt_u32(bits(0) | bits(8) << 8));
    }
    ZWALK_AVX2 pos_t count(Mask<double> const& m) {
        auto const bits = [&](int i) __attribute__((target(ZWALK_TARGET_AVX2))) {
            return std::uint32_t(_mm256_movemask_pd(Vector<double>(at(m, i))));
        };
        return pos_t(_mm_popcnt_u32(bits(0) | bits(4) << 4));
    }
    ZWALK_OF(void) count_lanes(LaneMask<T, PackOps> const& m, LaneInt<T>* n) {
        ZWALK_PARTS { *reinterpret_cast<Memory<LaneInt<T>>*>(n + i) -= at(m, i); }
    }
    ZWALK_AVX2 float sum(float const* a) {
        return sum_of_half(_mm256_add_ps(_mm256_loadu_ps(a), _mm256_loadu_ps(a + 8)));
    }
    ZWALK_AVX2 double sum(double const* a) {
        return sum_of_half(_mm256_add_pd(_mm256_loadu_pd(a), _mm256_loadu_pd(a + 4)));
    }
    // In the order of the plain loops.
    ZWALK_AVX2 float sum_of_half(__m256 a) {
        __m128 const b = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
        __m128 const c = _mm_add_ps(b, _mm_movehl_ps(b, b));
        return _mm_cvtss_f32(_mm_add_ss(c, _mm_movehdup_ps(c)));
    }
    ZWALK_AVX2 double sum_of_half(__m256d a) {
        __m128d const b = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
        return _mm_cvtsd_f64(_mm_add_sd(b, _mm_unpackhi_pd(b, b)));
    }

    ZWALK_AVX2 void transpose(double const* rows, int columns, double* packs) {
        for (int l = 0; l < simd_width<double>; l += 4)
            for (int c = 0; c < columns; c += 4)
                transpose4(rows + l * columns + c, columns, packs + c * simd_width<double> + l);
    }

  private:
    /// Four rows of four.
    ZWALK_AVX2 void transpose4(double const* rows, int columns, double* out) {
        __m256d const a = _mm256_loadu_pd(rows), b = _mm256_loadu_pd(rows + columns),
                      c = _mm256_loadu_pd(rows + 2 * columns), d = _mm256_loadu_pd(rows + 3 * columns);
        __m256d const ab0 = _mm256_unpacklo_pd(a, b), ab1 = _mm256_unpackhi_pd(a, b),
                      cd0 = _mm256_unpacklo_pd(c, d), cd1 = _mm256_unpackhi_pd(c, d);
        constexpr int W = simd_width<double>;
        _mm256_storeu_pd(out, _mm256_permute2f128_pd(ab0, cd0, 0x20));
        _mm256_storeu_pd(out + W, _mm256_permute2f128_pd(ab1, cd1, 0x20));
        _mm256_storeu_pd(out + 2 * W, _mm256_permute2f128_pd(ab0, cd0, 0x31));
        _mm256_storeu_pd(out + 3 * W, _mm256_permute2f128_pd(ab1, cd1, 0x31));
    }
    template <class T>
    static constexpr LaneInt<T> positive = std::is_same_v<T, float> ? 0x7fffffff : 0x7fffffffffffffff;
    ZWALK_OF(Vector<LaneInt<T>>) at(LaneMask<T, PackOps> const& m, int i) {
        return *reinterpret_cast<Memory<LaneInt<T>> const*>(m.lane + i);
    }
    template <class T, class V>
    ZWALK_AVX2 void put(LaneMask<T, PackOps>& m, int i, V const& v) {
        *reinterpret_cast<Memory<LaneInt<T>>*>(m.lane + i) = Vector<LaneInt<T>>(v);
    }
#undef ZWALK_OF
#undef ZWALK_AVX2
};

template <>
struct PackOps<Isa::avx512> {
    /// Bit l: lane l.
    template <class T>
    struct Mask {
        std::uint32_t bits;
    };
    template <class T>
    using Vector = typename Register<T, 64>::type;
    template <class T>
    using Memory = typename Register<T, 64>::memory;
    template <class T>
    static constexpr int step = 64 / int(sizeof(T));

#define ZWALK_AVX512 [[gnu::target(ZWALK_TARGET_AVX512)]] static inline
#define ZWALK_OF(type) \
    template <class T> \
    ZWALK_AVX512 type
    // With all lanes by mask: the plain forms make g++ 12 warn.
    ZWALK_AVX512 Vector<float> root(Vector<float> x) { return _mm512_maskz_sqrt_ps(0xffff, x); }
    ZWALK_AVX512 Vector<double> root(Vector<double> x) { return _mm512_maskz_sqrt_pd(0xff, x); }
    ZWALK_AVX512 Vector<float> multiply_add(Vector<float> x, Vector<float> y, Vector<float> z) {
        return _mm512_fmadd_ps(x, y, z);
    }
    ZWALK_AVX512 Vector<double> multiply_add(Vector<double> x, Vector<double> y, Vector<double> z) {
        return _mm512_fmadd_pd(x, y, z);
    }
    ZWALK_PLAIN_OPS(ZWALK_OF)
    ZWALK_AVX512 void magnitude(float const* a, float* out) {
        _mm512_storeu_ps(out, _mm512_abs_ps(_mm512_loadu_ps(a)));
    }
    ZWALK_AVX512 void magnitude(double const* a, double* out) {
        _mm512_storeu_pd(out, _mm512_abs_pd(_mm512_loadu_pd(a)));
    }
    ZWALK_AVX512 Mask<float> less(float const* a, float const* b) { return compare<_CMP_LT_OQ>(a, b); }
    ZWALK_AVX512 Mask<double> less(double const* a, double const* b) {
        return compare<_CMP_LT_OQ>(a, b);
    }
    ZWALK_AVX512 Mask<float> at_most(float const* a, float const* b) {
        return compare<_CMP_LE_OQ>(a, b);
    }
    ZWALK_AVX512 Mask<double> at_most(double const* a, double const* b) {
        return compare<_CMP_LE_OQ>(a, b);
    }
    ZWALK_AVX512 Mask<float> equal(float const* a, float const* b) { return compare<_CMP_EQ_OQ>(a, b); }
    ZWALK_AVX512 Mask<double> equal(double const* a, double const* b) {
        return compare<_CMP_EQ_OQ>(a, b);
    }
    ZWALK_OF(Mask<T>) both(Mask<T> a, Mask<T> b) { return {a.bits & b.bits}; }
    ZWALK_OF(Mask<T>) either(Mask<T> a, Mask<T> b) { return {a.bits | b.bits}; }
    ZWALK_AVX512 void select(Mask<float> m, float const* a, float const* b, float* out) {
        _mm512_storeu_ps(
            out, _mm512_mask_blend_ps(__mmask16(m.bits), _mm512_loadu_ps(b), _mm512_loadu_ps(a)));
    }
    ZWALK_AVX512 void select(Mask<double> m, double const* a, double const* b, double* out) {
        _mm512_storeu_pd(out,
                         _mm512_mask_blend_pd(__mmask8(m.bits), _mm512_loadu_pd(b), _mm512_loadu_pd(a)));
    }
    ZWALK_OF(pos_t) count(Mask<T> m) { return pos_t(_mm_popcnt_u32(m.bits)); }
    ZWALK_AVX512 void count_lanes(Mask<float> m, std::int32_t* n) {
        __m512i const before = _mm512_loadu_si512(n);
        _mm512_storeu_si512(
            n, _mm512_mask_add_epi32(before, __mmask16(m.bits), before, _mm512_set1_epi32(1)));
    }
    ZWALK_AVX512 void count_lanes(Mask<double> m, std::int64_t* n) {
        __m512i const before = _mm512_loadu_si512(n);
        _mm512_storeu_si512(
            n, _mm512_mask_add_epi64(before, __mmask8(m.bits), before, _mm512_set1_epi64(1)));
    }
    // Not by intrinsics, which make g++ 12 warn.
    ZWALK_AVX512 float sum(float const* a) {
        Vector<float> const all = *reinterpret_cast<Memory<float> const*>(a);
        return PackOps<Isa::avx2>::sum_of_half(
            __builtin_shufflevector(all, all, 0, 1, 2, 3, 4, 5, 6, 7) +
            __builtin_shufflevector(all, all, 8, 9, 10, 11, 12, 13, 14, 15));
    }
    ZWALK_AVX512 double sum(double const* a) {
        Vector<double> const all = *reinterpret_cast<Memory<double> const*>(a);
        return PackOps<Isa::avx2>::sum_of_half(__builtin_shufflevector(all, all, 0, 1, 2, 3) +
                                               __builtin_shufflevector(all, all, 4, 5, 6, 7));
    }
    ZWALK_AVX512 void transpose(double const* rows, int columns, double* packs) {
        PackOps<Isa::avx2>::transpose(rows, columns, packs);
    }

  private:
    template <int how>
    ZWALK_AVX512 Mask<float> compare(float const* a, float const* b) {
        return {_mm512_cmp_ps_mask(_mm512_loadu_ps(a), _mm512_loadu_ps(b), how)};
    }
    template <int how>
    ZWALK_AVX512 Mask<double> compare(double const* a, double const* b) {
        return {_mm512_cmp_pd_mask(_mm512_loadu_pd(a), _mm512_loadu_pd(b), how)};
    }
#undef ZWALK_OF
#undef ZWALK_AVX512
};
#undef ZWALK_PLAIN_OPS
#undef ZWALK_PUT
#undef ZWALK_AT
#undef ZWALK_PARTS

#endif

}}}  // namespace zwalk::v0::detail
