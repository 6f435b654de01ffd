// The k nearest sources on a device (exec/device.hpp), with an output functor of your own. knn/knn_cuda.hpp is the
// interface to lists in memory. Include the device's header first (exec/cuda_device.cuh with tree/cuda_build.cuh).
#pragma once
#include <algorithm>
#include <vector>

#include "zwalk/nearest/group_candidates.hpp"
#include "zwalk/nearest/register_candidates.hpp"
#include "zwalk/nearest/search.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/tree/device_build.hpp"
#include "zwalk/walk/device_walk.hpp"

namespace zwalk::inline v0 {

/// For outputs that keep what they get only until `after_run` (search.hpp): `run_points` so that `bytes` for each target of a
/// run are a quarter of the memory budget, or run_bytes; but one leaf at least.
template <class T, class Device>
pos_t points_of_a_run(Device& device, Tree<T, Device> const& targets, std::uint64_t bytes) {
    if (targets.planes.empty()) return 1;
    auto const& leaves = targets.planes[0].first;
    std::vector<pos_t> first(leaves.size());
    device.download(first.data(), leaves.data(), first.size());
    pos_t largest = 1;
    for (std::size_t i = 1; i < first.size(); ++i) largest = std::max(largest, first[i] - first[i - 1]);
    std::uint64_t const budget = device.memory_budget();
    std::uint64_t const fit = (budget ? budget / 4 : run_bytes) / bytes;
    return pos_t(std::clamp<std::uint64_t>(fit, largest, targets.size()));
}

/// Hands the k nearest sources of every target to `output`, see Nearest; both trees have D columns, and are one
/// tree in a self query. k may exceed the number of sources; the missing ones are the output's.
///
/// Up to 32 neighbours are kept in the registers of a thread, up to 256 in those of a group of lanes, more in a
/// heap in memory; in one pass for any k. Targets that are few for the tree of the sources have leaves to themselves:
/// then a group takes each of them, instead of a lane.
template <int D, class T, class Space, class Output, class Device>
requires is_device<Device> WalkCounts find_nearest(Device& device, Space const& space,
                                                   Tree<T, Device> const& targets,
                                                   Tree<T, Device> const& sources,
                                                   NearestSearch const& search, Output const& output) {
    pos_t const k = attainable_k(std::size_t(search.k), sources.size());
    auto const with_fold = [&]<class Fold>() {
        using Trait = Nearest<D, T, Output, Fold>;
        Trait trait(k, output);
        trait.exclude_self = search.exclude_self;
        WalkInputs<Trait> inputs;
        inputs.after_run = search.after_run;
        inputs.run_points = search.run_points;
        return walk(device, trait, space, targets, sources, inputs);
    };
    constexpr pos_t largest = GroupCandidates<T, 256>::largest_k;
    // Points of a leaf below which a group of lanes does more when it goes through the list for each.
    constexpr pos_t few = 8;
    bool const alone = &targets != &sources && !targets.planes.empty() &&
                       targets.size() / few < targets.planes[0].nodes();
    if (k <= largest && alone) return with_fold.template operator()<GroupCandidates<T, 256>>();
    if (k <= 8) return with_fold.template operator()<RegisterCandidates<T, 8>>();
    if (k <= 16) return with_fold.template operator()<RegisterCandidates<T, 16>>();
    if (k <= 32) return with_fold.template operator()<RegisterCandidates<T, 32>>();
    if (k <= largest) return with_fold.template operator()<GroupCandidates<T, 256>>();
    return with_fold.template operator()<Candidates<T>>();
}

}  // namespace zwalk::inline v0
