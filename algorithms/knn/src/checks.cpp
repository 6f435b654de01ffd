#include "checks.hpp"

#include <fmt/format.h>

#include "zwalk/core/error.hpp"
#include "zwalk/run/call.hpp"

namespace zwalk::inline v0::detail {

void check_options(KnnOptions const& o, bool with_queries) {
    if (o.k < 1) throw InputError(fmt::format("k must be at least 1, but is {}", o.k));
    if (o.k > index_t(max_points))
        throw InputError(fmt::format("k = {} is more than one device can hold ({})", o.k, max_points));
    if (with_queries && o.exclude_self)
        throw InputError(
            "exclude_self needs the points to be their own queries: leave out either "
            "the queries or exclude_self");
}

void check_columns(int queries, int sources) {
    if (queries != sources)
        throw InputError(
            fmt::format("queries have {} columns, but the points have {}", queries, sources));
}

void check_knn_memory(std::size_t points, index_t k, std::uint64_t needed, std::uint64_t available) {
    check_device_memory(fmt::format("kNN of {} points with k = {}", points, k), needed, available);
}

}  // namespace zwalk::inline v0::detail
