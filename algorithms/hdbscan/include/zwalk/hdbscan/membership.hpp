// Soft clusters: how likely points are to be in each cluster of a model.
#pragma once
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/hdbscan/predict.hpp"

namespace zwalk { inline namespace v0 {

/// Of each cluster its exemplars, as rows: the points that stay to the end in the clusters inside it that never split.
/// Ascending. O(N).
/// @param found  of select_clusters(tree)
std::vector<std::vector<index_t>> exemplars(CondensedTree const& tree, Clusters const& found,
                                            Cpu const& cpu = Cpu());
/// The same of the clusters of a model.
template <class T, class P>
std::vector<std::vector<index_t>> exemplars(HdbscanModel<T, P> const& model);

namespace detail {
template <class T, class P>
Buffer<double> membership_of_rows(HdbscanModel<T, P> const& model, Points<T> queries);
}  // namespace detail

/// The probabilities of each of M new points to be in each of the model's clusters, shape (M, clusters), row after row; the rest of a
/// row's sum to 1 is that of being noise. As the hdbscan package's membership_vector() has them, for the neighbour that predict() finds:
///
/// - *distance*: 1 / the distance to the cluster's nearest exemplar, in proportion;
/// - *outlier*: the lambda at which the neighbour, or the query if it leaves before, meets the cluster, say h, against the death d of the
///   neighbour's cluster: d / (d - h), as a softmax;
/// - the root of the one times the square of the other, in proportion, times the probability of being in some cluster: the largest h
///   over the larger of the query's lambda and the death of that cluster.
///
/// (The package rounds h to float in between. Where lambdas are infinite, it has NaN, and this limits of the above.)
///
/// One search for the nearest exemplar of each cluster, so O(clusters M log M) beside predict(); M clusters numbers of memory. Of a model on
/// a GPU predict() is there, and exemplars, which are few, are searched by threads of the host.
/// @param queries  rows of the host
/// @throws InputError  as predict()
template <class T, class P, class Queries>
Buffer<double> membership_vectors(HdbscanModel<T, P> const& model, Queries const& queries) {
    static_assert(detail::kind_of<Queries> == detail::SourceKind::rows,
                  "zwalk: exemplars are searched on the host: give queries that are there");
    return detail::membership_of_rows(model, detail::queries_for(model, queries));
}

/// The same of the model's own points, shape (N, clusters), as the package's all_points_membership_vectors() has them. They are in the
/// tree themselves; and for them the outlier part is exp(-d / h) as a softmax, and multiplied as it is.
template <class T, class P>
Buffer<double> all_points_membership_vectors(HdbscanModel<T, P> const& model);

}}  // namespace zwalk::v0
