#include "cuda_session.hpp"

#include "device_checks.hpp"
#include "zwalk/tree/cuda_build.cuh"

namespace zwalk::inline v0::detail {

CudaSession::CudaSession(Cuda const& cuda) : device_(std::make_unique<CudaDevice>(cuda)) {}
CudaSession::~CudaSession() = default;
std::uint64_t CudaSession::available() const { return device_->available(); }

template <class T>
DeviceBuffer<T> CudaSession::buffer(std::size_t n) {
    return device_->buffer<T>(n);
}
template <class T>
DeviceBuffer<T> CudaSession::upload(Points<T> points) {
    auto rows = device_->buffer<T>(points.size * std::size_t(points.dim));
    device_->upload(rows.data(), points.data, rows.size());
    return rows;
}

template <class T>
std::optional<BadCoordinate<T>> CudaSession::not_finite(DevicePoints<T> points) {
    return find_not_finite(*device_, points);
}

template <class T>
Extent<T> CudaSession::extent(DevicePoints<T> points) {
    Extent<T> extent(points.dim);
    if (points.size == 0) return extent;
    auto const intervals = device_extent(*device_, points);
    for (std::size_t j = 0; j < intervals.size(); ++j) {
        extent.lo[j] = intervals[j].lo;
        extent.hi[j] = intervals[j].hi;
    }
    return extent;
}

void CudaSession::download_bytes(void* to, void const* from, std::size_t bytes) {
    device_->download(static_cast<unsigned char*>(to), static_cast<unsigned char const*>(from), bytes);
}

ZWALK_CUDA_SESSION(float)
ZWALK_CUDA_SESSION(double)

}  // namespace zwalk::inline v0::detail
