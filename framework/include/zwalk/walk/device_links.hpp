// Before and after a walk with uses.links on a device, see links.hpp.
#pragma once
#include "zwalk/exec/device.hpp"
#include "zwalk/walk/union_find.hpp"

namespace zwalk::inline v0 {
namespace detail {

struct SettleLinks {
    Links links;
    ZWALK_HD void operator()(std::size_t i) const { links.settle(pos_t(i)); }
};
struct InitLinks {
    pos_t* parent;
    ZWALK_HD void operator()(std::size_t i) const { parent[i] = pos_t(i); }
};

}  // namespace detail

/// Start of the union-find of a walk on a device: each of n points is its own group.
template <class Device>
DeviceBuffer<pos_t> device_links_init(Device& device, pos_t n) {
    auto parent = device.template buffer<pos_t>(n);
    device.for_each(n, detail::InitLinks{parent.data()});
    return parent;
}
/// End of it: every element becomes the smallest z-order position of its group.
template <class Device>
void device_links_settle(Device& device, DeviceBuffer<pos_t>& parent) {
    device.for_each(parent.size(), detail::SettleLinks{{parent.data()}});
}

}  // namespace zwalk::inline v0
