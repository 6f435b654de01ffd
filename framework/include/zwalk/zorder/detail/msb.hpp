// The most significant bit in which two numbers differ (paper section II-A, eq. 2).
#pragma once
#include "zwalk/zorder/detail/float_bits.hpp"

namespace zwalk { inline namespace v0 {

/// msb of two equal numbers: below that of every two distinct ones.
template <class T>
inline constexpr int equal_msb = FloatLayout<T>::emin - 1;

/// Eq. 2: the power of two of the highest bit in which a and b would differ if both were written as
/// fixed-point numbers; given their bits (`bits_of`), exact, also for subnormal numbers:
/// - different signs: EMAX (128 or 1024), above every bit of a magnitude;
/// - different exponents: the larger exponent (that bit is set in one of them and clear in the
///   other; NOT one more);
/// - else the highest bit of the exclusive or of their significands.
/// Equal numbers give `equal_msb`. Written as selections, so that loops over it vectorise.
template <class T>
ZWALK_INLINE int msb_of_bits(typename FloatLayout<T>::Bits a, typename FloatLayout<T>::Bits b) {
    using L = FloatLayout<T>;
    auto const differ = a ^ b;
    int const ea = biased_exponent<T>(a), eb = biased_exponent<T>(b);
    int const e = ea > eb ? ea : eb;
    int const in_fraction = width_of_bits(differ) - 1 + (e > 1 ? e : 1) - L::bias - L::fraction_bits;
    int const same_sign = ea != eb ? e - L::bias : in_fraction;
    int const distinct = (differ & L::sign_mask) ? L::emax : same_sign;
    return differ ? distinct : equal_msb<T>;
}

/// Eq. 2 for two finite numbers.
template <class T>
ZWALK_INLINE int msb(T a, T b) {
    return msb_of_bits<T>(bits_of(a), bits_of(b));
}

}}  // namespace zwalk::v0
