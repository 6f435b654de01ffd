// What hdbscan() and its steps refuse.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

inline void check_min_cluster_size(std::size_t size) {
    if (size < 2) throw InputError(detail::text("min_cluster_size must be at least 2, but is {}", size));
}

inline void check_persistence(double persistence) {
    if (!(persistence >= 0))
        throw InputError(detail::text("persistence must be a number >= 0, but is {}", persistence));
}

inline void check_selection(SelectionOptions const& o) {
    if (!(o.epsilon >= 0) || std::isinf(o.epsilon))
        throw InputError(detail::text("epsilon must be a finite number >= 0, but is {}", o.epsilon));
    if (!(o.epsilon_max >= o.epsilon))
        throw InputError(detail::text("epsilon_max must be at least epsilon, {}, but is {}", o.epsilon,
                                      o.epsilon_max));
    check_persistence(o.persistence);
}

/// @param first_row  the number of the first of these points
inline void check_weights(std::size_t points, std::span<double const> weights,
                          std::uint64_t first_row = 0) {
    if (weights.size() != points)
        throw InputError(detail::text("there are {} weights of {} points", weights.size(), points));
    for (std::size_t i = 0; i < points; ++i)
        if (!(weights[i] > 0) || std::isinf(weights[i]))
            throw InputError(
                detail::text("weight {} is {}: it must be finite and > 0", first_row + i, weights[i]));
}

inline void check_options(HdbscanOptions const& o) {
    check_min_cluster_size(o.min_cluster_size);
    check_selection(o.select);
    if (o.min_samples < 0)
        throw InputError(detail::text("min_samples must be at least 0, but is {}", o.min_samples));
}

}}}  // namespace zwalk::v0::detail
