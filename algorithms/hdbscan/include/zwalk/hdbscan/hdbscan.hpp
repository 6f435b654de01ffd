// HDBSCAN*: clusters of any density, from points in one call. The public interface, for any place.
//
// Campello, Moulavi, Sander 2013 (hierarchy, excess of mass); Campello, Moulavi, Zimek, Sander 2015 (GLOSH
// outlier scores); McInnes, Healy 2017 (the condensed tree); Malzer, Baum 2020 (epsilon). Each step can be
// had by itself: emst.hpp, linkage.hpp, condensed_tree.hpp, clusters.hpp. So one tree may be cut many times.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "zwalk/core/need.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/hdbscan/clusters.hpp"
#include "zwalk/run/where.hpp"

namespace zwalk { inline namespace v0 {

struct HdbscanOptions {
    std::size_t min_cluster_size = 5;  ///< >= 2
    /// As in EmstOptions: the point itself counts as its first neighbour, as in scikit-learn; the hdbscan
    /// package's min_samples is one less. 0: min_cluster_size. Where there are fewer points all are counted.
    int min_samples = 0;
    SelectionOptions select{};
    std::vector<double> box{};  ///< as in EmstOptions
    TreeOptions tree{};
    /// Of each point how many it counts as: in min_samples, min_cluster_size, stabilities. Empty: 1 each (weights.hpp). On ranks
    /// those of this rank's rows.
    std::span<double const> weights{};
};

/// Clusters, and the hierarchy that they are cut from. On MPI ranks what points have is that of this rank's rows; what clusters have,
/// and the hierarchy, is on rank 0, and empty on the others.
template <class T>
struct HdbscanResult : Clusters {
    std::size_t clusters = 0;       ///< how many there are: on ranks in all, on each of them
    Buffer<double> outlier_scores;  ///< as of outlier_scores()
    Buffer<T> core_distances;       ///< (N,) in the order of input; empty for min_samples 1
    Linkage linkage;
    CondensedTree condensed_tree;
    Stats stats;
};

namespace detail {
// The functions that the one below calls.
template <class T>
HdbscanResult<T> find_clusters(Points<T> points, HdbscanOptions const& options, Cpu const& cpu);
template <class T>
HdbscanResult<T> find_clusters(Points<T> points, HdbscanOptions const& options, Cuda const& cuda,
                               Cpu const& host);
template <class T>
HdbscanResult<T> find_clusters(DevicePoints<T> points, HdbscanOptions const& options, Cuda const& cuda,
                               Cpu const& host);
template <class T>
HdbscanResult<T> find_clusters(Index<T> const& index, HdbscanOptions const& options, Kept);
template <class T>
HdbscanResult<T> find_clusters(CudaIndex<T> const& index, HdbscanOptions const& options, Kept);
template <class T>
HdbscanResult<T> find_clusters(RankInput<T> const& input, HdbscanOptions const& options,
                               RankCall const& call);

/// @param host  for all but the tree, where that is found on a GPU of one process
template <class Source, class... Where>
auto find_clusters_at(Source const& points, HdbscanOptions const& options, Cpu const& host,
                      Where const&... where) {
    auto const f = [&]<class Place>(auto const& source, Place const& place) {
        if constexpr (std::is_same_v<Place, Cuda>) return find_clusters(source, options, place, host);
        else return find_clusters(source, options, place);
    };
    return at_place(f, points, where...);
}
}  // namespace detail

/// The HDBSCAN* clusters of points of shape (N, D).
///
/// Exact, and the same on every place, for every number of threads and every order of the points, but for the numbers of
/// clusters: edges of equal length count as one event (linkage.hpp). The time is that of emst(), and
/// O(N) after it. On a GPU the spanning tree is found there, of many points (1e5) without weights also the hierarchy; the rest by threads
/// of the host, where the result is.
///
/// On MPI ranks each passes its own rows (any number, also none), and the same options: clusters are those of one process. How: emst()
/// on ranks; rank 0 gets the tree, makes hierarchy and clusters as one process does, with its threads, and sends all ranks the labels,
/// probabilities and scores of their rows. So there are at most 2^31 - 256 points, and rank 0 needs memory for all of them: some 100
/// bytes each. Memory: see hdbscan_rank_memory.
///
/// With weights a point of weight w counts as w points at its place: its core distance is the least one within which weights, with its own,
/// sum to min_samples, and a cluster's size is the sum of its weights. Weights that are integers make the clusters of the input in which
/// each row is there so often, but for their numbers. What rows have (labels, sizes in the trees) is of rows. Less than two rows have no
/// clusters.
///
/// @param points  anything that holds points, and `where` they are clustered: run/where.hpp has the combinations, and behind Cuda there
///                may be a Cpu for the host's part. The result is a HdbscanResult<T>
/// @throws InputError  min_cluster_size < 2, min_samples < 0; as select_clusters(); another number of weights than points, weights that
///                     aren't positive numbers; and as emst(); on ranks, on all of them: too many points for one rank
/// @throws Error       as emst(); on all ranks: rank 0 has no memory for the clusters, which is reported before any work
template <class Source, class... Where>
auto hdbscan(Source const& points, HdbscanOptions const& options = {}, Where const&... where) {
    if constexpr (detail::are<std::tuple<Where...>, Cuda, Cpu>) {
        auto const given = std::tie(where...);
        return detail::find_clusters_at(points, options, std::get<1>(given), std::get<0>(given));
    } else {
        return detail::find_clusters_at(points, options, Cpu(), where...);
    }
}

/// The hierarchy of a tree that emst() has found.
template <class T>
Linkage single_linkage(std::size_t points, EmstResult<T> const& tree, Cpu const& cpu = Cpu()) {
    return single_linkage<T>(points, tree.edges, tree.lengths, cpu);
}

/// Bytes that hdbscan() needs beside the input: as emst_memory(), whose tree is gone when clusters are found. The result is the
/// larger of the tree's and of the clusters' (hierarchy, condensed tree, labels, scores, and what makes them).
/// @throws InputError  as emst_memory()
Need hdbscan_memory(std::uint64_t points, int dim, std::size_t item_bytes,
                    HdbscanOptions const& options = {});

/// Bytes that hdbscan() needs on ranks beside the input: for the tree as emst_rank_memory() on a rank with `points` rows,
/// and then for the clusters of all `total` points, on rank 0 alone.
/// @param makes_clusters  it is rank 0
/// @throws InputError  as emst_memory()
Need hdbscan_rank_memory(std::uint64_t points, std::uint64_t total, int dim, std::size_t item_bytes,
                         HdbscanOptions const& options, bool makes_clusters);

}}  // namespace zwalk::v0
