// Whether a scan of all pairs (src/scan.hpp) or a tree takes less time for queries of points that come with the call.
#pragma once
#include <cstddef>
#include <functional>

#include "zwalk/core/index.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// What the estimates depend on, beside the instruction set that kernels run with.
struct ScanShape {
    std::size_t sources = 0, queries = 0;
    int dim = 3;
    index_t k = 16;
    std::size_t item_bytes = 4;  ///< bytes of a coordinate: 4 or 8
    int threads = 1;
};

/// Seconds that a scan is expected to take.
double scan_seconds(ScanShape const& shape);
/// Seconds that a search with a tree is expected to take: the sort of the points, their nodes, and queries that walk or descend.
/// @param near  the share of sources, from 0 to 1, that lie up to one and a half times as far from a query as its nearest. Boxes
///              of a tree leave out most of the others. It is small in few dimensions and among narrow clusters, and one among
///              uniform points in many
double tree_seconds(ScanShape const& shape, double near);
/// That share, where it isn't known: for uniform points.
double usual_share(ScanShape const& shape);
/// Whether a scan is expected to take less time. The environment variable ZWALK_SCAN (0 or 1) decides instead; where other ways were
/// asked for (ZWALK_ALL_PAIRS, ZWALK_DESCENTS), there is a tree.
/// @param near  finds that share; called only where the choice depends on it
bool prefers_scan(ScanShape const& shape, std::function<double()> const& near);

}}}  // namespace zwalk::v0::detail
