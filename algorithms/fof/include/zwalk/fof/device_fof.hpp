// Friends-of-friends on a device (exec/device.hpp). fof_cuda.hpp is the interface for a GPU. Include the
// device's header first (exec/cuda_device.cuh with tree/cuda_build.cuh).
#pragma once
#include "zwalk/fof/fof_cuda.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/tree/tree.hpp"
#include "zwalk/walk/device_walk.hpp"
#include "zwalk/walk/links.hpp"

namespace zwalk::inline v0 {

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

}  // namespace zwalk::inline v0
