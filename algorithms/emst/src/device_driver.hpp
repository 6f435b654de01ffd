// Neighbours and rounds on a device, for one compiled dimension.
#pragma once
#include "device_forest.hpp"
#include "driver.hpp"
#include "rule.hpp"
#include "zwalk/emst/trait.hpp"
#include "zwalk/nearest/device_nearest.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/steps_along_order.hpp"

namespace zwalk::inline v0::detail {

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
template <int D, class T, class Space, class Device>
DeviceNeighbourhood<T> device_neighbourhood(Device& device, Space const& space,
                                            Tree<T, Device> const& tree, EmstOptions const& options,
                                            WalkCounts& counts) {
    auto const min_samples = pos_t(options.min_samples);
    pos_t const n = tree.size(), k = listed_neighbours(n, min_samples);
    DeviceNeighbourhood<T> near{n, k, device.template buffer<Key<T>>(std::size_t(n) * k),
                                device.template buffer<T>(min_samples > 1 ? n : 0),
                                device.template buffer<T>(n - 1)};
    // The core neighbour among the others, where there is one.
    KeepKeys<T> const keep{near.list.data(), k, near.core2.data(), min_samples - 2};
    counts = find_nearest<D>(device, space, tree, tree, {index_t(k), true}, keep);
    device.for_each(n - 1,
                    StepsAlongOrder<D, T, Space>{tree.template points<D>(), space, near.step2.data()});
    return near;
}

template <int D, class T, class Device>
requires is_device<Device>
void grow_tree(std::integral_constant<int, D>, Device& device, RunPoints<T, Device>& points,
               EmstOptions const& options, EmstResult<T, Device>& r) {
    Tree<T, Device> const& tree = points->tree;
    RunPhases phases(device);
    WalkCounts counts, searching;
    if (tree.size() > 1)
        with_space<D>(points->period, [&](auto const& space) {
            auto near = device_neighbourhood<D>(device, space, tree, options, counts);
            phases.end(r.stats, "neighbours");
            LeastEdges<D, T> trait;
            WalkInputs<LeastEdges<D, T>> inputs;
            auto const search = [&](Fragments<T> const& fragments,
                                    ColumnsView<FragmentPoint<T>> const& known, pos_t excluded) {
                inputs.target_payload = inputs.source_payload = known;
                trait.fragments = fragments;
                trait.excluded = excluded;
                searching.add(walk(device, trait, space, tree, tree, inputs));
            };
            device_grow_tree<T>(device, std::move(near), search, tree.input, r);
        });
    add_counts(r.stats, device, tree, counts);
    r.stats.counts.insert(r.stats.counts.end(), {{"search_node_entries", searching.node_entries},
                                                 {"search_leaf_entries", searching.leaf_entries}});
    add_planes(r.stats.counts, searching, "search_");
}

}  // namespace zwalk::inline v0::detail
