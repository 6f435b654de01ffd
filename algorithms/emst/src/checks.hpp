// What emst() makes of its options before any work, wherever it runs.
#pragma once

#include <algorithm>
#include <cstdint>

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/emst/emst.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

inline void check_min_samples(int min_samples) {
    if (min_samples < 1)
        throw InputError(detail::text("min_samples must be at least 1, but is {}", min_samples));
}

/// The options with all points counted where there are fewer than min_samples. What is wrong stays so, for the check.
inline EmstOptions among(std::uint64_t points, EmstOptions o) {
    std::uint64_t const most = std::max<std::uint64_t>(points, 1);
    if (o.min_samples > 0 && std::uint64_t(o.min_samples) > most) o.min_samples = int(most);
    return o;
}

}}}  // namespace zwalk::v0::detail
