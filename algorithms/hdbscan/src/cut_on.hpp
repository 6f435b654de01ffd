// cut() with a device that may make linkage and condensed tree. Clusters are chosen by threads.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "cut.hpp"
#include "from_device.hpp"
#include "zwalk/core/timed.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Clusters of a tree, whose core distances and statistics go over into the result.
/// @param link      link() is its hierarchy
/// @param condense  condense(hierarchy) is the condensed tree
template <class T, class Link, class Condense>
HdbscanResult<T> cut_hierarchy(Buffer<T>&& core_distances, Stats&& stats, HdbscanOptions const& o,
                               Cpu const& cpu, Link const& link, Condense const& condense) {
    HdbscanResult<T> r;
    r.core_distances = std::move(core_distances);
    r.stats = std::move(stats);
    timed(r.stats, "linkage", [&] { r.linkage = link(); });
    timed(r.stats, "condense", [&] { r.condensed_tree = condense(r.linkage); });
    timed(r.stats, "clusters",
          [&] { static_cast<Clusters&>(r) = select_clusters(r.condensed_tree, o.select, cpu); });
    timed(r.stats, "outliers", [&] { r.outlier_scores = outlier_scores(r.condensed_tree, cpu); });
    r.clusters = r.size();
    r.stats.counts.emplace_back("clusters", r.clusters);
    return r;
}
/// That of a tree whose hierarchy the device makes.
/// @param before  what the device had done when there was the tree
template <class T, class Device, class Home>
HdbscanResult<T> cut_there(Device& device, DeviceStats const& before, std::size_t points,
                           EmstResult<T, Home>&& tree, Buffer<T>&& core_distances,
                           HdbscanOptions const& o, Cpu const& cpu) {
    Stats stats = std::move(tree.stats);
    HierarchyFromDevice<T, Device, Home> hierarchy(device, points, std::move(tree), cpu);
    auto r = cut_hierarchy<T>(
        std::move(core_distances), std::move(stats), o, cpu, [&] { return hierarchy.link(); },
        [&](Linkage const& linkage) {
            auto const make = [&](std::size_t size) { return hierarchy.condense(linkage, size); };
            return condense_by(make, linkage, o.min_cluster_size, o.select, cpu);
        });
    add_device_counts(before, stats_of(device), r.stats);
    return r;
}

/// cut() of a tree of points without weights that is on a device.
template <class T, class Device>
HdbscanResult<T> cut_on(Device& device, std::size_t points, EmstResult<T, Device> tree,
                        HdbscanOptions const& o, Cpu const& cpu) {
    if (!hierarchy_on_device(points, Preparation<T, Device>::available(device)))
        return cut<T>(points, to_host<EmstResult<T>>(device, std::move(tree)), o, cpu);
    DeviceStats const before = stats_of(device);
    Buffer<T> core;
    timed(tree.stats, "download", [&] {
        download(device, core, tree.core_distances);
        tree.core_distances = {};
    });
    return cut_there(device, before, points, std::move(tree), std::move(core), o, cpu);
}
/// cut() of a tree of points without weights that is on the host, as where ranks have found it.
template <class T, class Device>
HdbscanResult<T> cut_on(Device& device, std::size_t points, EmstResult<T> tree, HdbscanOptions const& o,
                        Cpu const& cpu) {
    std::uint64_t const free = Preparation<T, Device>::available(device),
                        needed = tree_bytes_on_device(tree);
    if (!hierarchy_on_device(points, free - std::min(free, needed)))
        return cut<T>(points, std::move(tree), o, cpu);
    Buffer<T> core = std::move(tree.core_distances);
    return cut_there(device, stats_of(device), points, std::move(tree), std::move(core), o, cpu);
}

}}}  // namespace zwalk::v0::detail
