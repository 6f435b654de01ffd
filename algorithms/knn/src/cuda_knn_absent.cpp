// What cuda_knn.cpp needs of a device, in a build without CUDA: there is none to begin with.
#include "device_index.hpp"

namespace zwalk::inline v0 {

class CudaDevice {};

namespace detail {

template <class T>
CudaSession<T>::CudaSession(Cuda const& cuda) {
    check_cuda(cuda);  // throws
}
template <class T>
CudaSession<T>::~CudaSession() = default;
template <class T>
DeviceBuffer<T> CudaSession<T>::upload(Points<T>) {
    return {};
}
template <class T>
std::optional<BadCoordinate<T>> CudaSession<T>::not_finite(DevicePoints<T>) {
    return {};
}
template <class T>
Extent<T> CudaSession<T>::extent(DevicePoints<T> points) {
    return Extent<T>(points.dim);
}
template <class T>
KnnResult<T> CudaSession<T>::download(DeviceKnnResult<T>) {
    return {};
}
template class CudaSession<float>;
template class CudaSession<double>;

template <>
std::unique_ptr<AnyDeviceIndex<float>> make_cuda_index<1>(CudaDevice&, DevicePoints<float>,
                                                          std::vector<float>, TreeOptions const&) {
    return {};
}
template <>
std::unique_ptr<AnyDeviceIndex<double>> make_cuda_index<1>(CudaDevice&, DevicePoints<double>,
                                                           std::vector<double>, TreeOptions const&) {
    return {};
}

}  // namespace detail
}  // namespace zwalk::inline v0
