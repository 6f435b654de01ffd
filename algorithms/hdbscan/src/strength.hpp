// How strongly points belong to clusters of a condensed tree, or not at all.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "zwalk/core/key.hpp"
#include "zwalk/hdbscan/condensed_tree.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The density at which parts come apart that are at this distance.
ZWALK_HD inline double lambda_at(double distance) {
    return distance > 0 ? 1 / distance : infinity<double>;
}

/// Points leave a cluster one by one. The sum is taken row by row, since one in another order would have other bits.
inline void leave(CondensedCluster& cluster, double lambda, pos_t points) {
    cluster.death = lambda;                 // they ascend
    if (!(lambda > cluster.birth)) return;  // not infinity - infinity
    for (; points > 0; --points) cluster.stability += lambda - cluster.birth;
}
/// Something of this weight leaves: a point, or a cluster.
inline void leave_weighing(CondensedCluster& cluster, double lambda, double weight) {
    cluster.death = lambda;
    if (lambda > cluster.birth) cluster.stability += (lambda - cluster.birth) * weight;
}
/// Two clusters of so many points leave one together.
inline void split(CondensedCluster& cluster, double lambda, double left, double right) {
    cluster.leaf = false;
    cluster.death = lambda;
    if (!(lambda > cluster.birth)) return;
    for (double const half : {left, right}) cluster.stability += (lambda - cluster.birth) * half;
}

/// lambda / death, of points that leave a cluster or one inside it.
inline double membership(double lambda, double death) {
    if (death == 0 || std::isinf(lambda)) return 1;
    return std::min(lambda, death) / death;
}

/// The weight of what leaves in a row: its points, if these have no weights.
inline double weight_of(CondensedTree const& tree, std::size_t row) {
    return tree.child_weight.empty() ? double(tree.child_size[row]) : tree.child_weight[row];
}

/// The weight of each cluster.
inline std::vector<double> cluster_weights(CondensedTree const& tree) {
    std::vector<double> weights(tree.clusters.size(), 0);
    if (tree.child_weight.empty())
        for (std::size_t c = 0; c < weights.size(); ++c) weights[c] = double(tree.clusters[c].size);
    for (std::size_t row = 0; row < tree.child_weight.size(); ++row)
        weights[std::size_t(tree.parent[row]) - tree.points] += tree.child_weight[row];
    return weights;
}

/// The largest lambda in each cluster and those inside it. Parents come before their children.
inline std::vector<double> largest_inside(std::vector<CondensedCluster> const& clusters) {
    std::vector<double> largest(clusters.size());
    for (std::size_t c = largest.size(); c-- > 0;) {
        largest[c] = std::max(largest[c], clusters[c].death);
        if (c == 0) continue;
        double& around = largest[std::size_t(clusters[c].parent)];
        around = std::max(around, largest[c]);
    }
    return largest;
}

/// GLOSH, for a point that leaves at lambda a cluster with this largest lambda inside.
inline double outlier_score(double lambda, double largest) {
    if (largest == 0 || std::isinf(lambda)) return 0;
    return std::isinf(largest) ? 1 : std::max(0., (largest - lambda) / largest);
}

}}}  // namespace zwalk::v0::detail
