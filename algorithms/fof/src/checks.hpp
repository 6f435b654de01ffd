// What fof() checks before any work, wherever it runs.
#pragma once
#include <fmt/format.h>

#include <cmath>

#include "zwalk/core/error.hpp"

namespace zwalk::inline v0::detail {

/// The linking length in the precision of the points.
template <class T>
T checked_length(double b) {
    if (!(b >= 0) || std::isinf(b))
        throw InputError(fmt::format("the linking length must be a finite number >= 0, but is {}", b));
    if (std::isinf(T(b)))
        throw InputError(
            fmt::format("the linking length {} is too large for the precision of the points", b));
    return T(b);
}

}  // namespace zwalk::inline v0::detail
