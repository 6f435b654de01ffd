// Flat clusters from a condensed tree: which to take, whose the points are, which points are outliers.
#pragma once
#include <cstddef>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/hdbscan/condensed_tree.hpp"

namespace zwalk { inline namespace v0 {

/// Which clusters of a condensed tree are taken.
enum class Selection {
    /// Excess of mass: those of the largest total stability, none inside another. A cluster as stable as the
    /// best choice inside it is taken, not what is inside.
    eom,
    leaf,  ///< those that never split: many, small, of even density
    /// The leaves of the tree for another min_cluster_size, from the given one on: that for which leaves are most persistent
    /// (persistent_sizes.hpp). The tree is made for it, so that of one tree these are its leaves.
    persistent,
};

struct SelectionOptions {
    Selection method = Selection::eom;
    /// Splits at smaller distances than this are undone: a cluster that is born below it stands for the
    /// nearest one around it that isn't. 0: all splits count.
    double epsilon = 0;
    std::size_t max_cluster_size =
        0;  ///< eom takes no larger (or heavier) ones (epsilon may); 0: any size
    /// The root may be taken: all points are one cluster, with noise around it.
    bool allow_single_cluster = false;
    /// eom takes no cluster that parts from another at a larger distance. The root is born at the largest of the tree.
    double epsilon_max = infinity<double>;
    /// Splits are undone of which one part lasts for less than this, in lambda (without_short_splits()).
    double persistence = 0;
};

/// The tree that clusters are selected from: that of condense() for min_cluster_size, or (Selection::persistent) for the best size from
/// there on; without short splits, if these options have a persistence. O(N), for Selection::persistent as persistent_sizes().
/// @throws InputError  min_cluster_size < 2; as select_clusters()
CondensedTree condense(Linkage const& linkage, std::size_t min_cluster_size,
                       SelectionOptions const& options, Cpu const& cpu = Cpu());

/// The tree without splits of which the less dense part lasts for less than `persistence`, in lambda.
///
/// From the leaves up: a cluster lasts from its birth to the largest lambda inside it. Where the shorter-lived one of two siblings (of
/// equal ones the first) doesn't last, their split is undone: both are their parent again. If the other one splits later on, the points of
/// the shorter-lived one leave at the split, as those of a branch that is too small do. Clusters are numbered anew. O(N).
///
/// The hdbscan package (simplify_hierarchy) does this in single precision, and where the shorter-lived one was itself put together, lets
/// points of its parts stay beyond the split; here all of them leave.
/// @throws InputError  persistence is negative, or NaN
CondensedTree without_short_splits(CondensedTree const& tree, double persistence,
                                   Cpu const& cpu = Cpu());

/// Flat clusters, numbered from 0 in the order of their ids in the condensed tree.
struct Clusters {
    Buffer<index_t> labels;  ///< the cluster of each point; -1: noise
    /// How far into its cluster each point stays: the lambda at which it leaves, over the
    /// cluster's death (at most 1). 0 for noise. Beside copies (infinite lambda) all others have 0.
    Buffer<double> probabilities;
    /// The persistence of each cluster, 0 to 1: stability / (points, or their weights, * largest lambda of the tree), 1 if that lambda is
    /// infinite. Points are those of the stability: all in the cluster, for the root those that are noise, too.
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
/// @throws InputError  an epsilon that is negative or not finite, an epsilon_max below it, or a negative persistence; NaN
Clusters select_clusters(CondensedTree const& tree, SelectionOptions const& options = {},
                         Cpu const& cpu = Cpu());

/// GLOSH outlier scores (Campello et al. 2015) of all points, 0 to 1: 1 - lambda at which the point
/// leaves its cluster / largest lambda inside that cluster. Where that is infinite (copies), 0 for the
/// copies, and 1 for the rest. O(N).
Buffer<double> outlier_scores(CondensedTree const& tree, Cpu const& cpu = Cpu());

}}  // namespace zwalk::v0
