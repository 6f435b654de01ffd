// Core distances as what kNN shows, on any place.
#pragma once
#include "zwalk/nearest/device_visit.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The squared distance to neighbour k - 1, which there is, of each point that a search with Order::z shows.
template <class T>
struct TakeCore {
    T* core2;
    int k;

    template <class Neighbours>
    ZWALK_INLINE void operator()(index_t point, Neighbours const& found) const {
        core2[point] = found.scaled_distance2(k - 1);
    }
};

/// Shows it a chunk of neighbours on a device. Defined in device_forest.hpp; compiled for GPUs in cuda_forest.cu.
template <class T, class Device>
void device_take_cores(Device& device, NeighbourChunk<T> const& chunk, TakeCore<T> const& take);

}}}  // namespace zwalk::v0::detail
