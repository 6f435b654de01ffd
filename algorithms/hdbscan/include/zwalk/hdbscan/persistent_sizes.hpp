// For which least sizes clusters never split: the leaf clusters of all of these at once, and the size that suits most of them.
//
// Bot, McInnes, Aerts 2025, Persistent multiscale density-based clustering (PLSCAN, arXiv:2512.16558), with its persistence in size.
#pragma once
#include <cstddef>
#include <vector>

#include "zwalk/hdbscan/linkage.hpp"

namespace zwalk { inline namespace v0 {

/// A cluster that never splits in the condensed tree of each min_cluster_size above one number, up to another.
struct LeafCluster {
    index_t node;  ///< its id in the linkage
    double above;  ///< it splits for sizes up to this one: inside it, parts of so many points come apart
    double last;   ///< for larger sizes it, or what it parts from, is no cluster
    /// last - above; no sizes count that are smaller than the least one looked at. Of weights it is rounded so that sums are exact.
    double persistence;

    [[nodiscard]] bool is_leaf_at(std::size_t size) const {
        return above < double(size) && double(size) <= last;
    }
};

/// The leaf clusters of a hierarchy for every min_cluster_size from `least` on, and how persistent they are together.
struct PersistentSizes {
    std::size_t least = 2;
    /// Ascending, the first is `least`: from each of these sizes up to the one before the next, the leaf clusters are the same.
    /// From the last one on there are none.
    std::vector<index_t> sizes;
    std::vector<double> persistence;  ///< of each of these: the sum over its leaf clusters
    std::vector<LeafCluster> leaves;  ///< by node

    /// The size whose leaf clusters are most persistent together; of several the smallest.
    [[nodiscard]] std::size_t best() const;
    /// All sizes of which the persistence is larger than at the next smaller and larger one, ascending: where several in a row are
    /// equally persistent, the first of these. Each is a way to see the points, from many small clusters to few large ones.
    [[nodiscard]] std::vector<std::size_t> peaks() const;
};

/// Looks at all sizes at once. A part of the hierarchy is a leaf cluster for those sizes that it has, and that what it parts from has, but
/// that none of two parts inside it has both: an interval. Its length is the persistence of the cluster. The root is none:
/// it parts from nothing.
///
/// Sizes are sums of weights, where the hierarchy has any; then a point may be a leaf cluster.
///
/// The leaf clusters at a size are those that select_clusters() takes with Selection::leaf from condense() with this size. O(N), and
/// O(L log L) for the L < 2 N / least leaf clusters; 8 bytes of working memory per point.
///
/// @param least  >= 2: smaller sizes aren't looked at
/// @throws InputError  least < 2
PersistentSizes persistent_sizes(Linkage const& linkage, std::size_t least = 2);

}}  // namespace zwalk::v0
