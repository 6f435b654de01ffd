// The function beside CudaDevice: merge sort by any comparator.
#pragma once
#include <cub/device/device_merge_sort.cuh>

#include "zwalk/exec/detail/cuda_call.cuh"

namespace zwalk { inline namespace v0 {

template <class V, class Less>
void merge_sort(CudaDevice& device, V* values, std::size_t n, Less const& less) {
    detail::with_temporary(device, "sort by comparison", [&](void* memory, std::size_t& bytes) {
        return cub::DeviceMergeSort::StableSortKeys(memory, bytes, values, n, less, device.stream());
    });
}

}}  // namespace zwalk::v0
