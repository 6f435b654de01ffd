// Where new points belong among clusters that were found before.
//
//   zwalk::HdbscanModel<float> const model(points, found, options);  // found: hdbscan() of them
//   auto const now = zwalk::predict(model, queries);                                // now.labels, now.probabilities
#pragma once
#include <type_traits>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/hdbscan/model.hpp"
#include "zwalk/run/where.hpp"

namespace zwalk { inline namespace v0 {

/// What is predicted for each of M queries, in the order of the input.
template <class T>
struct HdbscanPrediction {
    Buffer<index_t> labels;  ///< (M,): a cluster of the model, -1 for noise
    Buffer<double>
        probabilities;  ///< (M,): lambda of the query over the death of its cluster, at most 1; 0 for noise
    Buffer<double> outlier_scores;  ///< (M,): as those of hdbscan(), from 0 to 1
    Buffer<index_t>
        neighbours;       ///< (M,): the row of the point that each one joins; -1: the model has none
    Buffer<T> distances;  ///< (M,): the mutual reachability distance to it; infinite without points
    Stats stats;
};

namespace detail {
/// @tparam Queries  Points<T>, or DevicePoints<T> for a model on a GPU
template <class T, class P, class Queries>
HdbscanPrediction<T> predict_rows(HdbscanModel<T, P> const& model, Queries queries);

/// A view of queries, on the host but for a model on a GPU.
template <class T, class P, class Queries>
auto queries_for(HdbscanModel<T, P> const&, Queries const& queries) {
    auto const seen = others_of(queries);
    using Seen = std::remove_const_t<decltype(seen)>;
    static_assert(
        std::is_same_v<Seen, Points<T>> || (is_device<P> && std::is_same_v<Seen, DevicePoints<T>>),
        "zwalk: queries of a model have the precision of its points, and are on the host, or "
        "where a model on a GPU is");
    return seen;
}
}  // namespace detail

/// The cluster of each new point, as if it joined the tree that the model was cut from. Clusters stay as they are.
///
/// The core distance of a query is that to its m-th neighbour among the points of the model, m being the model's min_samples (for points of
/// the model itself, which count as their own first neighbour, that is their core distance); of points with weights the least one within
/// which these sum to m. Its neighbour is the point
/// of the least mutual reachability distance, the largest of their distance and both core distances; of several such points the nearest, and
/// of equally near ones the first in z-order. lambda = 1 / that distance. The query is in the cluster that the neighbour leaves
/// at last, or where that was born at lambda or later, in the nearest one around it that wasn't; its label is that of the cluster
/// taken there. Its score is 1 - lambda / the largest lambda inside the neighbour's cluster; where query and neighbour are
/// copies, that of the neighbour.
///
/// So labels and scores of the model's own points are those that hdbscan() gave to them. (Probabilities are larger: in hdbscan()
/// they stop at the lambda at which the point leaves.) Where the root was taken, a query is noise if it or its neighbour leaves before
/// the points that are labelled. Without a tree, as for less than two points, all is noise, with score 1.
///
/// The same as the hdbscan package's approximate_predict() and approximate_predict_scores(), but
/// - exact: the package looks at the 2 m nearest points only, and with core distances of the points that count a neighbour less
///   than those that it was fitted with;
/// - scores below 0 are 0; and where the root was taken, see above.
///
/// Two searches: for the m nearest of each query, which nearly always have the neighbour among them, and a dual walk for those
/// queries whose m nearest all have larger core distances than the query. The cost is that of knn() with the index and k = m; the
/// second search adds O(N) if there are any such queries. The same bits on any number of threads, and on a GPU: both searches are
/// there for a model that is, and labels and scores are made by threads of the host.
///
/// @param queries  rows of the host, of the model's precision and columns; of a model on a GPU they may be DevicePoints there. They may lie
///                 anywhere, but with a box inside one period together with the points
/// @throws InputError  as knn() with an index
/// @throws Error       as knn() with an index on a GPU
template <class T, class P, class Queries>
HdbscanPrediction<T> predict(HdbscanModel<T, P> const& model, Queries const& queries) {
    return detail::predict_rows(model, detail::queries_for(model, queries));
}

}}  // namespace zwalk::v0
