// What emst() checks before any work, wherever it runs.
#pragma once
#include <fmt/format.h>

#include <algorithm>

#include "zwalk/core/error.hpp"

namespace zwalk::inline v0::detail {

inline void check_min_samples(int min_samples, std::size_t points) {
    if (min_samples < 1)
        throw InputError(fmt::format("min_samples must be at least 1, but is {}", min_samples));
    if (std::size_t(min_samples) > std::max<std::size_t>(points, 1))
        throw InputError(
            fmt::format("min_samples is {}, but there are only {} points", min_samples, points));
}

}  // namespace zwalk::inline v0::detail
