// Clusters from a decision graph of density peaks: which points are centres, and which centre each point belongs to.
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/run/where.hpp"

namespace zwalk { inline namespace v0 {

/// Which points are centres. Both limits are lengths, the axes of the decision graph: a rectangle in it.
struct PeaksCut {
    /// So many at most: of all that the limits leave those with the largest delta / radius, and of equal ones the largest
    /// delta, then the lowest row. 0: all of them.
    index_t clusters = 0;
    double min_delta = 0;                  ///< centres have a larger delta
    double max_radius = infinity<double>;  ///< and no larger radius
};

struct PeaksClusters {
    /// The cluster of each point, 0, 1, ...; -1 for all points if there are no centres.
    Buffer<index_t> labels;
    /// The centre of each cluster, as a row of the input; the densest first.
    std::vector<index_t> centres;
};

template <class T, class P>
struct PeaksResult;  // peaks.hpp

namespace detail {
/// Whether this is a decision graph whose rows are all here, on the host.
template <class Graph>
inline constexpr bool is_whole_graph = true;
template <class T, class P>
inline constexpr bool is_whole_graph<PeaksResult<T, P>> = std::is_same_v<P, Cpu>;

/// A decision graph, as a view.
template <class T>
struct PeaksView {
    std::span<T const> radius, delta;
    std::span<index_t const> nearest_denser;
};
template <class Graph>
auto view_of(Graph const& graph) {
    using T = std::remove_cvref_t<decltype(graph.radius[0])>;
    return PeaksView<T>{{graph.radius.data(), graph.radius.size()},
                        {graph.delta.data(), graph.delta.size()},
                        {graph.nearest_denser.data(), graph.nearest_denser.size()}};
}
/// Throws InputError unless these arrays are as long as each other.
void check_lengths(std::size_t radius, std::size_t delta, std::size_t denser);
template <class T>
PeaksClusters cut_peaks(PeaksView<T> const& graph, PeaksCut const& cut, Cpu const& cpu);
template <class T>
PeaksClusters cut_peaks(PeaksView<T> const& own, PeaksCut const& cut, RankCall const& call);
}  // namespace detail

/// The clusters of a decision graph, of which as many cuts may be made as you like.
///
/// Centres are chosen by the cut. Each other point belongs to the cluster of its nearest denser point, so every point is in one.
///
/// The `clusters` that stand out most are those of the largest delta / radius: how many times further the nearest denser point is than
/// the k-th neighbour. That doesn't depend on units, on D, or on how dense the whole cluster is, while the product of density and delta
/// of the paper is dominated by the densest cluster: there small ripples beat the centres of all others for D = 3. (For D = 1 both are
/// the same order.) Points with radius 0 have the largest ratio, points with delta 0 the least: they are never centres.
///
/// O(N log(chain)), where a chain is that from a point to its centre. The same bits on any number of threads.
///
/// @param graph  with rows in the order of the input: a PeaksResult of the host, or whatever has radius, delta and nearest_denser
///               of all points
/// @throws InputError  neither a number of clusters nor a min_delta; a number below 0, a limit that is negative or not a number;
///                     what isn't such a graph: arrays of several lengths, a row that isn't one, a point whose nearest denser point isn't
///                     denser (as with Order::z)
template <class Graph>
PeaksClusters peaks_clusters(Graph const& graph, PeaksCut const& cut, Cpu const& cpu = Cpu()) {
    constexpr bool whole = detail::is_whole_graph<Graph>;
    static_assert(
        whole,
        "zwalk: these are rows of one rank, or on a device: give Mpi, too, or bring radius, delta "
        "and nearest_denser to the host");
    if constexpr (whole) return detail::cut_peaks(detail::view_of(graph), cut, cpu);
}
/// The same on MPI ranks, from the rows that each has (a PeaksResult<T, Mpi>): labels are those of its rows, all have all centres. Rank 0
/// makes the cut, so it needs memory for all radii, deltas and rows, some 40 bytes per point of floats. Of the library zwalk::mpi.
/// @throws InputError  as above, on all ranks; ranks disagree on the cut
template <class Graph>
PeaksClusters peaks_clusters(Graph const& own, PeaksCut const& cut, Mpi const& mpi,
                             Cpu const& cpu = Cpu()) {
    return detail::cut_peaks(detail::view_of(own), cut, detail::RankCall(mpi, cpu));
}

}}  // namespace zwalk::v0
