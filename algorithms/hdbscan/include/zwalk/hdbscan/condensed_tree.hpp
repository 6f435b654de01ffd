// The condensed tree of HDBSCAN*: a single-linkage hierarchy without its small branches.
#pragma once
#include <concepts>
#include <cstddef>
#include <vector>

#include "zwalk/core/page_vector.hpp"
#include "zwalk/hdbscan/linkage.hpp"

namespace zwalk { inline namespace v0 {

/// A cluster of a condensed tree. Lambda is 1 / distance, infinite at distance 0.
struct CondensedCluster {
    index_t parent;        ///< its index in CondensedTree::clusters; -1: the root
    index_t size;          ///< points
    double birth;          ///< lambda at which it parts from its parent; 0 for the root
    double death = 0;      ///< lambda at which it splits, or its last points leave
    double stability = 0;  ///< sum over its points of (lambda at which they leave it - birth)
    bool leaf = true;      ///< it never splits
};

/// Clusters of at least min_cluster_size points, and where points leave them. Two such clusters that
/// come apart are new ones; when only one of the parts is large enough, it stays the same cluster, and
/// the points of the other part leave it.
///
/// Rows are those of the hdbscan package's condensed_tree_.to_numpy(), in the same order: cluster ids are
/// points, points + 1, ..., the root first, and from then on level by level of the hierarchy.
struct CondensedTree {
    std::size_t points = 0, min_cluster_size = 0;
    PageVector<index_t> parent;      ///< id of the cluster that is left
    PageVector<index_t> child;       ///< what leaves it: a point or a cluster
    PageVector<double> lambda;       ///< 1 / distance at which it does
    PageVector<index_t> child_size;  ///< 1 for points
    /// The weight of what leaves, where points have weights (weights.hpp): stabilities and min_cluster_size are sums of these. Else empty.
    PageVector<double> child_weight{};
    /// Cluster id points + c is clusters[c]. None for fewer than two points.
    std::vector<CondensedCluster> clusters;

    [[nodiscard]] std::size_t rows() const { return parent.size(); }
};

/// The condensed tree of a hierarchy, by the weights of its points if it has any. Every point has one row, every cluster but the root another.
///
/// O(N) on all threads but for O(clusters), some 60 bytes per point with the result; on one thread 40. Sums are taken in the order of the rows, those of
/// one cluster by one thread. The same bits on any number of threads.
///
/// @param min_cluster_size  >= 2
/// @throws InputError  min_cluster_size < 2
CondensedTree condense(Linkage const& linkage, std::size_t min_cluster_size);
/// The same on these threads. A template, so that {} stands for the options of a selection (clusters.hpp).
template <std::same_as<Cpu> Threads>
CondensedTree condense(Linkage const& linkage, std::size_t min_cluster_size, Threads const& cpu);
extern template CondensedTree condense(Linkage const&, std::size_t, Cpu const&);

}}  // namespace zwalk::v0
