// Linkages of trees that are on a device.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "zwalk/exec/device_memory.hpp"
#include "zwalk/hdbscan/linkage.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The rows of single_linkage() for a spanning tree whose edges and lengths are as there, but are not checked: all is, and stays, in the
/// memory of the device. The tree does, too: where memory is short, others may make the rows of it. Defined in device_linkage.hpp; for CudaDevice compiled by nvcc, in cuda_hierarchy.cu.
/// How: DeviceJoins, which takes five launches for each binary digit of N, and some more where edges are of one length.
template <class T, class Device>
DeviceBuffer<Merge> device_linkage(Device& device, pos_t points, DeviceBuffer<index_t> const& edges,
                                   DeviceBuffer<T> const& lengths);
/// Of edges and lengths on the host, which are copied there.
template <class T, class Device>
DeviceBuffer<Merge> device_linkage(Device& device, pos_t points, Buffer<index_t> const& edges,
                                   Buffer<T> const& lengths);

/// Points from which on the hierarchy of a tree on a device is made there. An estimate: 1e5 points take 140 launches and 19 waits
/// (tests/device/launches.cpp), a millisecond, and the host some 10 ms on one thread.
inline constexpr std::size_t device_hierarchy_from = 100000;
/// Bytes of the device that it takes per point, at most.
inline constexpr std::uint64_t device_hierarchy_bytes = 200;

/// Whether it is made there. ZWALK_DEVICE_HIERARCHY (0 or 1) decides instead.
/// @param available  bytes of the device
inline bool hierarchy_on_device(std::size_t points, std::uint64_t available) {
    char const* const value = std::getenv("ZWALK_DEVICE_HIERARCHY");
    std::string_view const asked = value ? value : "";
    if (asked == "0" || asked == "1") return asked == "1";
    return points >= device_hierarchy_from && points * device_hierarchy_bytes <= available;
}

}}}  // namespace zwalk::v0::detail
