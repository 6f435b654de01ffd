// What a walk on a device needs before its first plane: summaries of nodes, and groups of nodes that are one group anyhow.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "zwalk/tree/tree.hpp"
#include "zwalk/walk/detail/device_kernels.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// KnownNodes in the memory of a device.
template <class Summary>
struct DeviceKnownNodes {
    std::vector<DeviceBuffer<pos_t>> count;  ///< none: as points are here
    std::vector<DeviceBuffer<Summary>> summary;
};

/// The summaries of all nodes of a tree, by plane.
/// @param known  what they are where some leaves have no points; else null
template <class I, class Device>
std::vector<DeviceBuffer<typename I::Summary>> device_summaries(
    Device& device, I const& trait, Tree<typename I::real, Device> const& tree,
    ColumnsView<typename I::Payload> const& payload, KnownNodes<typename I::Summary> const* known) {
    std::vector<DeviceBuffer<typename I::Summary>> all;
    if (known) {
        for (auto const& summary : known->summary) all.push_back(copy_to(device, summary));
        return all;
    }
    for (auto const& plane : tree.planes) {
        auto own = device.template buffer<typename I::Summary>(plane.nodes());
        bool const leaves = all.empty();
        device.for_each(plane.nodes(),
                        SummarizeNodes<I>{trait, tree.template points<I::dim>(), payload,
                                          (leaves ? plane.first : plane.child).data(),
                                          leaves ? nullptr : all.back().data(), own.data()});
        all.push_back(std::move(own));
    }
    return all;
}

/// What a walk needs of a tree's nodes, in the memory of the device.
/// @param known  of these, on the host, where some leaves have no points; null: as the points say, and no counts
template <class I, class Device>
DeviceKnownNodes<typename I::Summary> device_known_nodes(Device& device, I const& trait,
                                                         Tree<typename I::real, Device> const& tree,
                                                         ColumnsView<typename I::Payload> const& payload,
                                                         KnownNodes<typename I::Summary> const* known) {
    DeviceKnownNodes<typename I::Summary> there;
    if (known)
        for (auto const& count : known->count) there.count.push_back(copy_to(device, count));
    if constexpr (I::uses.summary) there.summary = device_summaries(device, trait, tree, payload, known);
    return there;
}

/// Links the points of whole nodes (uses.links); for traits that only link, those of the other leaves, too.
/// @param step     of the leaves
/// @param summary  summary(plane): those of the targets
template <class I, class Space, class Device, class SummaryOf>
void start_groups(Device& device, Step<I, Space> const& step, LeafPoints<I> const& points,
                  Tree<typename I::real, Device> const& targets, bool grouped,
                  SummaryOf const& summary) {
    DeviceBuffer<pos_t> above;
    Plane<typename I::real, Device> const* parents = nullptr;
    for (std::size_t p = targets.planes.size(); p-- > 0; parents = &targets.planes[p]) {
        auto const& plane = targets.planes[p];
        auto group = device.template buffer<pos_t>(plane.nodes());
        device.for_each(parents ? parents->nodes() : plane.nodes(),
                        WholeGroups<I, Space>{step.trait, step.space, plane.template view<I::dim>(p),
                                              summary(p), parents ? parents->child.data() : nullptr,
                                              above.data(), group.data()});
        above = std::move(group);
    }
    device.launch(targets.planes.front().nodes(),
                  StartGroups<I, Space>{step, points, above.data(), grouped});
}

}}}  // namespace zwalk::v0::detail
