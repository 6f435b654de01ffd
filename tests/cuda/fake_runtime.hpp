// A CUDA runtime in place of libcudart, for programs that run without a GPU: it keeps book of memory, pools, streams and
// events, and leaves the rest to a machine (fake_machine.hpp). Calls are done when they return. For calls from one thread at
// a time.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

namespace fake_cuda {

/// A stream of a device, below 2.
cudaStream_t stream(int device);
/// Pools that are not destroyed.
std::size_t pools();
/// Allocations that are not freed, from pools and others.
std::size_t allocations();
/// Page-locked allocations and events that are not gone.
std::size_t pinned();

}  // namespace fake_cuda
