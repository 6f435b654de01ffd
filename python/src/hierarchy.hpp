// Hierarchies and clusters between Python and zwalk.
#pragma once
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <optional>
#include <utility>

#include "arrays.hpp"
#include "zwalk/hdbscan/clusters.hpp"

namespace zwalk::python {

using Table = nb::ndarray<double const, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;

/// A hierarchy as Python has it: SciPy's table. Copied (32 bytes per point), since Python may have changed it; and looked
/// through, since whoever follows ids that lead nowhere reads elsewhere.
Linkage checked_linkage(std::size_t points, Table const& table);

/// Weights of points, and their core distances in the unit of the hierarchy; None: there are none.
using PointWeights = std::optional<std::pair<Column<double>, Column<double>>>;

/// checked_linkage(), with weights if there are any.
Linkage weighted_linkage(std::size_t points, Table const& table, PointWeights const& weights);

/// SciPy's table, shape (points - 1, 4).
inline nb::object to_table(Linkage&& linkage) {
    std::size_t const n = linkage.merges.size();
    auto* const data = reinterpret_cast<double*>(linkage.merges.data());
    return array_over(data, {n, 4}, std::move(linkage));
}

/// The columns of the hdbscan package's condensed tree, and those of its clusters.
inline nb::dict to_dict(CondensedTree&& tree) {
    std::size_t const n = tree.clusters.size();
    std::vector<double> birth(n), death(n), stability(n);
    std::vector<index_t> parent(n), size(n);
    for (std::size_t i = 0; i < n; ++i) {
        auto const& cluster = tree.clusters[i];
        birth[i] = cluster.birth;
        death[i] = cluster.death;
        stability[i] = cluster.stability;
        parent[i] = cluster.parent;
        size[i] = cluster.size;
    }
    nb::dict d;
    d["parent"] = to_numpy(std::move(tree.parent));
    d["child"] = to_numpy(std::move(tree.child));
    d["lambda_val"] = to_numpy(std::move(tree.lambda));
    d["child_size"] = to_numpy(std::move(tree.child_size));
    if (!tree.child_weight.empty()) d["child_weight"] = to_numpy(std::move(tree.child_weight));
    d["cluster_parent"] = to_numpy(std::move(parent));
    d["cluster_size"] = to_numpy(std::move(size));
    d["cluster_birth"] = to_numpy(std::move(birth));
    d["cluster_death"] = to_numpy(std::move(death));
    d["cluster_stability"] = to_numpy(std::move(stability));
    return d;
}

/// What is said of points and clusters.
template <class Found>
nb::dict clusters_dict(Found& clusters, Buffer<double>&& outlier_scores) {
    nb::dict d;
    d["labels"] = to_numpy(std::move(clusters.labels));
    d["probabilities"] = to_numpy(std::move(clusters.probabilities));
    d["outlier_scores"] = to_numpy(std::move(outlier_scores));
    d["persistence"] = to_numpy(std::move(clusters.persistence));
    return d;
}

/// What Python has as a tuple: the number of a Selection, and the other options in their order.
using SelectionTuple = std::tuple<int, double, std::size_t, bool, double, double>;
inline SelectionOptions selection(SelectionTuple const& t) {
    auto const& [method, epsilon, max_cluster_size, allow_single_cluster, epsilon_max, persistence] = t;
    return {Selection(method),    epsilon,     max_cluster_size,
            allow_single_cluster, epsilon_max, persistence};
}

}  // namespace zwalk::python
