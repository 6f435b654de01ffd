// What cuda_knn.cpp needs of a device, in a build without CUDA: there is none to begin with.
#include "cuda_reduce.hpp"
#include "device_index.hpp"

namespace zwalk::inline v0::detail {

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

template <class T>
CudaRunVisitor<T> cuda_reduction(Reduction, int, index_t, T*) {
    return {};
}
template CudaRunVisitor<float> cuda_reduction(Reduction, int, index_t, float*);
template CudaRunVisitor<double> cuda_reduction(Reduction, int, index_t, double*);

}  // namespace zwalk::inline v0::detail
