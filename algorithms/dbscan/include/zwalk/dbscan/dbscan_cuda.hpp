// DBSCAN on a GPU: the public interface. For host compilers; builds without CUDA have it too, and refuse.
#pragma once
#include "zwalk/core/device_points.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/exec/cuda.hpp"

namespace zwalk::inline v0 {

class CudaDevice;

/// dbscan() on a GPU: the same labels, core points and z-order, bit for bit.
///
/// Compiled for the dimensions of ZWALK_CUDA_DIMS; fewer columns are padded.
/// @throws InputError  as dbscan(); no CUDA device, or a build without CUDA; more columns than it was compiled for
/// @throws Error       the device's memory doesn't suffice (refused before work where device_dbscan_memory() predicts
///                     so), or CUDA failed
template <class T>
DbscanResult<> dbscan(Points<T> points, DbscanOptions const& options, Cuda const& cuda);

/// dbscan() of points that are on the device, with results that stay there; the work on them has ended.
template <class T>
DbscanResult<CudaDevice> dbscan(DevicePoints<T> points, DbscanOptions const& options, Cuda const& cuda);

}  // namespace zwalk::inline v0
