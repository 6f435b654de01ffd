// Friends-of-friends groups on a GPU: the public interface. For host compilers; builds without CUDA have it
// too, and refuse.
#pragma once
#include "zwalk/core/device_points.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/fof/fof.hpp"

namespace zwalk::inline v0 {

class CudaDevice;

/// fof() on a GPU: the same labels, roots and z-order, bit for bit.
///
/// Compiled for the dimensions of ZWALK_CUDA_DIMS; fewer columns are padded. The result is what fof_catalogue()
/// takes, which runs on the host.
/// @throws InputError  as fof(); no CUDA device, or a build without CUDA; more columns than it was compiled
///                     for
/// @throws Error       the device's memory doesn't suffice (refused before work where device_fof_memory() predicts
///                     so), or CUDA failed
template <class T>
FofResult<> fof(Points<T> points, FofOptions const& options, Cuda const& cuda);

/// fof() of points that are on the device, with results that stay there; the work on them has ended.
template <class T>
FofResult<CudaDevice> fof(DevicePoints<T> points, FofOptions const& options, Cuda const& cuda);

}  // namespace zwalk::inline v0
