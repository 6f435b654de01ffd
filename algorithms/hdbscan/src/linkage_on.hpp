// Linkages of trees that are on a device.
#pragma once
#include <cstdlib>
#include <string_view>

#include "zwalk/exec/device_memory.hpp"
#include "zwalk/hdbscan/linkage.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The rows of single_linkage() for a spanning tree whose edges and lengths are as there, but are not checked: all is, and stays, in the
/// memory of the device. Defined in device_linkage.hpp; for CudaDevice compiled by nvcc, in cuda_linkage.cu.
/// How: DeviceJoins, which takes five launches for each binary digit of N, and some more where edges are of one length.
template <class T, class Device>
DeviceBuffer<Merge> device_linkage(Device& device, pos_t points, DeviceBuffer<index_t>&& edges,
                                   DeviceBuffer<T>&& lengths);

/// Points from which on a linkage is made on the device that has the tree. An estimate: 1e5 points take some hundred launches there, half a
/// millisecond, and threads of the host 3 ms with the tree on the way to them.
inline constexpr std::size_t device_linkage_from = 100000;

/// Whether it is made there. ZWALK_DEVICE_LINKAGE (0 or 1) decides instead.
inline bool links_on_device(std::size_t points) {
    char const* const value = std::getenv("ZWALK_DEVICE_LINKAGE");
    std::string_view const asked = value ? value : "";
    if (asked == "0" || asked == "1") return asked == "1";
    return points >= device_linkage_from;
}

}}}  // namespace zwalk::v0::detail
