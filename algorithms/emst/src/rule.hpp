// What the rounds of a spanning tree start from, and when they search, wherever they run.
#pragma once
#include <algorithm>
#include <bit>

#include "zwalk/emst/detail/point_rules.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Components search as soon as fewer than one in so many know their least edge from the lists.
inline constexpr pos_t patience = 3;

/// 2^this points are a chunk, which grows a tree of its own: with their lists they fit into caches, and all
/// threads have something to do.
inline int chunk_log2(pos_t n, pos_t listed, int threads) {
    constexpr pos_t cached = 1 << 17;  // keys
    return std::clamp(int(std::bit_width(std::min(n / (8 * pos_t(threads)), cached / listed))) - 1, 9,
                      14);
}

/// The neighbours to list for n >= 2 points: with one neighbour more than the core distance needs, edges as long as it are proven.
inline pos_t listed_neighbours(pos_t n, pos_t min_samples) {
    return std::min<pos_t>(n - 1, std::max<pos_t>(usual_neighbours, min_samples));
}

}}}  // namespace zwalk::v0::detail
