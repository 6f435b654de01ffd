#include "zwalk/hdbscan/hdbscan.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "chains.hpp"
#include "checks.hpp"
#include "compiled_dims.hpp"
#include "cut.hpp"
#include "cut_on.hpp"
#include "strip.hpp"
#include "zwalk/core/keep_pages.hpp"
#include "zwalk/emst/on_device.hpp"
#include "zwalk/hdbscan/weights.hpp"
#include "zwalk/run/call.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {

int samples_of(HdbscanOptions const& o) {
    return o.min_samples > 0 ? o.min_samples : int(std::min<std::size_t>(o.min_cluster_size, INT32_MAX));
}

EmstOptions tree_options(std::size_t points, HdbscanOptions const& o) {
    std::size_t const most = std::max<std::size_t>(points, 1);
    return {int(std::min(std::size_t(samples_of(o)), most)), o.box, o.tree};
}

template <class T>
HdbscanResult<T> cut(std::size_t points, EmstResult<T> tree, HdbscanOptions const& o, Cpu const& cpu) {
    std::vector<double> cores;
    if (!o.weights.empty()) {
        cores.resize(points);  // a single point has none
        std::copy(tree.core_distances.begin(), tree.core_distances.end(), cores.begin());
    }
    return cut_hierarchy<T>(
        std::move(tree.core_distances), std::move(tree.stats), o, cpu,
        [&] {
            auto linkage = single_linkage(points, tree, cpu);
            tree = {};
            if (o.weights.empty()) return linkage;
            return with_weights(std::move(linkage), o.weights, cores, cpu);
        },
        [&](Linkage const& linkage) { return condense(linkage, o.min_cluster_size, o.select, cpu); });
}

template <class T>
HdbscanResult<T> cut(std::size_t points, EmstResult<T> tree, HdbscanOptions const& o, Cuda const& cuda,
                     Cpu const& cpu) {
    constexpr std::uint64_t any_memory = ~std::uint64_t(0);
    if (!o.weights.empty() || !hierarchy_on_device(points, any_memory))
        return cut<T>(points, std::move(tree), o, cpu);
    return on_cuda<HdbscanResult<T>>(CudaDims{}, cuda, [&](auto& device) {
        return cut_on<T>(device, points, std::move(tree), o, cpu);
    });
}

double weight_of(HdbscanOptions const& o) {
    return std::accumulate(o.weights.begin(), o.weights.end(), 0.);
}

std::uint64_t cluster_bytes(std::uint64_t points, std::size_t min_cluster_size, double weight) {
    // Merges, rows of the condensed tree, and what makes these, which is a little more than labels, probabilities and scores. The
    // tree has at most 2 N / min_cluster_size clusters; with noise for points it has nearly half of that.
    std::uint64_t const row = 3 * sizeof(index_t) + sizeof(double),
                        cluster = sizeof(CondensedCluster) + sizeof(Chain) + sizeof(pos_t);
    std::uint64_t work = sizeof(ChainNode) + 3 * sizeof(pos_t);
    // Weights, core distances, sums, and those of rows; labels, probabilities and scores; merges of a level.
    if (weight > 0) work = 7 * sizeof(double) + sizeof(index_t) + sizeof(pos_t);
    double const all = weight > 0 ? weight : double(points);
    auto const clusters = std::uint64_t(std::min(double(points), all / double(min_cluster_size)));
    // Before that merges are made of edges and lengths, by ends of edges; the most where all are of one length, one event.
    std::uint64_t const edge = 2 * sizeof(index_t) + sizeof(double),
                        parts =
                            sizeof(std::uint64_t) + 2 * sizeof(End) + sizeof(pos_t) + sizeof(EventPart);
    return points * sizeof(Merge) +
           std::max(points * (row + work) + clusters * (row + cluster), points * (edge + parts));
}

namespace {

/// @param points  Points or DevicePoints
template <class AnyPoints, class Place>
auto weighted_tree_of(AnyPoints const& points, EmstOptions const& tree, HdbscanOptions const& o,
                      Place const& place) {
    using T = std::remove_cvref_t<decltype(*points.data)>;
    using P = std::conditional_t<std::is_same_v<Place, Cuda>, CudaDevice, Cpu>;
    check_weights(points.size, o.weights);
    Index<T, P> const index(points, {.box = tree.box, .tree = tree.tree}, place);
    return emst_with_weights(index, o.weights, samples_of(o));
}

/// @param find  find(options of the tree)
template <class T, class Find>
HdbscanResult<T> with_tree_options(std::size_t points, HdbscanOptions const& o, Find const& find) {
    check_options(o);
    KeepPages const pages;  // most of what a tree is grown in is free when results are made
    return find(tree_options(points, o));
}
/// @param cpu   for all but the tree
/// @param grow  the tree of so many points, for EmstOptions
template <class T, class Grow>
HdbscanResult<T> clusters_of(std::size_t points, HdbscanOptions const& o, Cpu const& cpu,
                             Grow const& grow) {
    return with_tree_options<T>(
        points, o, [&](EmstOptions const& tree) { return cut<T>(points, grow(tree), o, cpu); });
}

/// On a GPU, of points that are on the host or there.
template <class T, class AnyPoints>
HdbscanResult<T> clusters_on(AnyPoints points, HdbscanOptions const& o, Cuda const& cuda,
                             Cpu const& host) {
    if (!o.weights.empty())
        return clusters_of<T>(points.size, o, host, [&](EmstOptions const& tree) {
            return weighted_tree_of(points, tree, o, cuda);
        });
    return with_tree_options<T>(points.size, o, [&](EmstOptions const& tree) {
        return on_cuda<HdbscanResult<T>>(CudaDims{}, cuda, [&](auto& device) {
            return cut_on<T>(device, points.size, emst_on(device, points, tree), o, host);
        });
    });
}

}  // namespace

