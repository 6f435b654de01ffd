// What is checked of a search before any work.
#pragma once
#include "zwalk/knn/knn.hpp"

namespace zwalk::inline v0::detail {

/// Throws InputError for a k that is no number of neighbours, and for exclude_self with queries.
void check_options(KnnOptions const& options, bool with_queries);
/// Throws InputError unless queries have as many columns as the sources.
void check_columns(int queries, int sources);
/// Throws Error unless a device has the memory for the neighbours of `points` points.
void check_knn_memory(std::size_t points, index_t k, std::uint64_t needed, std::uint64_t available);

}  // namespace zwalk::inline v0::detail
