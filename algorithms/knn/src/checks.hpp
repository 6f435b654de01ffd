// What knn() and KnnIndex check before any work.
#pragma once
#include <fmt/format.h>

#include "../../common/dispatch.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/index.hpp"

namespace zwalk::inline v0::detail {

inline void check_k(index_t k) {
    if (k < 1) throw InputError(fmt::format("k must be at least 1, but is {}", k));
    if (k > index_t(max_points))
        throw InputError(fmt::format("k = {} is more than one device can hold ({})", k, max_points));
}

/// Throws InputError unless queries have as many columns as the sources.
inline void check_columns(int queries, int sources) {
    if (queries != sources)
        throw InputError(
            fmt::format("queries have {} columns, but the points have {}", queries, sources));
}

}  // namespace zwalk::inline v0::detail
