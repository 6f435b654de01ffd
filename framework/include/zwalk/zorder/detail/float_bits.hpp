// What the bits of a floating-point number mean (paper section II-A, eq. 1).
//
// A number is read as sign * 2^exponent * significand. Everything here is exact, for normal and
// subnormal numbers and zero; -0 and +0 are the same value. Not for NaN and infinity, which are
// refused where points are passed in (core/validate.hpp).
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

#include "zwalk/core/bits.hpp"

namespace zwalk { inline namespace v0 {

/// The layout of IEEE 754 binary32 (T = float) or binary64 (T = double).
template <class T>
struct FloatLayout {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
    static_assert(std::numeric_limits<T>::is_iec559);
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

    static constexpr int width = 8 * int(sizeof(T));
    static constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;  ///< 23, 52
    static constexpr int emax = std::numeric_limits<T>::max_exponent;         ///< 128, 1024 (of eq. 2)
    static constexpr int bias = emax - 1;
    static constexpr int emin = 1 - bias - fraction_bits;  ///< lowest bit there is: -149, -1074
    static constexpr int zero_exponent = emin - 1;         ///< below every other exponent
    static constexpr Bits sign_mask = Bits(1) << (width - 1);
    static constexpr Bits fraction_mask = (Bits(1) << fraction_bits) - 1;
};

/// The bits of x, with -0 turned into +0.
template <class T>
ZWALK_INLINE typename FloatLayout<T>::Bits bits_of(T x) {
    return bit_cast_to<typename FloatLayout<T>::Bits>(x + T(0));
}

/// Whether the sign bit is set in `bits` (= bits_of(x)): x < 0.
template <class T>
ZWALK_INLINE bool is_negative(typename FloatLayout<T>::Bits bits) {
    return (bits & FloatLayout<T>::sign_mask) != 0;
}

/// The bits of |x|, given those of x. They grow with |x|.
template <class T>
ZWALK_INLINE typename FloatLayout<T>::Bits magnitude_bits(typename FloatLayout<T>::Bits bits) {
    return bits & ~FloatLayout<T>::sign_mask;
}

/// The stored exponent: 0 for zero and subnormal numbers.
template <class T>
ZWALK_INLINE int biased_exponent(typename FloatLayout<T>::Bits bits) {
    return int(magnitude_bits<T>(bits) >> FloatLayout<T>::fraction_bits);
}

/// The power of two of the lowest bit of the significand: |x| = significand * 2^lowest_bit.
/// Subnormal numbers share the value of the smallest normal ones.
template <class T>
ZWALK_INLINE int lowest_bit(typename FloatLayout<T>::Bits bits) {
    int const e = biased_exponent<T>(bits);
    return (e > 1 ? e : 1) - FloatLayout<T>::bias - FloatLayout<T>::fraction_bits;
}

/// |x| / 2^lowest_bit as an integer: the fraction and, for normal numbers, the leading one.
template <class T>
ZWALK_INLINE typename FloatLayout<T>::Bits significand(typename FloatLayout<T>::Bits bits) {
    using L = FloatLayout<T>;
    auto const fraction = bits & L::fraction_mask;
    return biased_exponent<T>(bits) ? fraction | (L::fraction_mask + 1) : fraction;
}

/// The power of two of the highest bit that is set in |x|, also of subnormal numbers;
/// `zero_exponent` for 0.
template <class T>
ZWALK_INLINE int exponent_of(typename FloatLayout<T>::Bits bits) {
    auto const m = significand<T>(bits);
    return m ? lowest_bit<T>(bits) + width_of_bits(m) - 1 : FloatLayout<T>::zero_exponent;
}

/// An unsigned integer that is ordered as x is: a < b <=> ordered_bits(a) < ordered_bits(b), and
/// -0 equals +0.
template <class T>
ZWALK_INLINE typename FloatLayout<T>::Bits ordered_bits(T x) {
    auto const bits = bits_of(x);
    return is_negative<T>(bits) ? ~bits : bits | FloatLayout<T>::sign_mask;
}

}}  // namespace zwalk::v0
