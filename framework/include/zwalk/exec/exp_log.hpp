// exp(x) and log(x) of numbers and of packs, with the same bits on every place: std::exp has no form for packs, and its last
// bits differ between C libraries.
//
//   V weight = exp_of(-d2 * inverse_width);     // V: float, double, or a Pack of them
//
// exp is wrong by less than 1.2 units in the last place, log by less than .9. The ways are the usual ones: exp(x) = 2^n exp(r)
// with r = x - n log 2, |r| <= log(2) / 2, and a polynomial for exp(r); log(x) = n log 2 + log(1 + f) with 1 + f from sqrt(1/2) to sqrt(2), and a
// polynomial of s = f / (2 + f), whose powers log((1 + s) / (1 - s)) has (W. J. Cody and W. Waite, Software Manual for the
// Elementary Functions, 1980). Coefficients are those of a Chebyshev interpolation of the rest.
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>

#include "zwalk/core/bits.hpp"
#include "zwalk/exec/inverse_sqrt.hpp"
#include "zwalk/exec/pack.hpp"

namespace zwalk { inline namespace v0 {

namespace detail {

/// The format of a T: bits of the fraction, and the words that the functions below need.
template <class T>
struct Format;
template <>
struct Format<float> {
    using Word = std::uint32_t;
    static constexpr int fraction = 23;
    static constexpr Word root_of_half = 0x3f3504f3, bias = 128, two_to_fraction = 0x4b000000;
    static constexpr float log2_hi = 0x1.62ep-1F, log2_lo = 0x1.0bfbe8p-15F,
                           inverse_log2 = 0x1.715476p+0F;
    /// Where exp(x) is the least normal number, and the largest one.
    static constexpr float least = -0x1.5d589ep+6F, most = 0x1.62e42ep+6F;
};
template <>
struct Format<double> {
    using Word = std::uint64_t;
    static constexpr int fraction = 52;
    static constexpr Word root_of_half = 0x3fe6a09e667f3bcd, bias = 1024,
                          two_to_fraction = 0x4330000000000000;
    static constexpr double log2_hi = 0x1.62e42fefp-1, log2_lo = 0x1.473de6af278edp-34,
                            inverse_log2 = 0x1.71547652b82fep+0;
    static constexpr double least = -0x1.6232bdd7abcd1p+9, most = 0x1.62e42fefa39efp+9;
};

/// The exponent of a number, by its bits.
template <class T>
struct ExponentOf {
    using F = Format<T>;
    using Word = typename F::Word;

