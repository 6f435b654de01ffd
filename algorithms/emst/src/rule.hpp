// What the rounds of a spanning tree start from, and when they search, wherever they run.
#pragma once
#include <algorithm>

#include "zwalk/core/index.hpp"

namespace zwalk::inline v0::detail {

/// Neighbours to list for each point: with more of them fewer points search, but kNN takes longer.
inline constexpr pos_t usual_neighbours = 8;

/// Components search as soon as fewer than one in so many know their least edge from the lists.
inline constexpr pos_t patience = 3;

/// Points per chunk that grows a tree of its own: with their lists they fit into a second-level cache, and
/// all threads have something to do.
inline pos_t chunk_of_points(pos_t n, int threads) {
    return std::clamp<pos_t>(n / (8 * pos_t(threads)), 512, 8192);
}

/// Of n >= 2 points: with one neighbour more than the core distance needs, edges as long as it are proven.
inline pos_t listed_neighbours(pos_t n, pos_t min_samples) {
    return std::min<pos_t>(n - 1, std::max<pos_t>(usual_neighbours, min_samples));
}

}  // namespace zwalk::inline v0::detail
