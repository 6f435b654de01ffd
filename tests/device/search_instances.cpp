// Searches and rounds on a HostDevice that others ask by name, as the library has them for CPU threads.
#include "device/run.hpp"
#include "zwalk/run/host_device.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
ZWALK_INSTANCE(NearestSearching, 3, float, HostDevice<false>)
ZWALK_INSTANCE(NearestSearching, 3, float, HostDevice<true>)
ZWALK_INSTANCE(NearestSearching, 2, double, HostDevice<false>)
ZWALK_INSTANCE(NearestSearching, 2, double, HostDevice<true>)
ZWALK_INSTANCE(OwnTree, 3, float, HostDevice<>)
ZWALK_INSTANCE(OwnTree, 2, double, HostDevice<>)
ZWALK_INSTANCE(EdgeSearching, 3, float, HostDevice<>)
ZWALK_INSTANCE(EdgeSearching, 2, double, HostDevice<>)
template void device_take_cores(HostDevice<>&, NeighbourChunk<float> const&, TakeCore<float> const&);
template void device_take_cores(HostDevice<>&, NeighbourChunk<double> const&, TakeCore<double> const&);
}}}  // namespace zwalk::v0::detail
