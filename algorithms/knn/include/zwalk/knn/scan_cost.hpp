// Whether a scan of all pairs (src/scan.hpp) or a tree takes less time for queries of points that come with the call.
#pragma once
#include <cstddef>

#include "zwalk/core/index.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// All that the estimates depend on.
struct ScanShape {
    std::size_t sources = 0, queries = 0;
    int dim = 3;
    index_t k = 16;
    std::size_t item_bytes = 4;  ///< bytes of a coordinate: 4 or 8
    int threads = 1;
};

/// Seconds that a scan is expected to take.
double scan_seconds(ScanShape const& shape);
/// Seconds that a search with a tree is expected to take: the sort of the points, their nodes, and queries that find their neighbours
/// in few of these. More where boxes prune little, as among uniform points in many dimensions: how much can't be known before.
double tree_seconds(ScanShape const& shape);
/// Whether a scan is expected to take less time. The environment variable ZWALK_SCAN (0 or 1) decides instead; where other ways were
/// asked for (ZWALK_ALL_PAIRS, ZWALK_DESCENTS), there is a tree.
bool prefers_scan(ScanShape const& shape);

}}}  // namespace zwalk::v0::detail
