// What cuda_knn.cpp needs of a device, in a build without CUDA: there is none to begin with.
#include "device_index.hpp"

namespace zwalk::inline v0::detail {

#define ZWALK_CUDA_INDEX(T)                                                                             \
    template <>                                                                                         \
    std::unique_ptr<AnyDeviceIndex<T>> make_cuda_index<1>(CudaDevice&, DevicePoints<T>, std::vector<T>, \
                                                          TreeOptions const&) {                         \
        return {};                                                                                      \
    }                                                                                                   \
    template <>                                                                                         \
    std::unique_ptr<AnyDeviceIndex<T>> restore_cuda_index<1>(CudaDevice&, Tree<T, Cpu> const&,          \
                                                             std::vector<T>, TreeOptions const&) {      \
        return {};                                                                                      \
    }
ZWALK_CUDA_INDEX(float)
ZWALK_CUDA_INDEX(double)

}  // namespace zwalk::inline v0::detail
