// What cuda_emst.cpp needs of a device, in a build without CUDA: there is none to begin with.
#include "device_job.hpp"

namespace zwalk::inline v0::detail {

template <>
DeviceEmstResult<float> run_cuda_emst<1>(CudaDevice&, DeviceEmstJob<float> const&) {
    return {};
}
template <>
DeviceEmstResult<double> run_cuda_emst<1>(CudaDevice&, DeviceEmstJob<double> const&) {
    return {};
}

}  // namespace zwalk::inline v0::detail
