#include "zwalk/tree/cuda_build.cuh"
// Behind the device, whose functions it calls.
#include "zwalk/run/detail/device_preparation.hpp"
#include "zwalk/run/detail/device_rows.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template struct Preparation<float, CudaDevice>;
template struct Preparation<double, CudaDevice>;
// Of results on MPI ranks.
ZWALK_DEVICE_ROWS(CudaDevice)

}}}  // namespace zwalk::v0::detail
