// Condensed trees of linkages that are on a device.
#pragma once
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/device_memory.hpp"
#include "zwalk/hdbscan/condensed_tree.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// How a cluster begins.
struct ClusterStart {
    double birth;
    pos_t parent, size;  ///< the root's parent is no_pos
};

/// What becomes of clusters, merge by merge from the top down, one cluster after another.
template <template <class> class Array>
struct ClusterStepsOn {
    Array<ClusterStart> clusters;
    Array<size_type> first;  ///< step of each cluster
    Array<double> lambda;    ///< of each step
    Array<pos_t> leaving;    ///< how many points leave one by one; 0: the cluster splits
};
using ClusterSteps = ClusterStepsOn<Buffer>;

/// A condensed tree in the memory of a device, but for sums: these are taken one after another, which threads of the host do better.
struct CondensedOnDevice {
    DeviceBuffer<index_t> parent, child, child_size;
    DeviceBuffer<double> lambda;
    ClusterStepsOn<DeviceBuffer> steps;
};

/// The condensed tree of a linkage of at least two points, whose rows are on the device. Defined in device_condense.hpp; for CudaDevice
/// compiled by nvcc, in cuda_hierarchy.cu. Some 98 bytes per point beside the 32 of the rows, and up to 154.
template <class Device>
CondensedOnDevice device_condense(Device& device, pos_t points, DeviceBuffer<Merge> const& merges,
                                  std::size_t min_cluster_size);

/// Makes the clusters of a condensed tree, with their sums.
void set_clusters(CondensedTree& tree, ClusterSteps const& steps, Cpu const& cpu);

}}}  // namespace zwalk::v0::detail
