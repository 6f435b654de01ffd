// Flat clusters from a condensed tree: which to take, whose the points are, which points are outliers.
#pragma once
#include <cstddef>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/hdbscan/condensed_tree.hpp"

namespace zwalk { inline namespace v0 {

/// Which clusters of a condensed tree are taken.
enum class Selection {
    /// Excess of mass: those of the largest total stability, none inside another. A cluster as stable as the
    /// best choice inside it is taken, not what is inside.
    eom,
    leaf,  ///< those that never split: many, small, of even density
};

struct SelectionOptions {
    Selection method = Selection::eom;
    /// Splits at smaller distances than this are undone: a cluster that is born below it stands for the
    /// nearest one around it that isn't. 0: all splits count.
    double epsilon = 0;
    std::size_t max_cluster_size = 0;  ///< eom takes no larger ones (epsilon may); 0: any size
    /// The root may be taken: all points are one cluster, with noise around it.
    bool allow_single_cluster = false;
};

/// Flat clusters, numbered from 0 in the order of their ids in the condensed tree.
struct Clusters {
    Buffer<index_t> labels;  ///< the cluster of each point; -1: noise
    /// How far into its cluster each point stays: the lambda at which it leaves, over the
    /// cluster's death (at most 1). 0 for noise. Beside copies (infinite lambda) all others have 0.
    Buffer<double> probabilities;
    /// The persistence of each cluster, 0 to 1: stability / (points * largest lambda of the tree), 1 if that lambda is infinite.
    /// Points are those of the stability: all in the cluster, for the root those that are noise, too.
    std::vector<double> persistence;
    std::vector<index_t> ids;  ///< the id of each cluster in the condensed tree

    [[nodiscard]] std::size_t size() const { return ids.size(); }
};

/// Clusters, labels and probabilities; the same as those of the hdbscan package, but
/// - sums of stabilities are compared in double;
/// - max_cluster_size counts all points of the root, and a root below min_cluster_size is no cluster;
/// - the leaf of a tree without splits is its root (if allow_single_cluster);
/// - epsilon: a split at exactly that distance counts; a cluster has its own persistence, not that of
///   the ones inside it;
/// - the persistence of the root is that of all points, noise included, where the package's may be above 1.
///
/// If the root is taken, its points are those that stay until its death (epsilon > 0: until 1 / epsilon).
/// O(N). The same bits on any number of threads.
///
/// @throws InputError  an epsilon that is negative or not finite
Clusters select_clusters(CondensedTree const& tree, SelectionOptions const& options = {},
                         Cpu const& cpu = Cpu());

/// GLOSH outlier scores (Campello et al. 2015) of all points, 0 to 1: 1 - lambda at which the point
/// leaves its cluster / largest lambda inside that cluster. Where that is infinite (copies), 0 for the
/// copies, and 1 for the rest. O(N).
Buffer<double> outlier_scores(CondensedTree const& tree, Cpu const& cpu = Cpu());

}}  // namespace zwalk::v0
