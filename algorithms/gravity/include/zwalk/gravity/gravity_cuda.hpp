// Gravity on a GPU: the public interface. For host compilers; builds without CUDA have it too, and refuse.
#pragma once
#include <cstdint>

#include "zwalk/core/device_points.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/gravity/gravity.hpp"

namespace zwalk::inline v0 {

class CudaDevice;

/// gravity() on a GPU: as accurate as on CPU threads, but not the same bits, since sums are in another order. Expansions of
/// order 4 or 5 only, which are those that are chosen by accuracy.
///
/// Expansions are in double also for float, as on CPU threads. In a periodic box threads of the host make the images, from a
/// copy of the tree, and the field of what is further away.
/// @throws InputError  as gravity(); expansions of order 1 to 3; no CUDA device, or a build without CUDA
/// @throws Error       the device's memory doesn't suffice (refused before work where device_gravity_memory() predicts
///                     so), or CUDA failed
template <class T>
GravityResult<T> gravity(Points<T> points, GravityOptions const& options, Cuda const& cuda);

template <PointRows Rows>
GravityResult<RealOf<Rows>> gravity(Rows const& points, GravityOptions const& options,
                                    Cuda const& cuda) {
    return gravity(Points<RealOf<Rows>>(Points(points)), options, cuda);
}

/// gravity() of points that are on the device, with results that stay there; the work on them has ended. Masses are on the
/// host, in the order of the rows.
template <class T>
GravityResult<T, CudaDevice> gravity(DevicePoints<T> points, GravityOptions const& options,
                                     Cuda const& cuda);

/// Bytes on the device for so many points beside them, predicted: with as many a walk has enough where points are uniform or
/// clustered, and uses half of them or so at least. Lists that need more are made in pieces; where there is more memory
/// they get more. O(1).
std::uint64_t device_gravity_memory(std::uint64_t points, std::size_t item_bytes,
                                    GravityOptions const& options);

}  // namespace zwalk::inline v0
