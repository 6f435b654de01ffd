#include "zwalk/tree/cuda_build.cuh"
// Behind the device, whose functions it calls.
#include "zwalk/run/detail/device_preparation.hpp"
#include "zwalk/run/detail/device_rows.hpp"

namespace zwalk::inline v0::detail {

template struct Preparation<float, CudaDevice>;
template struct Preparation<double, CudaDevice>;
// Rows of results on MPI ranks.
template class DeviceRows<float, CudaDevice>;
template class DeviceRows<double, CudaDevice>;
template class DeviceRows<index_t, CudaDevice>;
template void name_sources(CudaDevice&, index_t*, std::size_t, DeviceBuffer<index_t> const&);
template void wait_for(CudaDevice&);
template DeviceBuffer<index_t> copy_to_device(CudaDevice&, Buffer<index_t> const&);

}  // namespace zwalk::inline v0::detail
