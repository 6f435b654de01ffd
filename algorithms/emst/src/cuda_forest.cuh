// Rounds on a GPU: device_forest.hpp for CudaDevice, compiled once for all dimensions.
#pragma once
#include "device_forest.hpp"
#include "zwalk/exec/cuda_device.cuh"

namespace zwalk { inline namespace v0 { namespace detail {

#define ZWALK_CUDA_FOREST(LINKAGE, T)                                                                 \
    LINKAGE template GrownTree<T, CudaDevice> device_grow_tree(CudaDevice&, DeviceNeighbourhood<T>&&, \
                                                               DeviceEdgeSearch<T> const&, Stats&);   \
    LINKAGE template void device_write_tree(CudaDevice&, GrownTree<T, CudaDevice>&&,                  \
                                            DeviceBuffer<pos_t> const&, EmstResult<T, CudaDevice>&);  \
    LINKAGE template Buffer<Edge<T>> device_edges(CudaDevice&, DeviceBuffer<Edge<T>>&&);              \
    LINKAGE template void device_take_cores(CudaDevice&, NeighbourChunk<T> const&, TakeCore<T> const&);
ZWALK_CUDA_FOREST(extern, float)
ZWALK_CUDA_FOREST(extern, double)

}}}  // namespace zwalk::v0::detail
