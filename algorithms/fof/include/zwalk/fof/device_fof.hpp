// Friends-of-friends on a device (exec/device.hpp). fof_cuda.hpp is the interface for a GPU. Include the
// device's header first (exec/cuda_device.cuh with tree/cuda_build.cuh).
#pragma once
#include "zwalk/fof/fof_cuda.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/tree/tree.hpp"
#include "zwalk/walk/device_walk.hpp"
#include "zwalk/walk/links.hpp"

namespace zwalk::inline v0 {
namespace detail {

/// Smallest input index per group, at the position of its root.
struct LowerToMember {
    pos_t const *root, *row;
    pos_t* smallest;
    ZWALK_HD void operator()(std::size_t i) const { atomic_min(smallest + root[i], row[i]); }
};
struct WriteLabels {
    pos_t const *root, *row, *smallest;
    bool in_z_order;
    index_t* label;
    std::uint8_t* is_root;
    ZWALK_HD void operator()(std::size_t i) const {
        label[in_z_order ? pos_t(i) : row[i]] = smallest[root[i]];
        is_root[i] = root[i] == i;
    }
};

}  // namespace detail

/// For each z-order position the first position of its group, of points with D columns; the groups are those
/// of fof().
/// @param list_budget  as in WalkInputs
template <int D, class T, class Space, class Device>
DeviceBuffer<pos_t> device_groups(Device& device, Space const& space, Tree<T, Device> const& tree,
                                  T linking_length, std::uint64_t list_budget = 0,
                                  WalkCounts* counts = nullptr) {
    auto root = links_init(device, tree.size());
    WalkInputs<Fof<D, T>> inputs;
    inputs.links = root.data();
    inputs.list_budget = list_budget;
    auto const done = walk(device, Fof<D, T>(linking_length), space, tree, tree, inputs);
    links_settle(device, root);
    if (counts) *counts = done;
    return root;
}

/// Labels and number of groups from the roots and the input row of every z-order position.
template <class Device>
void device_labels(Device& device, DeviceBuffer<pos_t> const& root, DeviceBuffer<pos_t> const& row,
                   Order order, DeviceFofResult& result) {
    std::size_t const n = root.size();
    auto smallest = device.template buffer<pos_t>(n);
    auto is_root = device.template buffer<std::uint8_t>(n);
    result.labels = device.template buffer<index_t>(n);
    device.for_each(n, Fill<pos_t>{smallest.data(), no_pos});
    device.for_each(n, detail::LowerToMember{root.data(), row.data(), smallest.data()});
    device.for_each(n, detail::WriteLabels{root.data(), row.data(), smallest.data(), order == Order::z,
                                           result.labels.data(), is_root.data()});
    result.groups = n ? device.count(is_root.data(), n) : 0;
}

}  // namespace zwalk::inline v0
