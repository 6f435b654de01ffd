// Walks on a HostDevice that others ask by name, as the library has them for CPU threads.
#include "dbscan/src/driver.hpp"
#include "device/run.hpp"
#include "pairs/src/walks.hpp"
#include "zwalk/hdbscan/trait.hpp"
#include "zwalk/peaks/trait.hpp"
#include "zwalk/run/detail/device_rows.hpp"
#include "zwalk/run/host_device.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
#define ZWALK_WALKS(D, T, P)                     \
    ZWALK_WALK(Fof, D, T, P)                     \
    ZWALK_WALK(EnoughNeighbours, D, T, P)        \
    ZWALK_WALK(NearestDenser, D, T, P)           \
    ZWALK_WALK(NearestReachable, D, T, P)        \
    ZWALK_LISTS(WithinRadius, D, T, P)           \
    ZWALK_LISTS(WithinRadii, D, T, P)            \
    ZWALK_WALK(PairsByDistancePlain, D, T, P)    \
    ZWALK_WALK(PairsByDistanceWeighted, D, T, P) \
    ZWALK_WALK(PairsByTwoPlain, D, T, P)         \
    ZWALK_WALK(PairsByTwoWeighted, D, T, P)      \
    ZWALK_WALK(PairsInCellsPlain, D, T, P)       \
    ZWALK_WALK(PairsInCellsWeighted, D, T, P)
ZWALK_WALKS(3, float, HostDevice<false>)
ZWALK_WALKS(3, float, HostDevice<true>)
ZWALK_WALKS(2, double, HostDevice<false>)
ZWALK_WALKS(2, double, HostDevice<true>)
ZWALK_DEVICE_ROWS(HostDevice<>)
}}}  // namespace zwalk::v0::detail
