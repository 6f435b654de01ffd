// What a GPU is launched with: functions of elements and kernels of groups (exec/device.hpp), on blocks of threads.
// For nvcc; tests compile it for the CPU, too (tests/warp), so it needs nothing of CUDA's own headers.
#pragma once
#include <algorithm>
#include <cstddef>

#include "zwalk/core/index.hpp"
#include "zwalk/exec/detail/group_cuda.cuh"

namespace zwalk { inline namespace v0 { namespace detail {

inline constexpr unsigned element_threads = 256;

/// Blocks for n > 0 elements. A thread takes several where there are more than a grid may have threads.
inline unsigned element_blocks(std::size_t n) {
    return unsigned(std::min<std::size_t>((n - 1) / element_threads + 1, 1U << 30));
}

template <class F>
__global__ void __launch_bounds__(element_threads) run_elements(F f, std::size_t n) {
    std::size_t const step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) f(i);
}

/// Blocks for `groups` > 0 of a kernel: the last one may have groups with nothing to do.
template <class Kernel>
pos_t group_blocks(pos_t groups) {
    return (groups - 1) / CudaGroup<Kernel::width>::per_block + 1;
}

/// Blocks per multiprocessor that a kernel's registers must leave room for; 0: ptxas weighs. A kernel sets
/// `min_blocks` to 1 where ptxas would rather spill a register than lose a block.
template <class Kernel>
constexpr int min_blocks() {
    if constexpr (requires { Kernel::min_blocks; }) return Kernel::min_blocks;
    else return 0;
}

/// kernel(group, i, slot) for i < groups; where it isn't persistent there are as many slots.
template <class Kernel>
__global__ void __launch_bounds__(block_threads<Kernel::width>, min_blocks<Kernel>())
    run_groups(__grid_constant__ Kernel const kernel, pos_t groups, pos_t slots) {
    using Group = CudaGroup<Kernel::width>;
    pos_t const slot = blockIdx.x * Group::per_block + threadIdx.x / Kernel::width;
    if (slot >= slots) return;  // whole groups
    if constexpr (Kernel::persistent) {
        for (pos_t i = slot; i < groups; i += slots) kernel(Group{}, i, slot);
    } else {
        kernel(Group{}, slot, slot);
    }
}

}}}  // namespace zwalk::v0::detail
