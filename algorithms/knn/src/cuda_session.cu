#include "device_run.hpp"
#include "zwalk/tree/cuda_build.cuh"

namespace zwalk::inline v0::detail {

template <class T>
CudaSession<T>::CudaSession(Cuda const& cuda) : device_(std::make_unique<CudaDevice>(cuda)) {}
template <class T>
CudaSession<T>::~CudaSession() = default;

template <class T>
DeviceBuffer<T> CudaSession<T>::upload(Points<T> points) {
    auto rows = device_->buffer<T>(points.size * std::size_t(points.dim));
    device_->upload(rows.data(), points.data, rows.size());
    return rows;
}

template <class T>
std::optional<BadCoordinate<T>> CudaSession<T>::not_finite(DevicePoints<T> points) {
    return find_not_finite(*device_, points);
}

template <class T>
Extent<T> CudaSession<T>::extent(DevicePoints<T> points) {
    Extent<T> extent(points.dim);
    if (points.size == 0) return extent;
    auto const intervals = device_extent(*device_, points);
    for (std::size_t j = 0; j < intervals.size(); ++j) {
        extent.lo[j] = intervals[j].lo;
        extent.hi[j] = intervals[j].hi;
    }
    return extent;
}

template <class T>
KnnResult<T> CudaSession<T>::download(DeviceKnnResult<T> result) {
    KnnResult<T> r;
    double const start = now_seconds();
    r.rows = result.rows;
    r.columns = result.columns;
    r.indices = Buffer<index_t>(result.indices.size());
    r.distances = Buffer<T>(result.distances.size());
    r.row_order.resize(result.row_order.size());
    r.source_order.resize(result.source_order.size());
    device_->download(r.indices.data(), result.indices.data(), r.indices.size());
    device_->download(r.distances.data(), result.distances.data(), r.distances.size());
    device_->download(r.row_order.data(), result.row_order.data(), r.row_order.size());
    device_->download(r.source_order.data(), result.source_order.data(), r.source_order.size());
    r.stats = std::move(result.stats);
    r.stats.seconds.emplace_back("download", now_seconds() - start);
    return r;
}

template class CudaSession<float>;
template class CudaSession<double>;

}  // namespace zwalk::inline v0::detail
