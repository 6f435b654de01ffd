// Hierarchies on a HostDevice, as the library has them for a GPU.
#include "hdbscan/src/device_condense.hpp"
#include "hdbscan/src/device_linkage.hpp"
#include "zwalk/exec/host_device.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
template DeviceBuffer<Merge> device_linkage(HostDevice<>&, pos_t, DeviceBuffer<index_t> const&,
                                            DeviceBuffer<float> const&);
template DeviceBuffer<Merge> device_linkage(HostDevice<>&, pos_t, DeviceBuffer<index_t> const&,
                                            DeviceBuffer<double> const&);
template DeviceBuffer<Merge> device_linkage(HostDevice<>&, pos_t, Buffer<index_t> const&,
                                            Buffer<float> const&);
template DeviceBuffer<Merge> device_linkage(HostDevice<>&, pos_t, Buffer<index_t> const&,
                                            Buffer<double> const&);
template CondensedOnDevice device_condense(HostDevice<>&, pos_t, DeviceBuffer<Merge> const&,
                                           std::size_t);
}}}  // namespace zwalk::v0::detail
