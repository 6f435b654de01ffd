// How many points knn_reduce_in_pieces() brings to others' pieces at a time.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "piece_group.hpp"
#include "zwalk/density/reduce_in_pieces.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Bytes of such a point, beside those of its search: what a group keeps of it, the query, and its number.
inline std::uint64_t border_point_bytes(ReducePiecesShape const& shape) {
    std::uint64_t const dim = std::uint64_t(shape.dim),
                        k = std::min<std::uint64_t>(std::uint64_t(shape.k), shape.points);
    return PieceGroup<float>::bytes(dim, k, shape.item_bytes) + (dim + 1) * shape.item_bytes +
           sizeof(pos_t) + 1;
}
/// Bytes of the search.
inline constexpr std::uint64_t border_search_bytes = 48;

/// As many as fit into what the numbers of a piece, and the balls' sizes, took while it was searched; or into 16 MB; or one.
inline std::uint64_t piece_group_size(ReducePiecesShape const& shape, std::size_t pieces) {
    std::uint64_t const each = border_point_bytes(shape) + border_search_bytes,
                        room = 2 * shape.item_bytes * most_of_piece(shape.points, pieces);
    return std::clamp<std::uint64_t>(std::max(room, std::uint64_t(16) << 20) / each, 1,
                                     std::max<std::uint64_t>(1, shape.points));
}

}}}  // namespace zwalk::v0::detail
