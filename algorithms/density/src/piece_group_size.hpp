// How many points knn_reduce_in_pieces() brings to others' pieces at a time.
#pragma once
#include <cstddef>
#include <cstdint>

#include "zwalk/density/reduce_in_pieces.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// As many as fit into `memory`, which is all that may be used; at least as many as fit into what the numbers of a piece, and the balls'
/// sizes, took while it was searched, or into 16 MB; at least one.
std::uint64_t piece_group_size(ReducePiecesShape const& shape, std::size_t pieces, std::uint64_t memory);
/// How many queries meet the index of their piece at a time, in the same way.
std::uint64_t piece_query_size(ReducePiecesShape const& shape, std::size_t pieces, std::uint64_t memory);

}}}  // namespace zwalk::v0::detail
