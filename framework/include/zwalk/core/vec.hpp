// A point of D coordinates, usable in kernels.
#pragma once
#include "zwalk/core/config.hpp"

namespace zwalk { inline namespace v0 {

/// D coordinates of type T. An aggregate: `Vec<3, float>{{x, y, z}}`.
template <int D, class T>
struct Vec {
    T v[D];
    ZWALK_HD constexpr T& operator[](int i) { return v[i]; }
    ZWALK_HD constexpr T operator[](int i) const { return v[i]; }
    friend bool operator==(Vec const&, Vec const&) = default;  // constexpr, if it is for T
};

template <class T>
ZWALK_INLINE constexpr T min_of(T a, T b) {
    return b < a ? b : a;
}
template <class T>
ZWALK_INLINE constexpr T max_of(T a, T b) {
    return a < b ? b : a;
}

}}  // namespace zwalk::v0
