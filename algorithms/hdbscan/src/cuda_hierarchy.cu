// Hierarchies on a GPU: linkages and condensed trees for CudaDevice, compiled once for all dimensions.
#include "device_condense.hpp"
#include "device_linkage.hpp"
#include "zwalk/exec/cuda_device.cuh"

namespace zwalk { inline namespace v0 { namespace detail {

template DeviceBuffer<Merge> device_linkage(CudaDevice&, pos_t, DeviceBuffer<index_t> const&,
                                            DeviceBuffer<float> const&);
template DeviceBuffer<Merge> device_linkage(CudaDevice&, pos_t, DeviceBuffer<index_t> const&,
                                            DeviceBuffer<double> const&);
template DeviceBuffer<Merge> device_linkage(CudaDevice&, pos_t, Buffer<index_t> const&,
                                            Buffer<float> const&);
template DeviceBuffer<Merge> device_linkage(CudaDevice&, pos_t, Buffer<index_t> const&,
                                            Buffer<double> const&);
template CondensedOnDevice device_condense(CudaDevice&, pos_t, DeviceBuffer<Merge> const&, std::size_t);

}}}  // namespace zwalk::v0::detail
