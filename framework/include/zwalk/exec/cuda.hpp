// GPUs, as host code sees them: also in builds without CUDA, which find none.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "zwalk/exec/device_memory.hpp"

namespace zwalk { inline namespace v0 {

/// CUDA execution context: which GPU, in which stream, with whose memory, and how much of it. Work is put into the stream;
/// functions that return host memory have waited for it. The calling thread's current device stays what it was.
struct Cuda {
    int device = 0;
    /// A cudaStream_t of that device; null: the default stream. It has to outlive results in device memory and
    /// indices, whose buffers are given back in it.
    void* stream = nullptr;
    /// Where buffers come from; null: cuda_shared_memory(), so that the driver needn't allocate memory for each call. Where
    /// several processes share the GPU, null is a pool of this call (or index) alone, gone with the last of its buffers.
    std::shared_ptr<DeviceMemory> memory{};
    /// Bytes for the lists of a walk, beside points, trees and the result; 0: half of what the device has free. A small
    /// one costs time only.
    std::uint64_t memory_budget = 0;
    /// Processes that work on this GPU at the same time, as ranks of MPI may (ranks/rank_cuda.hpp): each counts on its share of
    /// the memory that is free.
    int processes = 1;
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

/// An identifier that no other GPU has, on this machine or another, whatever number a process has for it.
using CudaDeviceId = std::array<unsigned char, 16>;
/// @throws InputError  no such device
CudaDeviceId cuda_device_id(int device);

/// Memory by plain cudaMalloc: slow, but what MPI libraries can send from (pools they can't open).
/// @throws InputError  the build has no CUDA
std::shared_ptr<DeviceMemory> cuda_plain_memory();

/// A stream-ordered pool of its own on `device`: keeps memory that is given back for the next buffer, and returns it to
/// the driver when the last user is gone. Plain memory where the driver has no pools.
/// @throws InputError  no such device, or a build without CUDA
std::shared_ptr<DeviceMemory> cuda_pool_memory(int device);

/// The pool of `device` that the library's own calls share. It keeps the memory that they give back until cuda_release_memory()
/// or the end of the process. Plain memory where the driver has no pools.
/// @throws InputError  no such device, or a build without CUDA
std::shared_ptr<DeviceMemory> cuda_shared_memory(int device);

/// Gives back to the driver the memory that the library's pool of `device` keeps unused, for other libraries of the process
/// and other processes. Work that was put into a stream should have ended: memory that it still uses stays.
/// @throws InputError  no such device
void cuda_release_memory(int device);

/// Makes a GPU the current device of the calling thread, as CUDA requires for putting work into a stream; the
/// one that was current before is so again afterwards. Functions of this library do so themselves.
class CurrentDevice {
  public:
    explicit CurrentDevice(int device);  ///< @throws Error  CUDA failed
    ~CurrentDevice();
    CurrentDevice(CurrentDevice const&) = delete;
    CurrentDevice& operator=(CurrentDevice const&) = delete;

  private:
    int before_ = -1;  // none: it was current
};

/// Throws InputError, saying what to do, unless device code can run on `cuda.device`.
void check_cuda(Cuda const& cuda);

// A GPU at work, for code without CUDA headers, to which CudaDevice (cuda_device.cuh) is a name.
class CudaDevice;
struct CloseCuda {
    void operator()(CudaDevice* device) const;
};
using OpenCuda = std::unique_ptr<CudaDevice, CloseCuda>;
/// @throws InputError  as check_cuda()
OpenCuda open_cuda(Cuda const& cuda);
/// Copies to the host, and waits. Not there in builds without CUDA.
void cuda_download(CudaDevice& device, void* to, void const* from, std::size_t bytes);

}}  // namespace zwalk::v0
