// The hierarchy of a tree, made on a device, on the host.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "condensed_on.hpp"
#include "linkage_on.hpp"
#include "zwalk/exec/cuda_stats.hpp"
#include "zwalk/exec/device_memory_error.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/run/call.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// single_linkage() on a device, where its rows stay, too, of a tree there or on the host (Home).
template <class T, class Device, class Home>
std::pair<Linkage, DeviceBuffer<Merge>> linkage_on(Device& device, std::size_t points,
                                                   EmstResult<T, Home> const& tree) {
    auto merges = device_linkage<T>(device, pos_t(points), tree.edges, tree.lengths);
    Linkage linkage{points, {}};
    download(device, linkage.merges, merges);
    return {std::move(linkage), std::move(merges)};
}

/// Bytes that edges and lengths of a tree of the host take there.
template <class T>
std::uint64_t tree_bytes_on_device(EmstResult<T> const& tree) {
    return tree.edges.size() * sizeof(index_t) + tree.lengths.size() * sizeof(T);
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

/// The steps of HDBSCAN* from a tree that is on a device or on the host (Home). Each is made there or, if it doesn't fit, by threads: how
/// much others take of the device's memory is known by then.
template <class T, class Device, class Home = Device>
class HierarchyFromDevice {
  public:
    HierarchyFromDevice(Device& device, std::size_t points, EmstResult<T, Home>&& tree, Cpu const& cpu)
        : device_(device), points_(points), tree_(std::move(tree)), cpu_(cpu) {}

    /// single_linkage() of the tree, which is gone then.
    Linkage link() {
        auto tree = std::move(tree_);
        if (auto made = unless_out_of_memory(
                [&] { return std::optional(linkage_on(device_, points_, tree)); })) {
            rows_ = std::move(made->second);
            return std::move(made->first);
        }
        if constexpr (is_device<Home>)
            return single_linkage(points_, to_host<EmstResult<T>>(device_, std::move(tree)), cpu_);
        else return single_linkage(points_, tree, cpu_);
    }
    /// condense() of that linkage.
    [[nodiscard]] CondensedTree condense(Linkage const& linkage, std::size_t min_cluster_size) const {
        if (!rows_.empty())
            if (auto made = unless_out_of_memory([&] {
                    return std::optional(
                        condense_on(device_, pos_t(points_), rows_, min_cluster_size, cpu_));
                }))
                return std::move(*made);
        return zwalk::condense(linkage, min_cluster_size, cpu_);
    }

  private:
    Device& device_;
    std::size_t points_;
    EmstResult<T, Home> tree_;
    DeviceBuffer<Merge> rows_;  ///< none: the linkage isn't there
    Cpu const& cpu_;
};

template <class Device>
DeviceStats stats_of(Device const& device) {
    if constexpr (std::is_same_v<Device, CudaDevice>) return cuda_stats(device);
    else return device.stats();
}
/// Where there are counts of what devices did before, adds what one has done since.
inline void add_device_counts(DeviceStats const& before, DeviceStats const& now, Stats& stats) {
    for (auto& [name, count] : stats.counts) {
        if (name == "device_launches") count += now.launches - before.launches;
        if (name == "device_waits") count += now.waits - before.waits;
        if (name == "device_peak_bytes") count = std::max(count, std::uint64_t(now.peak_bytes));
    }
}

}}}  // namespace zwalk::v0::detail