template <class T>
HdbscanResult<T> find_clusters(Points<T> points, HdbscanOptions const& o, Cpu const& cpu) {
    if (!o.weights.empty())
        return clusters_of<T>(points.size, o, cpu, [&](EmstOptions const& tree) {
            return weighted_tree_of(points, tree, o, cpu);
        });
    return clusters_of<T>(points.size, o, cpu,
                          [&](EmstOptions const& tree) { return emst(points, tree, cpu); });
}
template <class T>
HdbscanResult<T> find_clusters(Points<T> points, HdbscanOptions const& o, Cuda const& cuda,
                               Cpu const& host) {
    return clusters_on<T>(points, o, cuda, host);
}
template <class T>
HdbscanResult<T> find_clusters(DevicePoints<T> points, HdbscanOptions const& o, Cuda const& cuda,
                               Cpu const& host) {
    return clusters_on<T>(points, o, cuda, host);
}
template <class T>
HdbscanResult<T> find_clusters(Index<T> const& index, HdbscanOptions const& o, Kept) {
    return clusters_of<T>(index.size(), o, index.place().apart(), [&](EmstOptions const& tree) {
        if (o.weights.empty()) return emst(index, tree);
        check_for_index(o.box);
        return emst_with_weights(index, o.weights, samples_of(o));
    });
}
template <class T>
HdbscanResult<T> find_clusters(CudaIndex<T> const& index, HdbscanOptions const& o, Kept) {
    if (!o.weights.empty())
        return clusters_of<T>(index.size(), o, Cpu(), [&](EmstOptions const&) {
            check_for_index(o.box);
            return emst_with_weights(index, o.weights, samples_of(o));
        });
    return with_tree_options<T>(index.size(), o, [&](EmstOptions const& tree) {
        return on_index<HdbscanResult<T>>(CudaDims{}, index, [&](auto& device) {
            return cut_on<T>(device, index.size(), emst(index, tree), o, Cpu());
        });
    });
}

#define ZWALK_HDBSCAN(T)                                                                                \
    template HdbscanResult<T> cut(std::size_t, EmstResult<T>, HdbscanOptions const&, Cpu const&);       \
    template HdbscanResult<T> cut(std::size_t, EmstResult<T>, HdbscanOptions const&, Cuda const&,       \
                                  Cpu const&);                                                          \
    template HdbscanResult<T> find_clusters(Points<T>, HdbscanOptions const&, Cpu const&);              \
    template HdbscanResult<T> find_clusters(Points<T>, HdbscanOptions const&, Cuda const&, Cpu const&); \
    template HdbscanResult<T> find_clusters(DevicePoints<T>, HdbscanOptions const&, Cuda const&,        \
                                            Cpu const&);                                                \
    template HdbscanResult<T> find_clusters(Index<T> const&, HdbscanOptions const&, Kept);              \
    template HdbscanResult<T> find_clusters(CudaIndex<T> const&, HdbscanOptions const&, Kept);
ZWALK_HDBSCAN(float)
ZWALK_HDBSCAN(double)

}  // namespace detail

Need hdbscan_memory(std::uint64_t points, int dim, std::size_t item_bytes, HdbscanOptions const& o) {
    EmstOptions const tree = detail::tree_options(points, o);
    Need need = emst_memory(points, dim, item_bytes, tree.min_samples);
    need.result =
        std::max(need.result, detail::cluster_bytes(points, o.min_cluster_size, detail::weight_of(o)));
    if (!o.weights.empty()) need.build += 2 * points * item_bytes;  // core distances, and their squares
    return need;
}
Need hdbscan_rank_memory(std::uint64_t points, std::uint64_t total, int dim, std::size_t item_bytes,
                         HdbscanOptions const& o, bool makes_clusters) {
    Need need = emst_rank_memory(points, dim, item_bytes, detail::tree_options(total, o).min_samples);
    // Weights of all points, as if they were like those of this rank.
    double const weight =
        detail::weight_of(o) * double(total) / double(std::max<std::uint64_t>(points, 1));
    if (makes_clusters)
        need.result = std::max(need.result, detail::cluster_bytes(total, o.min_cluster_size, weight));
    if (!o.weights.empty()) {
        need.build += 2 * points * item_bytes;
        if (makes_clusters) need.result += total * (sizeof(double) + item_bytes);  // of all rows
    }
    return need;
}

}}  // namespace zwalk::v0
