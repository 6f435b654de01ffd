// The plane hierarchy in a device's memory: what Hierarchy is on the host.
#pragma once
#include <vector>

#include "zwalk/exec/device.hpp"
#include "zwalk/tree/geometry.hpp"
#include "zwalk/tree/hierarchy.hpp"

namespace zwalk::inline v0 {

/// One plane, see Plane.
template <class T>
struct DevicePlane {
    pos_t nodes = 0;
    DeviceBuffer<pos_t> first, child;  ///< nodes + 1 each; child is empty on plane 0
    DeviceBuffer<T> lo, hi;            ///< a column of `stride` elements per axis
    std::size_t stride = 0;

    template <int D>
    [[nodiscard]] PlaneView<D, T> view() const {
        return {nodes, child.data(), first.data(), lo.data(), hi.data(), stride};
    }
};

/// Points of one type in z-order and their planes, see Hierarchy.
template <class T>
struct DeviceTree {
    int columns = 0;  ///< compiled dimension; columns behind the data's are 0
    pos_t size = 0;
    DeviceBuffer<T> x;
    std::size_t stride = 0;
    DeviceBuffer<pos_t> input;  ///< row of the point at each z-order position
    std::vector<DevicePlane<T>> planes;

    template <int D>
    [[nodiscard]] PointColumns<D, T> points() const {
        return {x.data(), stride, size};
    }
};

/// A copy of a hierarchy on the device.
template <int D, class T, class Device>
DeviceTree<T> upload_tree(Device& device, Hierarchy<D, T> const& tree) {
    auto const to_device = [&](auto const& from) {
        using V = std::remove_cvref_t<decltype(*from.data())>;
        auto to = device.template buffer<V>(from.size());
        device.upload(to.data(), from.data(), from.size());
        return to;
    };
    DeviceTree<T> copy;
    copy.columns = D;
    copy.size = tree.size();
    copy.x = to_device(tree.x);
    copy.stride = tree.stride;
    copy.input = to_device(tree.input);
    for (Plane<D, T> const& plane : tree.planes) {
        DevicePlane<T>& p = copy.planes.emplace_back();
        p.nodes = plane.nodes();
        p.first = to_device(plane.first);
        p.child = to_device(plane.child);
        p.lo = to_device(plane.lo);
        p.hi = to_device(plane.hi);
        p.stride = plane.stride;
    }
    return copy;
}

}  // namespace zwalk::inline v0
