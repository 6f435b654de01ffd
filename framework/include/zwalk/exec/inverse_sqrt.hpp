// 1 / sqrt(x) for a fraction of the time of a square root and a division, of numbers and of packs, with the same bits on every
// place.
//
//   V inverse = inverse_sqrt_of(d2);     // V: float, double, or a Pack of them
//
// Not correctly rounded: wrong by less than 1.4 units in the last place of a float, and 1 of a double, where 1 / sqrt_of(x)
// is wrong by up to 1.5. Instructions that estimate it differ between CPUs, so the estimate is made of x's bits: those of
// c - bits / 2 are some y with y^2 x = 1 within 7 % (up to a factor; the idea is Cleve Moler's and Gregory Walsh's). Two
// periods of that error, x in [1, 4), are all that there is, since it is exact to multiply x by 4.
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "zwalk/core/bits.hpp"
#include "zwalk/exec/pack.hpp"

namespace zwalk { inline namespace v0 {

namespace detail {

/// A word as wide as T. Unsigned: AVX2 has no shift of 64-bit numbers with a sign.
template <class T>
using WordOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// c - bits / 2 of simd_width<T> numbers in memory, per instruction set: see exec/detail/pack_ops.hpp.
template <Isa isa>
struct HalvedBits {
    template <class T>
    static ZWALK_INLINE void from(WordOf<T> c, T const* x, T* out) {
        ZWALK_SIMD_LOOP
        for (int l = 0; l < simd_width<T>; ++l)
            out[l] = bit_cast_to<T>(WordOf<T>(c - (bit_cast_to<WordOf<T>>(x[l]) >> 1)));
    }
};
#if ZWALK_X86_KERNELS
/// A register of `bytes` bytes, anywhere in memory.
template <class Bits, int bytes>
struct BitRegister {
    typedef Bits type __attribute__((vector_size(bytes), aligned(alignof(Bits)), may_alias));
};
#define ZWALK_HALVED_BITS(isa, features, bytes)                                              \
    template <>                                                                              \
    struct HalvedBits<isa> {                                                                 \
        template <class T>                                                                   \
        [[gnu::target(features)]] static inline void from(WordOf<T> c, T const* x, T* out) { \
            using Register = typename BitRegister<WordOf<T>, bytes>::type;                   \
            for (int l = 0; l < simd_width<T>; l += bytes / int(sizeof(T)))                  \
                *reinterpret_cast<Register*>(out + l) =                                      \
                    c - (*reinterpret_cast<Register const*>(x + l) >> 1);                    \
        }                                                                                    \
    };
ZWALK_HALVED_BITS(Isa::avx2, ZWALK_TARGET_AVX2, 32)
ZWALK_HALVED_BITS(Isa::avx512, ZWALK_TARGET_AVX512, 64)
#undef ZWALK_HALVED_BITS
#endif

template <std::floating_point T>
ZWALK_INLINE T halved_bits(WordOf<T> c, T x) {
    return bit_cast_to<T>(WordOf<T>(c - (bit_cast_to<WordOf<T>>(x) >> 1)));
}
template <class T, Isa isa>
ZWALK_INLINE Pack<T, isa> halved_bits(WordOf<T> c, Pack<T, isa> const& x) {
    Pack<T, isa> y;
    HalvedBits<isa>::template from<T>(c, x.lane, y.lane);
    return y;
}

template <class V>
struct NumberIn {
    using type = V;
};
template <class T, Isa isa>
struct NumberIn<Pack<T, isa>> {
    using type = T;
};

}  // namespace detail

/// From where to where inverse_sqrt_of is right: finite numbers > 0 that aren't subnormal.
template <class T>
inline constexpr T inverse_sqrt_from = std::numeric_limits<T>::min();
template <class T>
inline constexpr T inverse_sqrt_to = std::numeric_limits<T>::max();

/// 1 / sqrt(x) from inverse_sqrt_from to inverse_sqrt_to. For 0 and subnormal x it is some number > 0, elsewhere none.
template <class V>
ZWALK_HD inline V inverse_sqrt_of(V const& x) {
    using T = typename detail::NumberIn<V>::type;
    // With e = 1 - x y^2, 1 / sqrt(x) is y (1 - e)^-1/2 = y (1 + e / 2 + 3 e^2 / 8 + ...). Where that ends, its coefficients are
    // those with the least largest error.
    if constexpr (sizeof(T) == 4) {
        V const y = detail::halved_bits(std::uint32_t(0x5f3746dc), x);  // |e| < .0682
        V const e = fma_of(-(x * y), y, T(1));
        V series = fma_of(V(T(.27452609)), e, T(.31395166));
        series = fma_of(series, e, T(.374999));
        series = fma_of(series, e, T(.4999983));
        return fma_of(y * e, series, y);
    } else {
        // First the same by powers of x y^2, whose error of 4.2e-7 is all that's left of e. The factor that y has here, about
        // 1.26, makes the range of x y^2 as narrow as can be: 1.5 to 1.6875.
        V y = detail::halved_bits(std::uint64_t(0x5fec000000000000), x);
        V const t = x * y * y;
        V series = fma_of(V(T(-.06135181)), t, T(.41057896));
        series = fma_of(series, t, T(-1.08971962));
        series = fma_of(series, t, T(1.73433539));
        y *= series;
        V const e = fma_of(-(x * y), y, T(1));
        return fma_of(y * e, fma_of(e, T(.375), T(.5)), y);
    }
}

}}  // namespace zwalk::v0
