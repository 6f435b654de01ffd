// Reductions on a GPU: device_reduce.hpp for CudaDevice, compiled once for all dimensions.
#pragma once
#include "device_reduce.hpp"
#include "zwalk/exec/cuda_device.cuh"

namespace zwalk::inline v0::detail {

#define ZWALK_CUDA_REDUCE(LINKAGE, T) \
    LINKAGE template void device_reduce(CudaDevice&, KnnRun<T> const&, Reduction, int, index_t, T*);
ZWALK_CUDA_REDUCE(extern, float)
ZWALK_CUDA_REDUCE(extern, double)

}  // namespace zwalk::inline v0::detail
