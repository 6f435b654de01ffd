// For files that compile drivers: what all drivers do around their walks. Include the place first (cpu_instance.hpp,
// cuda_instance.cuh, or a HostDevice with device_build.hpp and device_walk.hpp).
#pragma once
#include "zwalk/run/algorithm.hpp"
#include "zwalk/walk/counts.hpp"

namespace zwalk::inline v0::detail {

/// Compiles one driver. Others, which it may ask, are those of other files.
#define ZWALK_INSTANCE(A, D, T, P)                                               \
    template <>                                                                  \
    A::Result<T, P> Instance<A, D, T, P>::run(P& place, RunPoints<T, P>& points, \
                                              A::Task<T, P> const& task) {       \
        return A::run<D>(place, points, task);                                   \
    }

/// The counts of a walk over `tree`, and of the device if it was on one.
template <class T, class P>
void add_counts(Stats& stats, P const& place, Tree<T, P> const& tree, WalkCounts const& counts) {
    stats.counts.insert(stats.counts.end(),
                        {{"node_entries", counts.node_entries},
                         {"leaf_entries", counts.leaf_entries},
                         {"peak_list_bytes", counts.peak_list_bytes},
                         {"leaves", tree.planes.empty() ? 0 : tree.planes.front().nodes()},
                         {"planes", tree.planes.size()}});
    add_planes(stats.counts, counts);
    if constexpr (is_device<P>) {
        auto const done = place.stats();
        stats.counts.insert(stats.counts.end(), {{"device_launches", done.launches},
                                                 {"device_waits", done.waits},
                                                 {"device_peak_bytes", done.peak_bytes}});
    }
}

}  // namespace zwalk::inline v0::detail
