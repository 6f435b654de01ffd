// The hierarchy of a tree that is on a device, on the host.
#pragma once
#include <utility>

#include "condensed_on.hpp"
#include "linkage_on.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/run/call.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// single_linkage() of a tree on a device, where its rows stay, too.
template <class T, class Device>
std::pair<Linkage, DeviceBuffer<Merge>> linkage_on(Device& device, std::size_t points,
                                                   EmstResult<T, Device>&& tree) {
    auto merges =
        device_linkage<T>(device, pos_t(points), std::move(tree.edges), std::move(tree.lengths));
    Linkage linkage{points, {}};
    download(device, linkage.merges, merges);
    return {std::move(linkage), std::move(merges)};
}

/// condense(), with the rows of the linkage on a device.
template <class Device>
CondensedTree condense_on(Device& device, pos_t points, DeviceBuffer<Merge> const& merges,
                          std::size_t min_cluster_size, Cpu const& cpu) {
    CondensedTree tree;
    tree.points = points;
    tree.min_cluster_size = min_cluster_size;
    if (points < 2) return tree;
    auto const there = device_condense(device, points, merges, min_cluster_size);
    download(device, tree.parent, there.parent);
    download(device, tree.child, there.child);
    download(device, tree.lambda, there.lambda);
    download(device, tree.child_size, there.child_size);
    ClusterSteps steps;
    download(device, steps.clusters, there.steps.clusters);
    download(device, steps.first, there.steps.first);
    download(device, steps.lambda, there.steps.lambda);
    download(device, steps.leaving, there.steps.leaving);
    set_clusters(tree, steps, cpu);
    return tree;
}

}}}  // namespace zwalk::v0::detail
