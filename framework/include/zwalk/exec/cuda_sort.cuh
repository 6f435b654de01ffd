// The functions beside CudaDevice: merge sort by any comparator, and reductions.
#pragma once
#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_reduce.cuh>

#include "zwalk/exec/detail/cuda_call.cuh"

namespace zwalk { inline namespace v0 {

template <class V, class Less>
void merge_sort(CudaDevice& device, V* values, std::size_t n, Less const& less) {
    detail::with_temporary(device, "sort by comparison", [&](void* memory, std::size_t& bytes) {
        return cub::DeviceMergeSort::StableSortKeys(memory, bytes, values, n, less, device.stream());
    });
}

template <class V, class F, class Join>
void transform_reduce(CudaDevice& device, std::size_t n, V* out, V const& zero, F const& f,
                      Join const& join) {
    detail::with_temporary(device, "reduce", [&](void* memory, std::size_t& bytes) {
        return cub::DeviceReduce::TransformReduce(memory, bytes,
                                                  thrust::counting_iterator<std::size_t>(0), out,
                                                  std::int64_t(n), join, f, zero, device.stream());
    });
}

}}  // namespace zwalk::v0
