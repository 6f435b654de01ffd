// GPUs, as host code sees them: also in builds without CUDA, which find none.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "zwalk/exec/device_memory.hpp"

namespace zwalk::inline v0 {

/// CUDA execution context: which GPU, in which stream, with whose memory. Work is put into the stream;
/// functions that return host memory have waited for it.
struct Cuda {
    int device = 0;
    void* stream = nullptr;  ///< a cudaStream_t of that device; null: the default stream
    /// Where buffers come from; null: the device's stream-ordered pool (cudaMallocAsync).
    std::shared_ptr<DeviceMemory> memory{};
};

/// Whether this library was built with CUDA (ZWALK_CUDA).
bool built_with_cuda();

/// Number of GPUs that can be used; 0 without a driver, and in builds without CUDA.
int cuda_devices();

/// Largest number of columns that the algorithms' GPU kernels were compiled for (ZWALK_CUDA_DIMS); 0 in builds
/// without CUDA.
int cuda_max_dim();

/// Name of a GPU, e.g. for statistics. @throws InputError  no such device
std::string cuda_device_name(int device);

/// Memory by plain cudaMalloc: slow, but what MPI libraries can send from (pools they can't open).
/// @throws InputError  the build has no CUDA
std::shared_ptr<DeviceMemory> cuda_plain_memory();

/// Throws InputError, saying what to do, unless device code can run on `cuda.device`.
void check_cuda(Cuda const& cuda);

}  // namespace zwalk::inline v0
