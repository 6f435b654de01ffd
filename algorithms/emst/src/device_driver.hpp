// Neighbours and rounds on a device, for one compiled dimension.
#pragma once
#include <span>

#include "algorithm.hpp"
#include "device_forest.hpp"
#include "rule.hpp"
#include "zwalk/emst/trait.hpp"
#include "zwalk/nearest/device_nearest.hpp"
#include "zwalk/run/instance.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/steps_along_order.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Takes what kNN finds into rows of keys; and core distances, if these are asked for.
template <class T>
struct KeepKeys {
    Key<T>* list;
    pos_t listed;
    T* core2;
    pos_t core_neighbour;  ///< which neighbour is at the core distance

    template <class Point, class Found>
    ZWALK_INLINE void operator()(Point const& target, Found const& found) const {
        Key<T>* const row = list + std::size_t(target.index) * listed;
        found.each([&](int i, Key<T> key) {
            row[i] = key;
            if (core2 && pos_t(i) == core_neighbour) core2[target.index] = key.d2;
        });
    }
};

/// What the rounds start from, of at least two points.
/// @param core2_known  as grow_tree() has it
template <int D, class T, class Space, class Device>
DeviceNeighbourhood<T> device_neighbourhood(Device& device, Space const& space,
                                            Tree<T, Device> const& tree, pos_t min_samples,
                                            T const* core2_known, WalkCounts& counts) {
    pos_t const n = tree.size(), k = listed_neighbours(n, min_samples);
    DeviceNeighbourhood<T> near{n, k, device.template buffer<Key<T>>(std::size_t(n) * k),
                                device.template buffer<T>(min_samples > 1 ? n : 0),
                                device.template buffer<T>(n - 1)};
    if (core2_known) device.upload(near.core2.data(), core2_known, near.core2.size());
    // The core neighbour among the others, where there is one.
    KeepKeys<T> const keep{near.list.data(), k, core2_known ? nullptr : near.core2.data(),
                           min_samples - 2};
    counts = find_nearest<D>(device, space, tree, tree, {index_t(k), true}, keep);
    device.for_each(n - 1,
                    StepsAlongOrder<D, T, Space>{tree.template points<D>(), space, near.step2.data()});
    return near;
}

/// What it starts from is brought to the device, and what it finds comes back.
template <int D, class T, class Device>
requires is_device<Device> WalkCounts EdgeSearching::run(Device& device,
                                                         RunPoints<T, Device>& all_points,
                                                         EdgeSearch<T> const& search) {
    PreparedPoints<T, Device> const& points = *all_points;
    auto const there = [&]<class V>(V const* from, std::size_t n) {
        return copy_to(device, std::span<V const>(from, from ? n : 0));
    };
    std::size_t const all = points.tree.size(), n = search.points;
    Fragments<T> const& here = search.fragments;
    auto margin2 = there(here.margin2, n);
    auto candidate = there(here.candidate, n), hint = there(here.hint, n),
         proven = there(here.proven, n);
    auto least = there(here.least, search.components);
    auto const reach2 = there(search.reach2, n);
    auto const component = there(search.known.template column<0>(), all);
    auto const wanted = there(search.known.template column<1>(), all);
    auto const core2 = there(search.known.template column<2>(), all);
    LeastEdges<D, T> trait;
    trait.fragments = {margin2.data(), candidate.data(), hint.data(),
                       proven.data(),  least.data(),     here.first};
    trait.excluded = search.excluded;
    if (search.reach2) trait.reach2 = reach2.data();
    ColumnsView<FragmentPoint<T>> const known{{{component.data()}, {wanted.data()}, {core2.data()}}};
    WalkInputs<LeastEdges<D, T>> inputs{known, known};
    inputs.targets = search.targets;
    auto const counts = with_space<D>(points.period, [&](auto const& space) {
        return walk(device, trait, space, points.tree, points.tree, inputs);
    });
    device.download(here.candidate, candidate.data(), n);
    device.download(here.proven, proven.data(), n);
    device.download(here.least, least.data(), search.components);
    return counts;
}

/// What a tree has cost.
struct DeviceTreeCounts {
    WalkCounts neighbours, searching;
};
/// The tree of at least two points.
/// @param core2_known  squared core distances, by position, on the host, if they aren't those among these points; else null
template <int D, class T, class Device>
GrownTree<T, Device> grow_tree(Device& device, PreparedPoints<T, Device> const& points, int min_samples,
                               T const* core2_known, Stats& stats, DeviceTreeCounts& counts) {
    Tree<T, Device> const& tree = points.tree;
    RunPhases phases(device);
    return with_space<D>(points.period, [&](auto const& space) {
        auto near = device_neighbourhood<D>(device, space, tree, pos_t(min_samples), core2_known,
                                            counts.neighbours);
        phases.end(stats, "neighbours");
        LeastEdges<D, T> trait;
        WalkInputs<LeastEdges<D, T>> inputs;
        auto const search = [&](Fragments<T> const& fragments,
                                ColumnsView<FragmentPoint<T>> const& known, pos_t excluded) {
            inputs.target_payload = inputs.source_payload = known;
            trait.fragments = fragments;
            trait.excluded = excluded;
            counts.searching.add(walk(device, trait, space, tree, tree, inputs));
        };
        return device_grow_tree<T>(device, std::move(near), search, stats);
    });
}

template <int D, class T, class Device>
requires is_device<Device> Buffer<Edge<T>> OwnTree::run(Device& device, RunPoints<T, Device>& points,
                                                        OwnTreeTask<T> const& task) {
    if (points->tree.size() < 2) return {};
    Stats stats;
    DeviceTreeCounts counts;
    return device_edges(
        device, grow_tree<D>(device, *points, task.min_samples, task.core2, stats, counts).edges);
}

template <int D, class T, class Device>
requires is_device<Device> EmstResult<T, Device> EmstAlgorithm::run(Device& device,
                                                                    RunPoints<T, Device>& points,
                                                                    EmstOptions const& options) {
    EmstResult<T, Device> r;
    Tree<T, Device> const& tree = points->tree;
    DeviceTreeCounts counts;
    if (tree.size() > 1)
        device_write_tree(
            device, grow_tree<D, T>(device, *points, options.min_samples, nullptr, r.stats, counts),
            tree.input, r);
    add_counts(r.stats, device, tree, counts.neighbours);
    r.stats.counts.insert(r.stats.counts.end(),
                          {{"search_node_entries", counts.searching.node_entries},
                           {"search_leaf_entries", counts.searching.leaf_entries}});
    add_planes(r.stats.counts, counts.searching, "search_");
    return r;
}

}}}  // namespace zwalk::v0::detail
