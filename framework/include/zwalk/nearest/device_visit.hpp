// How neighbours on a device reach a user's object, chunk by chunk.
#pragma once
#include <functional>

#include "zwalk/exec/cuda.hpp"
#include "zwalk/nearest/neighbours.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Neighbours of the target positions [begin, end), in a device's memory until the next chunk: those of position
/// i in row i % ring.
template <class T>
struct NeighbourChunk {
    pos_t begin, end, ring;
    bool
        limited;  ///< by distance: of some targets there are fewer than `found`; indices behind the last one are -1
    std::size_t columns;
    T const* distance2;
    index_t const* index;
    pos_t found;          ///< neighbours of each target, or the most of one: see `limited`
    pos_t const* row_of;  ///< of a target position; null: the position
    T unit = 1;           ///< of lengths
};

/// f(row, NeighbourRow) for each target of a chunk, for Device::for_each.
template <class T, class F>
struct VisitRows {
    F f;
    NeighbourChunk<T> chunk;
    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const target = chunk.begin + pos_t(i);
        std::size_t const at = target % chunk.ring * chunk.columns;
        pos_t found = chunk.found;
        if (chunk.limited)
            while (found > 0 && chunk.index[at + found - 1] < 0) --found;
        f(index_t(chunk.row_of ? chunk.row_of[target] : target),
          NeighbourRow<T>(chunk.distance2 + at, chunk.index + at, found, nullptr, chunk.unit));
    }
};
/// Calls f(row, NeighbourRow) for all targets of a chunk, in the device's stream.
template <class T, class Device, class F>
void visit_rows(Device& device, NeighbourChunk<T> const& chunk, F const& f) {
    device.for_each(chunk.end - chunk.begin, VisitRows<T, F>{f, chunk});
}

template <class T, class Device>
using ChunkVisitor = std::function<void(Device&, NeighbourChunk<T> const&)>;
template <class T>
using CudaChunkVisitor = ChunkVisitor<T, CudaDevice>;

}}}  // namespace zwalk::v0::detail
