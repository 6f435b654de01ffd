// Single linkage: which points are connected at every distance, from a minimum spanning tree.
#pragma once
#include <cstddef>
#include <span>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk { inline namespace v0 {

/// A row of SciPy's linkage form: two clusters become one. Ids below the number of points N are points
/// (input indices), id N + i is what row i makes.
struct Merge {
    double left, right;  ///< ids, left < right
    double distance;
    double size;  ///< points of the new cluster
};

/// A hierarchy of points; what scipy.cluster.hierarchy calls Z.
struct Linkage {
    std::size_t points = 0;
    Buffer<Merge> merges;  ///< one less than points (none for 0 points), distances ascending
    /// Of points with weights (weights.hpp) these, and the distances at which the points that each stands for come together; else empty.
    Buffer<double> weights{}, cores{};

    /// The merges as numbers, shape (points - 1, 4), row after row.
    [[nodiscard]] std::span<double const> table() const {
        static_assert(sizeof(Merge) == 4 * sizeof(double));
        return {reinterpret_cast<double const*>(merges.data()), 4 * merges.size()};
    }
};

/// The single-linkage hierarchy of a spanning tree, of edges in ascending order of length.
///
/// Where lengths differ, row i is edge i. Edges of equal length are one event (Campello, Moulavi and
/// Sander 2013 remove them at once): what they connect is merged with the largest cluster first and the
/// smallest last (of equal ones, the smaller id first), and the parts of one event that don't touch come
/// in the order of their smallest points. So a point that reaches two clusters at the same distance is
/// merged when those are one, and leaves first when they come apart; no order of the edges, or choice
/// between minimum spanning trees, changes what is in which cluster.
///
/// O(N log N) at most, on all threads (two share the work: one makes all rows); the same bits on any number of them. 8 bytes of working memory per point; where very many
/// edges are of one length, up to 56 more for each of these.
///
/// @param edges    (points - 1, 2), row after row: input indices
/// @param lengths  (points - 1,), ascending, >= 0
/// @throws InputError  other numbers of edges, indices of no point, lengths that descend or are NaN or
///                     negative, edges that close a circle
template <class T>
Linkage single_linkage(std::size_t points, std::span<index_t const> edges, std::span<T const> lengths,
                       Cpu const& cpu = Cpu());

/// DBSCAN*: the clusters at one distance, from the hierarchy of mutual reachability distances. Points are
/// of one cluster if they are connected by edges no longer than `distance` (the hdbscan package takes
/// shorter ones only).
///
/// O(N), up to 13 bytes of working memory per point. The same labels on any number of threads.
///
/// @param min_cluster_size  >= 1; points of smaller clusters are noise
/// @return  the cluster of each point, counted from 0 in the order of their smallest points; -1: noise
/// @throws InputError  min_cluster_size is 0, distance is NaN
Buffer<index_t> clusters_at(Linkage const& linkage, double distance, std::size_t min_cluster_size,
                            Cpu const& cpu = Cpu());

extern template Linkage single_linkage(std::size_t, std::span<index_t const>, std::span<float const>,
                                       Cpu const&);
extern template Linkage single_linkage(std::size_t, std::span<index_t const>, std::span<double const>,
                                       Cpu const&);

}}  // namespace zwalk::v0
