// Radius search on a GPU: the public interface. For host compilers; builds without CUDA have it too, and refuse.
#pragma once
#include "zwalk/core/device_points.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/radius/radius.hpp"

namespace zwalk::inline v0 {

namespace detail {
// The functions that those below call. Without queries the points are their own queries.
template <class T>
RadiusResult<T> find_radius(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& options, Cuda const& cuda, RadiusWork work);
template <class T>
RadiusResult<T, CudaDevice> find_radius(DevicePoints<T> sources,
                                        std::type_identity_t<DevicePoints<T>> const* queries,
                                        RadiusOptions const& options, Cuda const& cuda, RadiusWork work);
}  // namespace detail

/// radius_count() on a GPU: the same counts.
///
/// Compiled for the dimensions of ZWALK_CUDA_DIMS; fewer columns are padded.
/// @throws InputError  as radius_count(); no CUDA device, or a build without CUDA; more columns than it was compiled for
/// @throws Error       the device's memory doesn't suffice, or CUDA failed
template <PointRows Rows>
RadiusResult<RealOf<Rows>> radius_count(Rows const& points, RadiusOptions const& options,
                                        Cuda const& cuda) {
    return detail::find_radius(Points(points), nullptr, options, cuda, detail::RadiusWork::count);
}
template <PointRows Sources, PointRows Queries>
RadiusResult<RealOf<Sources>> radius_count(Sources const& sources, Queries const& queries,
                                           RadiusOptions const& options, Cuda const& cuda) {
    Points const asked(queries);
    return detail::find_radius(Points(sources), &asked, options, cuda, detail::RadiusWork::count);
}
/// radius_search() on a GPU: the same lists, bit for bit. Memory there while they are sorted: 16 bytes for each entry
/// (float; 32 for double).
/// @throws as radius_count() on a GPU, and as radius_search()
template <PointRows Rows>
RadiusResult<RealOf<Rows>> radius_search(Rows const& points, RadiusOptions const& options,
                                         Cuda const& cuda) {
    return detail::find_radius(Points(points), nullptr, options, cuda, detail::RadiusWork::search);
}
template <PointRows Sources, PointRows Queries>
RadiusResult<RealOf<Sources>> radius_search(Sources const& sources, Queries const& queries,
                                            RadiusOptions const& options, Cuda const& cuda) {
    Points const asked(queries);
    return detail::find_radius(Points(sources), &asked, options, cuda, detail::RadiusWork::search);
}

/// radius_count() and radius_search() of points that are on the device, with results that stay there; the work on them has ended.
template <class T>
RadiusResult<T, CudaDevice> radius_count(DevicePoints<T> points, RadiusOptions const& options,
                                         Cuda const& cuda) {
    return detail::find_radius(points, nullptr, options, cuda, detail::RadiusWork::count);
}
template <class T>
RadiusResult<T, CudaDevice> radius_count(DevicePoints<T> sources, DevicePoints<T> queries,
                                         RadiusOptions const& options, Cuda const& cuda) {
    return detail::find_radius(sources, &queries, options, cuda, detail::RadiusWork::count);
}
template <class T>
RadiusResult<T, CudaDevice> radius_search(DevicePoints<T> points, RadiusOptions const& options,
                                          Cuda const& cuda) {
    return detail::find_radius(points, nullptr, options, cuda, detail::RadiusWork::search);
}
template <class T>
RadiusResult<T, CudaDevice> radius_search(DevicePoints<T> sources, DevicePoints<T> queries,
                                          RadiusOptions const& options, Cuda const& cuda) {
    return detail::find_radius(sources, &queries, options, cuda, detail::RadiusWork::search);
}

}  // namespace zwalk::inline v0
