// What cuda_fof.cpp needs of a device, in a build without CUDA: there is none to begin with.
#include "device_job.hpp"

namespace zwalk::inline v0::detail {

template <>
DeviceFofResult run_cuda_fof<1>(CudaDevice&, DeviceFofJob<float> const&) {
    return {};
}
template <>
DeviceFofResult run_cuda_fof<1>(CudaDevice&, DeviceFofJob<double> const&) {
    return {};
}

}  // namespace zwalk::inline v0::detail
