// Drivers of gravity on a HostDevice that others ask by name, as the library has them for GPUs.
#include "device/run.hpp"
#include "gravity/src/driver.hpp"
#include "zwalk/run/host_device.hpp"

namespace zwalk::inline v0::detail {
ZWALK_INSTANCE(GravityByOrder<4>, 3, float, HostDevice<>)
ZWALK_INSTANCE(GravityByOrder<4>, 3, float, HostDevice<true>)
ZWALK_INSTANCE(GravityByOrder<4>, 3, double, HostDevice<>)
ZWALK_INSTANCE(GravityByOrder<5>, 3, float, HostDevice<>)
ZWALK_INSTANCE(GravityByOrder<5>, 3, double, HostDevice<>)
}  // namespace zwalk::inline v0::detail
