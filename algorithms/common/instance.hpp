// For files that compile drivers: what all drivers do around their walks. Include the place first (on_cpu.hpp,
// on_cuda.cuh, or a HostDevice with device_build.hpp and device_walk.hpp).
#pragma once
#include "run.hpp"
#include "zwalk/tree/joint.hpp"

namespace zwalk::inline v0::detail {

template <class A, int D, class T, class P>
typename A::template Result<T, P> Instance<A, D, T, P>::run(P& place, RunInput<T, P> const& input,
                                                            typename A::Options const& options) {
    return A::template run<D>(place, input, options);
}

/// The tree of the points of a run; adds its phases.
template <class T, class P>
Tree<T, P> build_input(P& place, RunInput<T, P> const& input, int columns, TreeOptions const& options,
                       Stats& stats) {
    if constexpr (is_device<P>) {
        RunPhases phases(place);
        auto tree = build_tree(place, input.points, columns, options);
        phases.end(stats, "build");
        return tree;
    } else {
        BuildSeconds built;
        auto tree = build_tree(place, input.points, columns, options, &built);
        stats.seconds.insert(
            stats.seconds.end(),
            {{"sort", built.sort}, {"planes", built.planes}, {"geometry", built.geometry}});
        return tree;
    }
}

/// The counts of a walk over `tree`, and of the device if it was on one.
template <class T, class P, class Counts>
void add_counts(Stats& stats, P const& place, Tree<T, P> const& tree, Counts const& counts) {
    stats.counts.insert(stats.counts.end(),
                        {{"node_entries", counts.node_entries},
                         {"leaf_entries", counts.leaf_entries},
                         {"peak_list_bytes", counts.peak_list_bytes},
                         {"leaves", tree.planes.empty() ? 0 : tree.planes.front().nodes()},
                         {"planes", tree.planes.size()}});
    if constexpr (is_device<P>) {
        auto const done = place.stats();
        stats.counts.insert(stats.counts.end(), {{"device_launches", done.launches},
                                                 {"device_waits", done.waits},
                                                 {"device_peak_bytes", done.peak_bytes}});
    }
}

}  // namespace zwalk::inline v0::detail
