// Exact k-nearest neighbours on a GPU: the public interface. For host compilers; builds without CUDA have it
// too, and refuse.
#pragma once
#include "zwalk/core/device_points.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/nearest/device_visit.hpp"

namespace zwalk::inline v0 {

namespace detail {
// The functions that those below call. Without queries the points are their own queries; with a visitor the result has no rows.
template <class T>
KnnResult<T> find_knn(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                      KnnOptions const& options, Cuda const& cuda);
template <class T>
KnnResult<T, CudaDevice> find_knn(DevicePoints<T> sources,
                                  std::type_identity_t<DevicePoints<T>> const* queries,
                                  KnnOptions const& options, Cuda const& cuda,
                                  CudaRunVisitor<T> const& visitor = {});
}  // namespace detail

/// knn() on a GPU: the same neighbours, bit for bit.
///
/// The memory budget bounds the lists of the walk, beside the trees and the result. Compiled for the dimensions of
/// ZWALK_CUDA_DIMS; fewer columns are padded.
/// @throws InputError  as knn(); no CUDA device, or a build without CUDA; more columns than it was compiled
///                     for
/// @throws Error       the device's memory doesn't suffice (refused before work where device_knn_memory() predicts
///                     so), or CUDA failed
template <PointRows Rows>
KnnResult<RealOf<Rows>> knn(Rows const& points, KnnOptions const& options, Cuda const& cuda) {
    return detail::find_knn(Points(points), nullptr, options, cuda);
}
template <PointRows Sources, PointRows Queries>
KnnResult<RealOf<Sources>> knn(Sources const& sources, Queries const& queries, KnnOptions const& options,
                               Cuda const& cuda) {
    Points const asked(queries);
    return detail::find_knn(Points(sources), &asked, options, cuda);
}

/// knn() of points that are on the device, with results that stay there; the work on them has ended.
template <class T>
KnnResult<T, CudaDevice> knn(DevicePoints<T> points, KnnOptions const& options, Cuda const& cuda) {
    return detail::find_knn(points, nullptr, options, cuda);
}
template <class T>
KnnResult<T, CudaDevice> knn(DevicePoints<T> sources, DevicePoints<T> queries, KnnOptions const& options,
                             Cuda const& cuda) {
    return detail::find_knn(sources, &queries, options, cuda);
}
/// knn() of queries that are on the device, in the points of an index (for other queries: knn.hpp).
/// @throws as knn(index, queries) and knn(points, options, cuda)
template <class T>
KnnResult<T, CudaDevice> knn(CudaIndex<T> const& index, DevicePoints<T> queries,
                             KnnOptions const& options = {});

}  // namespace zwalk::inline v0
