// An upper bound on the volume of nodes (paper section II-D, eq. 10), for distributions whose few
// far-away points would otherwise share very large nodes.
#pragma once
#include <optional>
#include <vector>

#include "zwalk/tree/detail/gap_levels.hpp"

namespace zwalk { inline namespace v0 {

/// A node's level (that of the smallest Morton cell around it: its volume is 2^level) and its
/// number of points, all types. At or below `level_t(equal_points_level) + 31` all points of the
/// node are equal, and the volume is 0.
struct NodeVolume {
    level_t level;
    pos_t points;
};

/// Level of a node of one point.
inline constexpr level_t single_point_level = equal_points_level - 1;

/// Eq. 10: lvl_max of a plane with these nodes: floor(log2(volume_ratio * V)), where V is the mean
/// volume, weighted by points, of the smallest nodes that together hold `fraction` of all points
/// (of the last of them only the points that are still missing count, so that the order among
/// nodes of one level doesn't matter). Nothing if there is no scale: V = 0, no nodes, or
/// volume_ratio <= 0. O(nodes log nodes).
std::optional<level_t> largest_node_level(std::vector<NodeVolume> nodes, double volume_ratio,
                                          double fraction);

/// The guard that keeps regularisation from making too many nodes: the smallest level >= lvl_max
/// above which at most `allowed` of the dropped gaps lie. `dropped`: levels of the gaps above
/// lvl_max that the plane would drop without regularisation; each one kept makes one node more.
level_t affordable_level(std::vector<level_t> dropped, level_t lvl_max, std::size_t allowed);

}}  // namespace zwalk::v0
