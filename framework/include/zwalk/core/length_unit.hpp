// The unit that lengths have inside a call, so that squares of distances stay in the range of T.
//
// Coordinates of 3e20 are ordinary float numbers, but their squares are none, and those of 1e-25 are 0. Such points are
// multiplied by a power of two before they are sorted. That changes no bit of a mantissa, so every comparison has the same
// outcome as in any other unit, and results are multiplied back.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "zwalk/core/config.hpp"
#include "zwalk/core/key.hpp"

namespace zwalk { inline namespace v0 {

/// How large and how small coordinates may be without a unit of their own: then squares of distances between generic points
/// are normal numbers, in up to 64 dimensions.
template <class T>
inline constexpr int largest_plain_exponent = sizeof(T) == 4 ? 58 : 500;
template <class T>
inline constexpr int least_plain_exponent = sizeof(T) == 4 ? -30 : -300;

/// Points that meet others in the unit of these may have coordinates of up to 2^this: four times the largest plain ones.
template <class T>
inline constexpr int largest_met_exponent = largest_plain_exponent<T> + 2;

/// A power of two. 1, the unit of the input, unless it was made by unit_for().
template <class T>
class LengthUnit {
    using Limits = std::numeric_limits<T>;

  public:
    LengthUnit() = default;
    /// 2^exponent, or the nearest one whose inverse is a number, too.
    explicit LengthUnit(int exponent)
        : exponent_(std::clamp(exponent, 2 - Limits::max_exponent, Limits::max_exponent - 1)),
          unit_(std::ldexp(T(1), exponent_)),
          inverse_(std::ldexp(T(1), -exponent_)) {}

    [[nodiscard]] bool is_plain() const { return exponent_ == 0; }
    [[nodiscard]] int exponent() const { return exponent_; }
    /// The unit as a length of the input, and its inverse.
    [[nodiscard]] T unit() const { return unit_; }
    [[nodiscard]] T inverse() const { return inverse_; }

    /// From a length of the input to one in this unit, and back. Exact but for what leaves the range of T.
    [[nodiscard]] T in(T length) const { return length * inverse_; }
    [[nodiscard]] T out(T length) const { return length * unit_; }

    /// What a limit of distances is in this unit: the largest length that is at most `limit` when it is reported, that is,
    /// rounded to T in the unit of the input. Limits beyond all distances become some length beyond all distances.
    [[nodiscard]] double limit(double limit) const {
        if (is_plain()) return limit;
        T const asked = T(limit), beyond = std::ldexp(T(1), Limits::max_exponent / 2 - 1);
        T length = std::min(in(asked), beyond);
        if (length == beyond) return length;
        // Lengths below the normal numbers are reported as multiples of a step: up to half of one more is rounded down.
        if (asked < Limits::min() && inverse_ > 1) length += in(Limits::denorm_min()) / 2;
        return out(length) > asked ? std::nextafter(length, T(0)) : length;
    }

    /// The smallest length that is at least `limit` when it is reported.
    [[nodiscard]] double least(double limit) const {
        if (is_plain() || !(T(limit) > 0)) return limit;
        T const below = T(this->limit(double(std::nextafter(T(limit), T(0)))));
        return std::nextafter(below, infinity<T>);
    }

    friend bool operator==(LengthUnit const& a, LengthUnit const& b) {
        return a.exponent_ == b.exponent_;
    }

  private:
    int exponent_ = 0;
    T unit_ = 1, inverse_ = 1;
};

/// For points whose coordinates are `largest` at most, without their signs: 1 where that keeps squares in range. Larger ones
/// become just small enough, so that as little as may be is lost of small separations beside them: these lose digits below
/// 1e-36 (double: 1e-304) of the largest coordinate. Smaller ones become such that the largest is from 1 to 2.
/// @param largest_exponent, least_exponent  coordinates of up to 2^largest_exponent, and down to 2^least_exponent, need none
template <class T>
[[nodiscard]] LengthUnit<T> unit_for(T largest, int largest_exponent = largest_plain_exponent<T>,
                                     int least_exponent = least_plain_exponent<T>) {
    if (largest == 0 || !(largest < infinity<T>)) return {};
    int const exponent = std::ilogb(largest);
    if (exponent >= largest_exponent) return LengthUnit<T>(exponent + 1 - largest_exponent);
    return exponent < least_exponent ? LengthUnit<T>(exponent) : LengthUnit<T>();
}

/// x[i] *= factor, for Place::for_each.
template <class T>
struct MultiplyAll {
    T* x;
    T factor;
    ZWALK_HD void operator()(std::size_t i) const { x[i] *= factor; }
};

}}  // namespace zwalk::v0
