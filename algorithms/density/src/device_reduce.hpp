// The reductions on a device: the part of a visit that depends on no dimension.
#pragma once
#include "zwalk/density/detail/reduce_chunk.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T, class Device>
void device_reduce(Device& device, NeighbourChunk<T> const& chunk, Reduction what, int axes, index_t k,
                   T* value) {
    with_reduction(what, value, axes, k, [&](auto const& f) { visit_rows(device, chunk, f); });
}

}}}  // namespace zwalk::v0::detail
