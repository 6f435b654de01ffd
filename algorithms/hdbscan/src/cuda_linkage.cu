// Linkages on a GPU: device_linkage.hpp for CudaDevice.
#include "device_linkage.hpp"
#include "zwalk/exec/cuda_device.cuh"

namespace zwalk { inline namespace v0 { namespace detail {

template DeviceBuffer<Merge> device_linkage(CudaDevice&, pos_t, DeviceBuffer<index_t>&&,
                                            DeviceBuffer<float>&&);
template DeviceBuffer<Merge> device_linkage(CudaDevice&, pos_t, DeviceBuffer<index_t>&&,
                                            DeviceBuffer<double>&&);

}}}  // namespace zwalk::v0::detail
