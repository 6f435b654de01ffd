// Sums of floating-point numbers that don't depend on their order.
//
// Numbers are rounded to multiples of one unit, and the integers that come out are added: integer
// addition is associative, so any number of threads, lanes or ranks may add in any order and get the
// same bits. The unit follows from a bound of the numbers, which is a maximum, and doesn't depend on the
// order either.
#pragma once
#include <cmath>
#include <cstdint>

#include "zwalk/core/config.hpp"

namespace zwalk { inline namespace v0 {

/// 2^64 addends of up to 2^62 fit.
__extension__ typedef __int128 FixedSum;

/// The unit of fixed-point numbers up to a bound.
///
/// The unit is 2^-62 of the least power of two above the bound, so that each number is rounded by at most
/// 2^-62 of the bound. A sum of n numbers is off by at most n * 2^-62 * bound, and value() rounds once
/// more: where addends are of one sign and of like size, that is closer than adding in double ever is.
class FixedScale {
  public:
    /// @param bound  finite, >= |x| for every x that is added; 0 if all of them are 0
    ZWALK_HD explicit FixedScale(double bound) {
        int exponent = 0;
        (void)std::frexp(bound, &exponent);  // bound < 2^exponent
        int const shift = 62 - exponent;     // 2^shift may overflow, its halves don't
        up_[0] = std::ldexp(1., shift / 2);
        up_[1] = std::ldexp(1., shift - shift / 2);
        down_[0] = 1 / up_[0];
        down_[1] = 1 / up_[1];
    }
    /// What to add to a FixedSum.
    [[nodiscard]] ZWALK_HD std::int64_t fixed(double x) const {
        return std::llrint(x * up_[0] * up_[1]);
    }
    [[nodiscard]] ZWALK_HD double value(FixedSum sum) const { return double(sum) * down_[0] * down_[1]; }

  private:
    double up_[2], down_[2];
};

}}  // namespace zwalk::v0
