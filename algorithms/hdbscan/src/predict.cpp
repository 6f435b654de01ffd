#include "zwalk/hdbscan/predict.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "strength.hpp"
#include "zwalk/core/clock.hpp"
#include "zwalk/run/calls.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

/// Label, probability and score of a query from the point that it joins.
template <class T>
void place_query(ModelTree const& tree, std::size_t query, bool is_copy, HdbscanPrediction<T>& out) {
    auto const neighbour = std::size_t(out.neighbours[query]);
    auto const left = index_t(tree.cluster[neighbour]);
    double const distance = double(out.distances[query]), leaves = tree.leaves[neighbour],
                 lambda = detail::lambda_at(distance);
    auto const cluster = [&](index_t c) -> ModelCluster const& { return tree.clusters[std::size_t(c)]; };
    index_t const label = cluster(leaves > lambda ? tree.at(left, lambda) : left).label;
    bool const noise = label < 0 || std::min(lambda, leaves) < tree.least;
    out.labels[query] = noise ? -1 : label;
    out.probabilities[query] =
        noise ? 0 : membership(lambda, cluster(tree.taken[std::size_t(label)]).death);
    out.outlier_scores[query] = outlier_score(is_copy ? leaves : lambda, cluster(left).largest);
}

/// Where there is no tree a query is noise, whatever it has joined.
template <class T>
void nothing_known(std::size_t query, HdbscanPrediction<T>& out) {
    out.labels[query] = -1;
    out.probabilities[query] = 0;
    out.outlier_scores[query] = 1;
}

/// Threads for n queries. Threads of their own are for what is shared by threads: they cost more than a few queries do.
template <class T, class P>
Cpu threads_beside(Index<T, P> const& index, std::size_t n) {
    std::size_t const few = 1000;
    if constexpr (is_device<P>) return Cpu();
    else return n <= few ? index.place() : index.place().apart();
}

/// What a driver is told of the points of a model.
template <class T, class P>
JoinedPoints<T> joined_points(HdbscanModel<T, P> const& model) {
    auto const& there = model.columns();
    T const* core = model.core_distances().data();
    double const* weights = model.weights().data();
    if constexpr (is_device<P>) {
        core = there.core.data();
        weights = there.weights.data();
    }
    return {.core = core,
            .core_square = there.core_square.data(),
            .weights = model.weights().empty() ? nullptr : weights,
            .enough = double(model.min_samples()),
            .in_tree = !model.tree().clusters.empty(),
            .core_here = model.core_distances().data()};
}

}  // namespace

template <class T, class P, class Queries>
HdbscanPrediction<T> predict_rows(HdbscanModel<T, P> const& model, Queries queries) {
    using C = std::conditional_t<std::is_same_v<Queries, Points<T>>, JoinCall, JoinThereCall>;
    auto const points = joined_points(model);
    JoinAsked asked;
    // A model without points has no neighbours to show, but refuses bad queries as others do.
    std::size_t const samples = std::max<std::size_t>(1, std::size_t(model.min_samples())),
                      all = std::max<std::size_t>(1, model.size());
    asked.k = index_t(points.weights ? std::min(samples, all) : samples);
    asked.points = &points;
    auto joined = Called<C, Index<T, P>, Kept>::run(model.index(), &queries, asked, {});
    std::size_t const n = queries.size;
    HdbscanPrediction<T> out{Buffer<index_t>(n), Buffer<double>(n), Buffer<double>(n), {}, {}, {}};
    out.stats = std::move(joined.stats);
    out.neighbours = std::move(joined.neighbours);
    out.distances = std::move(joined.distances);
    double const start = now_seconds();
    Cpu const cpu = threads_beside(model.index(), n);
    cpu.for_each(n, [&](std::size_t i) {
        if (!points.in_tree) return nothing_known(i, out);
        place_query(model.tree(), i, joined.joined[i] == Joined::copy, out);
    });
    out.stats.seconds.back().second += now_seconds() - start;
    return out;
}

#define ZWALK_PREDICT(T, P, Queries) \
    template HdbscanPrediction<T> predict_rows(HdbscanModel<T, P> const&, Queries);
ZWALK_PREDICT(float, Cpu, Points<float>)
ZWALK_PREDICT(double, Cpu, Points<double>)
ZWALK_PREDICT(float, CudaDevice, Points<float>)
ZWALK_PREDICT(double, CudaDevice, Points<double>)
ZWALK_PREDICT(float, CudaDevice, DevicePoints<float>)
ZWALK_PREDICT(double, CudaDevice, DevicePoints<double>)

#define ZWALK_JOIN(T)                                     \
    template struct Called<JoinCall, Index<T>, Kept>;     \
    template struct Called<JoinCall, CudaIndex<T>, Kept>; \
    template struct Called<JoinThereCall, CudaIndex<T>, Kept>;
ZWALK_JOIN(float)
ZWALK_JOIN(double)

}}}  // namespace zwalk::v0::detail
