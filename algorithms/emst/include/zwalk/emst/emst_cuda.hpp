// Minimum spanning trees on a GPU: the public interface. For host compilers; builds without CUDA have it too,
// and refuse.
#pragma once
#include "zwalk/core/device_points.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/exec/cuda.hpp"

namespace zwalk::inline v0 {

class CudaDevice;

/// emst() on a GPU: the same edges, lengths and core distances, bit for bit.
///
/// Compiled for the dimensions of ZWALK_CUDA_DIMS; fewer columns are padded.
///
/// Device memory: for float and D = 3 about 150 bytes per point, min_samples beyond 8 add 8 bytes each; and the
/// lists of a walk, which take what is free, or less, and at most the memory budget.
/// @throws InputError  as emst(); no CUDA device, or a build without CUDA; more columns than it was compiled
///                     for
/// @throws Error       the device's memory doesn't suffice, or CUDA failed
template <class T>
EmstResult<T> emst(Points<T> points, EmstOptions const& options, Cuda const& cuda);

/// emst() of points that are on the device, with results that stay there; the work on them has ended.
template <class T>
EmstResult<T, CudaDevice> emst(DevicePoints<T> points, EmstOptions const& options, Cuda const& cuda);

}  // namespace zwalk::inline v0
