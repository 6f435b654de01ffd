// Hierarchies from and to host memory, as files have them: without boxes.
#pragma once
#include "zwalk/tree/device_build.hpp"
#include "zwalk/tree/joint.hpp"

namespace zwalk::inline v0 {

/// Hierarchy of type t of a joint tree of `columns` columns, copied to a device; boxes are found there.
template <class T, class Device>
DeviceTree<T> device_take_hierarchy(Device& device, JointTree<T> const& joint, std::size_t t,
                                    int columns) {
    auto const to_device = [&](auto const& from) {
        using V = std::remove_cvref_t<decltype(*from.data())>;
        auto to = device.template buffer<V>(from.size());
        device.upload(to.data(), from.data(), from.size());
        return to;
    };
    DeviceTree<T> tree;
    tree.columns = columns;
    tree.size = pos_t(joint.types[t].input.size());
    tree.stride = joint.stride[t];
    tree.x = to_device(joint.x[t]);
    tree.input = to_device(joint.types[t].input);
    std::vector<DeviceCut> cuts;
    for (CutPlane const& plane : joint.types[t].planes) {
        DeviceCut& cut = cuts.emplace_back();
        cut.nodes = pos_t(plane.first.size()) - 1;
        cut.first = to_device(plane.first);
        cut.child = to_device(plane.child);
    }
    detail::set_planes(device, tree, std::move(cuts));
    return tree;
}

/// A hierarchy as the only type of a joint tree on the host. Waits.
template <class T, class Device>
JointTree<T> device_give_hierarchy(Device& device, DeviceTree<T> const& tree) {
    auto const to_host = [&](auto& to, auto const& from) {
        to = std::remove_cvref_t<decltype(to)>(from.size());
        device.download(to.data(), from.data(), from.size());
    };
    JointTree<T> joint;
    joint.types.resize(1);
    joint.x.resize(1);
    joint.stride = {tree.stride};
    to_host(joint.x[0], tree.x);
    to_host(joint.types[0].input, tree.input);
    for (DevicePlane<T> const& plane : tree.planes) {
        CutPlane& cut = joint.types[0].planes.emplace_back();
        to_host(cut.first, plane.first);
        to_host(cut.child, plane.child);
    }
    return joint;
}

}  // namespace zwalk::inline v0