    /// x * 2^n, where the lowest bits of `n` are those of an integer.
    static ZWALK_INLINE T scaled(T x, T n) {
        return bit_cast_to<T>(Word(bit_cast_to<Word>(x) + (bit_cast_to<Word>(n) << F::fraction)));
    }
    /// For normal x > 0: x = mantissa 2^(e - bias), with the mantissa from sqrt(1/2) to sqrt(2), and 2^fraction + e.
    static ZWALK_INLINE void split(T x, T& mantissa, T& e) {
        Word const word = bit_cast_to<Word>(x);
        Word const exponent = (word - F::root_of_half + (F::bias << F::fraction)) >> F::fraction;
        mantissa = bit_cast_to<T>(Word(word - (exponent << F::fraction) + (F::bias << F::fraction)));
        e = bit_cast_to<T>(Word(exponent | F::two_to_fraction));
    }
};

/// The same for simd_width<T> numbers in memory, per instruction set: see exec/detail/pack_ops.hpp.
template <Isa isa>
struct ExponentsOf {
    template <class T>
    static ZWALK_INLINE void scaled(T const* x, T const* n, T* out) {
        ZWALK_SIMD_LOOP
        for (int l = 0; l < simd_width<T>; ++l) out[l] = ExponentOf<T>::scaled(x[l], n[l]);
    }
    template <class T>
    static ZWALK_INLINE void split(T const* x, T* mantissa, T* e) {
        ZWALK_SIMD_LOOP
        for (int l = 0; l < simd_width<T>; ++l) ExponentOf<T>::split(x[l], mantissa[l], e[l]);
    }
};
#if ZWALK_X86_KERNELS
#define ZWALK_WORDS(pointer) (*reinterpret_cast<Register const*>((pointer) + l))
#define ZWALK_PUT_WORDS(pointer) *reinterpret_cast<Register*>((pointer) + l)
#define ZWALK_EXPONENTS_OF(isa, features, bytes)                                              \
    template <>                                                                               \
    struct ExponentsOf<isa> {                                                                 \
        template <class T>                                                                    \
        [[gnu::target(features)]] static inline void scaled(T const* x, T const* n, T* out) { \
            using F = Format<T>;                                                              \
            using Register = typename BitRegister<typename F::Word, bytes>::type;             \
            for (int l = 0; l < simd_width<T>; l += bytes / int(sizeof(T)))                   \
                ZWALK_PUT_WORDS(out) = ZWALK_WORDS(x) + (ZWALK_WORDS(n) << F::fraction);      \
        }                                                                                     \
        template <class T>                                                                    \
        [[gnu::target(features)]] static inline void split(T const* x, T* mantissa, T* e) {   \
            using F = Format<T>;                                                              \
            using Register = typename BitRegister<typename F::Word, bytes>::type;             \
            for (int l = 0; l < simd_width<T>; l += bytes / int(sizeof(T))) {                 \
                Register const word = ZWALK_WORDS(x);                                         \
                Register const exponent =                                                     \
                    (word - F::root_of_half + (F::bias << F::fraction)) >> F::fraction;       \
                ZWALK_PUT_WORDS(mantissa) =                                                   \
                    word - (exponent << F::fraction) + (F::bias << F::fraction);              \
                ZWALK_PUT_WORDS(e) = exponent | F::two_to_fraction;                           \
            }                                                                                 \
        }                                                                                     \
    };
ZWALK_EXPONENTS_OF(Isa::avx2, ZWALK_TARGET_AVX2, 32)
ZWALK_EXPONENTS_OF(Isa::avx512, ZWALK_TARGET_AVX512, 64)
#undef ZWALK_EXPONENTS_OF
#undef ZWALK_PUT_WORDS
#undef ZWALK_WORDS
#endif

template <std::floating_point T>
ZWALK_INLINE T scaled(T x, T n) {
    return ExponentOf<T>::scaled(x, n);
}
template <class T, Isa isa>
ZWALK_INLINE Pack<T, isa> scaled(Pack<T, isa> const& x, Pack<T, isa> const& n) {
    Pack<T, isa> y;
    ExponentsOf<isa>::template scaled<T>(x.lane, n.lane, y.lane);
    return y;
}
template <std::floating_point T>
ZWALK_INLINE void split(T x, T& mantissa, T& e) {
    ExponentOf<T>::split(x, mantissa, e);
}
template <class T, Isa isa>
ZWALK_INLINE void split(Pack<T, isa> const& x, Pack<T, isa>& mantissa, Pack<T, isa>& e) {
    ExponentsOf<isa>::template split<T>(x.lane, mantissa.lane, e.lane);
}

/// c0 + x (c1 + x (c2 + ...)).
template <class V, class T>
ZWALK_HD inline V series(V const&, T c) {
    return V(c);
}
template <class V, class T, class... Rest>
ZWALK_HD inline V series(V const& x, T c, T next, Rest... rest) {
    return fma_of(series(x, next, rest...), x, V(c));
}

}  // namespace detail

/// exp(x): 0 where that is below the least normal number, infinity where it is above the largest; NaN stays NaN.
template <class V>
ZWALK_HD inline V exp_of(V const& x) {
    using T = typename detail::NumberIn<V>::type;
    using F = detail::Format<T>;
    constexpr T infinite = std::numeric_limits<T>::infinity();
    // Beside this number there is no room for fractions: the sum's last bits are n.
    constexpr T whole = sizeof(T) == 4 ? T(0x1.8p+23) : T(0x1.8p+52);
    V const shifted = fma_of(x, F::inverse_log2, V(whole));
    V const n = shifted - whole;
    V const r = fma_of(n, -F::log2_lo, fma_of(n, -F::log2_hi, x));
    V rest;
    if constexpr (sizeof(T) == 4)
        rest = detail::series(r, T(.5), T(0x1.5554dep-3), T(0x1.55551ap-5), T(0x1.120b64p-7),
                              T(0x1.6d10fep-10));
    else
        rest = detail::series(
            r, T(.5), T(0x1.5555555555556p-3), T(0x1.5555555553d66p-5), T(0x1.11111111109b3p-7),
            T(0x1.6c16c1788a6a2p-10), T(0x1.a01a01a7c32c0p-13), T(0x1.a019b912cc867p-16),
            T(0x1.71de0db207a4dp-19), T(0x1.28917ea210700p-22), T(0x1.af38a213b6e02p-26));
    V const y = detail::scaled(fma_of(r * r, rest, r) + T(1), shifted);
    return select(x < F::least, V(T(0)), select(x > F::most, V(infinite), select(x == x, y, x)));
}

/// log(x), the natural one: -infinity of 0, NaN of numbers < 0 and of NaN.
template <class V>
ZWALK_HD inline V log_of(V const& x) {
    using T = typename detail::NumberIn<V>::type;
    using F = detail::Format<T>;
    using Limits = std::numeric_limits<T>;
    constexpr T up = T(std::uint64_t(1) << F::fraction), shift = T(F::fraction), zero = T(0);
    auto const is_subnormal = x < Limits::min();
    V mantissa, e;
    detail::split(select(is_subnormal, x * up, x), mantissa, e);
    V const n = e - select(is_subnormal, V(up + (T(F::bias) + shift)), up + T(F::bias));
    V const f = mantissa - T(1), half = T(.5) * (f * f), s = f / (f + T(2)), z = s * s;
    V rest;
    if constexpr (sizeof(T) == 4)
        rest = detail::series(z, T(0x1.55555cp-1), T(0x1.997c2ap-2), T(0x1.2ee73ep-2));
    else
        rest = detail::series(z, T(0x1.5555555555558p-1), T(0x1.99999999952b1p-2),
                              T(0x1.2492492df6a22p-2), T(0x1.c71c62deb1531p-3), T(0x1.7462b69a6d95ep-3),
                              T(0x1.39fe202b2f634p-3), T(0x1.2b5b63bfda088p-3));
    // 2 s = f - f^2 / 2 + s f^2 / 2: so that the largest part, f, is exact.
    V const small = fma_of(s, fma_of(z, rest, half), n * F::log2_lo);
    V const y = n * F::log2_hi - ((half - small) - f);
    V const of_small = select(x == zero, V(-Limits::infinity()), Limits::quiet_NaN());
    return select(x > zero, select(x > Limits::max(), x, y), select(x == x, of_small, x));
}

}}  // namespace zwalk::v0
