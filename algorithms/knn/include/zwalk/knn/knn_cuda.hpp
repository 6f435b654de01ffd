// Exact k-nearest neighbours on a GPU: the public interface. For host compilers; builds without CUDA have it
// too, and refuse.
#pragma once
#include "zwalk/core/device_points.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/knn/reduction.hpp"
#include "zwalk/nearest/device_visit.hpp"

namespace zwalk::inline v0 {

template <class T>
struct KnnReduced {
    Buffer<T> values;  ///< one per query
    Stats stats;
};

namespace detail {
// What the functions below ask. Without queries the points are their own; with a visitor the result has no rows.
template <class T>
KnnResult<T> find_knn(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                      KnnOptions const& options, Cuda const& cuda);
template <class T>
KnnResult<T, CudaDevice> find_knn(DevicePoints<T> sources,
                                  std::type_identity_t<DevicePoints<T>> const* queries,
                                  KnnOptions const& options, Cuda const& cuda,
                                  CudaRunVisitor<T> const& visitor = {});
template <class T>
KnnReduced<T> reduce_knn(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                         Reduction what, KnnOptions const& options, Cuda const& cuda);
template <class T>
KnnReduced<T> reduce_knn(CudaIndex<T> const& index, std::type_identity_t<Points<T>> const* queries,
                         Reduction what, KnnOptions const& options);
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

/// The same for points that are on the device, with results that stay there; the work on them has ended.
template <class T>
KnnResult<T, CudaDevice> knn(DevicePoints<T> points, KnnOptions const& options, Cuda const& cuda) {
    return detail::find_knn(points, nullptr, options, cuda);
}
template <class T>
KnnResult<T, CudaDevice> knn(DevicePoints<T> sources, DevicePoints<T> queries, KnnOptions const& options,
                             Cuda const& cuda) {
    return detail::find_knn(sources, &queries, options, cuda);
}
/// For queries that are there, and the points of an index (for other ones: knn.hpp).
/// @throws as knn(index, queries) and knn(points, options, cuda)
template <class T>
KnnResult<T, CudaDevice> knn(CudaIndex<T> const& index, DevicePoints<T> queries,
                             KnnOptions const& options = {});

/// The same bits as knn_visit() on CPUs with the object that `what` stands for (no masses). For objects of your
/// own: knn_visit.cuh.
/// @throws InputError  as knn(points, options, cuda), or knn(index); sph in more than three dimensions
template <PointRows Rows>
KnnReduced<RealOf<Rows>> knn_reduce(Rows const& points, Reduction what, KnnOptions const& options,
                                    Cuda const& cuda) {
    return detail::reduce_knn(Points(points), nullptr, what, options, cuda);
}
template <PointRows Sources, PointRows Queries>
KnnReduced<RealOf<Sources>> knn_reduce(Sources const& sources, Queries const& queries, Reduction what,
                                       KnnOptions const& options, Cuda const& cuda) {
    Points const asked(queries);
    return detail::reduce_knn(Points(sources), &asked, what, options, cuda);
}
template <class T>
KnnReduced<T> knn_reduce(CudaIndex<T> const& index, Reduction what, KnnOptions const& options) {
    return detail::reduce_knn(index, nullptr, what, options);
}
template <class T, PointRows Queries = Points<T>>
KnnReduced<T> knn_reduce(CudaIndex<T> const& index, Queries const& queries, Reduction what,
                         KnnOptions const& options) {
    Points<T> const asked(queries);
    return detail::reduce_knn(index, &asked, what, options);
}

}  // namespace zwalk::inline v0
