// CudaSession in a build without CUDA: none can be made.
#include "cuda_session.hpp"

namespace zwalk::inline v0 {

class CudaDevice {};

namespace detail {

CudaSession::CudaSession(Cuda const& cuda) {
    check_cuda(cuda);  // throws
}
CudaSession::~CudaSession() = default;
std::uint64_t CudaSession::available() const { return 0; }

template <class T>
DeviceBuffer<T> CudaSession::buffer(std::size_t) {
    return {};
}
template <class T>
DeviceBuffer<T> CudaSession::upload(Points<T>) {
    return {};
}
template <class T>
std::optional<BadCoordinate<T>> CudaSession::not_finite(DevicePoints<T>) {
    return {};
}
template <class T>
Extent<T> CudaSession::extent(DevicePoints<T> points) {
    return Extent<T>(points.dim);
}
void CudaSession::download_bytes(void*, void const*, std::size_t) {}

ZWALK_CUDA_SESSION(float)
ZWALK_CUDA_SESSION(double)

}  // namespace detail
}  // namespace zwalk::inline v0
