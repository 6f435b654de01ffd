// Walks and drivers of gravity on a HostDevice that others ask by name, as the library has them for GPUs.
#include "device/run.hpp"
#include "gravity/src/driver.hpp"
#include "gravity/src/walks.hpp"
#include "zwalk/run/host_device.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
ZWALK_WALK(Gravity, 4, float, HostDevice<>)
ZWALK_WALK(Gravity, 4, double, HostDevice<>)
ZWALK_WALK(Gravity, 5, float, HostDevice<>)
ZWALK_WALK(Gravity, 5, double, HostDevice<>)
ZWALK_WALK(Gravity, 4, float, HostDevice<true>)
ZWALK_DRIVER(GravityAlgorithm, float, HostDevice<>)
ZWALK_DRIVER(GravityAlgorithm, double, HostDevice<>)
template <>
struct WalkOf<Gravity<5, float>, HostDevice<true>> : NotAsked {};
ZWALK_WALK(Gravity, 5, float, HostDevice<true>)
}}}  // namespace zwalk::v0::detail
