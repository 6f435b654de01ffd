// Squares that stand for lengths in a unit.
#pragma once
#include "zwalk/core/length_unit.hpp"
#include "zwalk/core/within.hpp"

namespace zwalk { inline namespace v0 {

/// The smallest squared distance in this unit that is at least `length` when it is reported.
template <class T>
[[nodiscard]] T smallest_square(LengthUnit<T> const& unit, T length) {
    return smallest_square(T(unit.least(double(length))));
}

}}  // namespace zwalk::v0
