#include "zwalk/tree/detail/regularise.hpp"

#include <algorithm>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <cmath>
#include <functional>

namespace zwalk { inline namespace v0 {

std::optional<level_t> largest_node_level(std::vector<NodeVolume> nodes, double volume_ratio,
                                          double fraction) {
    if (nodes.empty() || !(volume_ratio > 0)) return std::nullopt;
    boost::sort::pdqsort_branchless(nodes.begin(), nodes.end(),
                                    [](NodeVolume a, NodeVolume b) { return a.level < b.level; });
    double total = 0;
    for (NodeVolume const& node : nodes) total += node.points;
    double left = fraction * total;
    auto end = nodes.begin();
    for (; end != nodes.end() && left > 0; ++end) left -= end->points;
    if (end == nodes.begin()) return std::nullopt;

    // Levels reach +-70 000, so volumes are taken relative to the largest one.
    level_t const top = (end - 1)->level;
    if (top < equal_points_level / 2) return std::nullopt;
    double volume = 0, points = 0;
    for (auto node = nodes.begin(); node != end; ++node) {
        double const w = node + 1 == end ? node->points + std::min(left, 0.) : node->points;
        points += w;
        if (node->level > equal_points_level / 2) volume += w * std::ldexp(1., node->level - top);
    }
    if (!(points > 0 && volume > 0)) return std::nullopt;
    return top + level_t(std::floor(std::log2(volume_ratio * (volume / points))));
}

level_t affordable_level(std::vector<level_t> dropped, level_t lvl_max, std::size_t allowed) {
    if (dropped.size() <= allowed) return lvl_max;
    auto const limit = dropped.begin() + std::ptrdiff_t(allowed);
    std::nth_element(dropped.begin(), limit, dropped.end(), std::greater<>());
    return std::max(lvl_max, *limit);
}

}}  // namespace zwalk::v0
