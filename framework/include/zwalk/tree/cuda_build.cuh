// Trees on a GPU: device_build.hpp for CudaDevice, compiled into the library (its sorts are dear to compile).
#pragma once
#include "zwalk/exec/cuda_device.cuh"
#include "zwalk/tree/device_build.hpp"

namespace zwalk { inline namespace v0 {

#define ZWALK_CUDA_BUILD(LINKAGE, T)                                                                   \
    LINKAGE template DeviceBuffer<pos_t> device_z_sort(CudaDevice&, DevicePoints<T>,                   \
                                                       std::vector<detail::Interval<T>> const&);       \
    LINKAGE template std::vector<detail::Interval<T>> device_extent(CudaDevice&, DevicePoints<T>);     \
    LINKAGE template Tree<T, CudaDevice> build_tree(CudaDevice&, DevicePoints<T>, int,                 \
                                                    TreeOptions const&, KnownPoints<T> const&);        \
    LINKAGE template Tree<T, CudaDevice> build_targets(CudaDevice&, DevicePoints<T>,                   \
                                                       Tree<T, CudaDevice> const&, TreeOptions const&, \
                                                       KnownPoints<T> const&);
ZWALK_CUDA_BUILD(extern, float)
ZWALK_CUDA_BUILD(extern, double)

}}  // namespace zwalk::v0
