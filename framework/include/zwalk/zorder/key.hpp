// A 64-bit prefix of the Morton codes of a range of points.
//
// The unlimited-precision Morton code of a point writes every coordinate as a fixed-point number
// with its sign in front (1: not negative; negative numbers are complemented, so that codes are
// ordered as the numbers are) and interleaves them: all sign bits first, then all bits of weight
// 2^(emax-1), and so on down to 2^emin. Sorting by it IS the z-order, but it has up to 134 000
// bits.
//
// A key leaves out the bits that tell no two points of the range apart, and keeps the first 64 of
// the others, so keys are ordered as the codes are, but for ties (zorder/sort.hpp looks further):
// - bits above the highest one in which the smallest and the largest coordinate of an axis differ
//   are the same for every point in between;
// - where signs differ, the bits above the largest exponent are copies of the sign bit, which all
//   come earlier.
#pragma once
#include <cstdint>

#include "zwalk/core/index.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/zorder/detail/msb.hpp"

namespace zwalk { inline namespace v0 {

inline constexpr int max_dim = 64;  ///< largest number of coordinates of a point

/// One axis' share of a key: its bits 2^(low + width - 1) ... 2^low, behind its sign if `sign`.
struct KeyAxis {
    std::uint64_t mask;  ///< which bits of the key
    int axis;
    int width;
    int low;
    bool sign;
};

/// How the keys of a range of points are made. Without axes all points of the range are equal.
struct KeyPlan {
    KeyAxis axes[max_dim];
    int count = 0;
};

/// The bits of an axis that tell points of a range apart: the sign or not, then 2^top and below.
struct KeyWindow {
    bool sign = false;
    int top = 0;
    int bottom = 0;  ///< the lowest bit that numbers of this type have; top < bottom: no bits
};

/// Window of an axis whose smallest and largest coordinates are `lo` and `hi`.
template <class T>
ZWALK_INLINE KeyWindow key_window(T lo, T hi) {
    using L = FloatLayout<T>;
    auto const a = bits_of(lo), b = bits_of(hi);
    if (is_negative<T>(a) == is_negative<T>(b)) return {false, msb_of_bits<T>(a, b), L::emin};
    int const ea = exponent_of<T>(a), eb = exponent_of<T>(b);
    return {true, ea > eb ? ea : eb, L::emin};
}

/// Deals the 64 bits of a key out to the axes, in Morton order. O(64 + dim). In zorder/key.cpp.
KeyPlan make_key_plan(KeyWindow const* windows, int dim);

/// Bits 2^(low + width - 1) ... 2^low of the fixed-point form of a number, complemented if it is
/// negative; given its bits.
template <class T>
ZWALK_INLINE std::uint64_t fixed_point_bits(typename FloatLayout<T>::Bits bits, int low, int width) {
    // Without branches, and all in 64 bits: SIMD loops can take many numbers at once.
    auto const shift = std::int64_t(lowest_bit<T>(bits)) - low;
    std::uint64_t const m = significand<T>(bits);
    std::uint64_t const up = shift < 64 ? m << (shift & 63) : 0;
    std::uint64_t const down = shift > -64 ? m >> (-shift & 63) : 0;
    std::uint64_t const v = shift >= 0 ? up : down;
    std::uint64_t const mask = width < 64 ? (std::uint64_t(1) << width) - 1 : ~std::uint64_t(0);
    return (v ^ -std::uint64_t(is_negative<T>(bits))) & mask;
}

/// One axis' bits of a key, closed up: its sign, then those of the fixed-point form.
template <class T>
ZWALK_INLINE std::uint64_t axis_bits(KeyAxis const& a, T x) {
    auto const bits = bits_of(x);
    std::uint64_t const v = a.width ? fixed_point_bits<T>(bits, a.low, a.width) : 0;
    return v | std::uint64_t(a.sign && !is_negative<T>(bits)) << (a.width & 63);
}

/// Key of a point by the plan of a range that holds it. `P` is anything with p[j]. O(number of axes in the
/// plan).
template <class T, Isa isa = Isa::baseline, class P>
ZWALK_INLINE std::uint64_t z_key_of(KeyPlan const& plan, P const& p) {
    std::uint64_t key = 0;
    for (int i = 0; i < plan.count; ++i) {
        KeyAxis const& a = plan.axes[i];
        key |= Simd<isa>::deposit(axis_bits(a, p[a.axis]), a.mask);
    }
    return key;
}
/// Key of a point (a row).
template <Isa isa = Isa::baseline, class T>
ZWALK_INLINE std::uint64_t z_key(KeyPlan const& plan, T const* p) {
    return z_key_of<T, isa>(plan, p);
}

}}  // namespace zwalk::v0
