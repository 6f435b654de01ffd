// Looking at the tree over a set of points.
#pragma once
#include <cstddef>
#include <vector>

#include "../io/points.hpp"

namespace zwalk::apps {

/// Nodes on each plane of the tree, leaves first. Empty: not known, and nothing is printed.
std::vector<std::size_t> plane_sizes(io::PointSet const& points);

}  // namespace zwalk::apps
