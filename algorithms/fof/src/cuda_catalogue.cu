// The catalogue on a GPU.
#include "zwalk/exec/cuda_device.cuh"
// Behind the device, whose functions it calls.
#include "device_catalogue.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template struct CatalogueThere<float, CudaDevice>;
template struct CatalogueThere<double, CudaDevice>;

}}}  // namespace zwalk::v0::detail
