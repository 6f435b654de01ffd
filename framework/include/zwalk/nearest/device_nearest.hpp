// The k nearest sources on a device (exec/device.hpp), with an output functor of your own. knn/knn.hpp is the
// interface to lists in memory. Include the device's header first (exec/cuda_device.cuh with tree/cuda_build.cuh).
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "zwalk/nearest/detail/device_descent.hpp"
#include "zwalk/nearest/detail/group_candidates.hpp"
#include "zwalk/nearest/detail/register_candidates.hpp"
#include "zwalk/nearest/search.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/tree/device_build.hpp"
#include "zwalk/walk/device_walk.hpp"

namespace zwalk { inline namespace v0 {

namespace detail {
/// Points of the largest leaf of a plane's, whose offsets these are.
template <class Device>
pos_t largest_leaf(Device& device, DeviceBuffer<pos_t> const& leaves) {
    std::vector<pos_t> first(leaves.size());
    device.download(first.data(), leaves.data(), first.size());
    pos_t largest = 1;
    for (std::size_t i = 1; i < first.size(); ++i) largest = std::max(largest, first[i] - first[i - 1]);
    return largest;
}
}  // namespace detail

/// For outputs that keep what they get only until `after_chunk` (search.hpp): `chunk_points` so that `bytes` for each target of a
/// chunk are a quarter of the memory budget, or chunk_bytes; but one leaf at least. Targets without planes, which can only
/// descend, have no leaves.
template <class T, class Device>
pos_t points_of_a_chunk(Device& device, Tree<T, Device> const& targets, std::uint64_t bytes) {
    std::uint64_t const budget = device.memory_budget();
    std::uint64_t const fit = (budget ? budget / 4 : chunk_bytes) / bytes;
    pos_t largest = 1;
    if (!targets.planes.empty()) largest = detail::largest_leaf(device, targets.planes[0].first);
    return pos_t(std::clamp<std::uint64_t>(fit, largest, std::max(largest, targets.size())));
}

/// Hands the k nearest sources of every target to `output`, see Nearest; both trees have D columns, and are one
/// tree in a self query. k may exceed the number of sources; the missing ones are the output's.
///
/// Up to 32 neighbours are kept in the registers of a thread, up to 256 in those of a group of lanes, more in a
/// heap in memory; in one pass for any k. Targets that are few for the sources (ways.hpp) descend one by one, up to k = 256;
/// if targets_descend() is true without leaves, they need none.
template <int D, class T, class Space, class Output, class Device>
requires is_device<Device> WalkCounts find_nearest(Device& device, Space const& space,
                                                   Tree<T, Device> const& targets,
                                                   Tree<T, Device> const& sources,
                                                   NearestSearch const& search, Output const& output) {
    pos_t const k = attainable_k(std::size_t(search.k), sources.size());
    std::size_t const leaves = targets.planes.empty() ? 0 : targets.planes[0].nodes();
    if (&targets != &sources && detail::targets_descend(targets.size(), leaves, sources, search.k)) {
        detail::descend_all<D>(device, space, targets, sources, search, output);
        return {};
    }
    auto const with_fold = [&]<class Fold>() {
        using Trait = Nearest<D, T, Output, Fold>;
        Trait trait(k, output);
        trait.exclude_self = search.exclude_self;
        trait.limit2 = search.template limit2<T>();
        WalkInputs<Trait> inputs;
        inputs.after_chunk = search.after_chunk;
        inputs.chunk_points = search.chunk_points;
        inputs.targets = search.targets;
        return walk(device, trait, space, targets, sources, inputs);
    };
    constexpr pos_t largest = GroupCandidates<T, 256>::largest_k;
    if (k <= 8) return with_fold.template operator()<RegisterCandidates<T, 8>>();
    if (k <= 16) return with_fold.template operator()<RegisterCandidates<T, 16>>();
    if (k <= 32) return with_fold.template operator()<RegisterCandidates<T, 32>>();
    if (k <= largest) return with_fold.template operator()<GroupCandidates<T, 256>>();
    return with_fold.template operator()<Candidates<T>>();
}

}}  // namespace zwalk::v0
