// The smallest number that has all its bits; a variable, since device code calls no function of <limits>.
#pragma once
#include <limits>

namespace zwalk { inline namespace v0 {

template <class T>
inline constexpr T least_normal = std::numeric_limits<T>::min();

}}  // namespace zwalk::v0
