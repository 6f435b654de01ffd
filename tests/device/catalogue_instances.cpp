// Catalogues on a HostDevice, as the library has them for a GPU.
#include "zwalk/exec/host_device.hpp"
// Behind the device, whose functions it calls.
#include "fof/src/device_catalogue.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
template struct CatalogueThere<float, HostDevice<>>;
template struct CatalogueThere<double, HostDevice<>>;
}}}  // namespace zwalk::v0::detail
