// What "within r" means wherever such a limit is given: that the distance which would be reported is at most r.
#pragma once
#include <cmath>
#include <limits>

#include "zwalk/core/key.hpp"

namespace zwalk { inline namespace v0 {

/// The largest finite squared distance whose rounded square root is at most r >= 0: two points are within r if their d2 is at most
/// this. Not r * r, which is rounded on its own: a pair could have the distance r, and not be within it. So k-th distances
/// that are used as radii, and lengths of edges as linking lengths, take in the points that they come from.
template <class T>
[[nodiscard]] T largest_square(T r) {
    T x = std::fmin(r * r, std::numeric_limits<T>::max());
    while (std::sqrt(x) > r) x = std::nextafter(x, T(0));
    for (T next = x; (next = std::nextafter(x, infinity<T>)) < infinity<T> && std::sqrt(next) <= r;)
        x = next;
    return x;
}
/// The smallest squared distance whose rounded square root is at least r >= 0.
template <class T>
[[nodiscard]] T smallest_square(T r) {
    return r > 0 ? std::nextafter(largest_square(std::nextafter(r, T(0))), infinity<T>) : T(0);
}

}}  // namespace zwalk::v0
