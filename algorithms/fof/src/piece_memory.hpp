// What fof() of a piece takes of memory.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/need.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/fof/fof_in_pieces.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Points, and what fof() takes beside them at most. Of what fof_memory() has one after another the sort's is still there when the
/// rest begins: up to 48 bytes per point of three floats have been measured, of 50 that these are.
inline std::uint64_t piece_bytes(std::uint64_t points, int dim, std::size_t item_bytes) {
    Need const need = fof_memory(points, dim, item_bytes);
    return std::uint64_t(dim) * item_bytes * points +
           std::max(need.sort + need.build, need.walk + need.result);
}

/// What may be used in all.
inline std::uint64_t memory_for(FofPiecesOptions const& how) {
    return how.memory > 0 ? how.memory : available_memory();
}

}}}  // namespace zwalk::v0::detail
