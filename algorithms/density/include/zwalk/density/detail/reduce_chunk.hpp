// What knn_reduce() calls on a device.
#pragma once
#include "zwalk/density/density.hpp"
#include "zwalk/nearest/device_visit.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// One number for each target of a chunk of k neighbours, into value[row]. The data has `axes` columns. Defined in
/// device_reduce.hpp; compiled for GPUs in cuda_reduce.cu.
template <class T, class Device>
void device_reduce(Device& device, NeighbourChunk<T> const& chunk, Reduction what, int axes, index_t k,
                   T* value);

}}}  // namespace zwalk::v0::detail
