#include "zwalk/hdbscan/predict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "compiled_dims.hpp"
#include "rows.hpp"
#include "strength.hpp"
#include "zwalk/core/clock.hpp"
#include "zwalk/core/within.hpp"
#include "zwalk/hdbscan/trait.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/run/call_points.hpp"
#include "zwalk/run/queries.hpp"
#include "zwalk/tree/targets.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

enum class Joined : std::uint8_t {
    yes,
    copy,  ///< the neighbour is at the same place
    open,  ///< points further away may be better
    more,  ///< what was looked at hasn't enough weight for a core distance
};

/// Among the nearest points of a query, which are those within its core distance, the first one whose own core distance is no larger has
/// the least mutual reachability distance: the core distance of the query. Where there is none, the best of them is a bound.
template <class T>
struct JoinNearest {
    T const* core;          ///< of the points, by row
    std::size_t points;     ///< how many these are
    double const* weights;  ///< likewise; null: 1 each
    double enough;          ///< weight within the core distance
    index_t* neighbour;
    T* distance;
    Joined* joined;
    pos_t const* rows = nullptr;  ///< of the queries, if these are some of more

    void operator()(index_t asked, Neighbours<T> const& near) const {
        if (near.size() == 0) return;  // a model without points
        index_t const query = rows ? index_t(rows[asked]) : asked;
        int const last = weights ? last_within(near) : near.size() - 1;
        if (last < 0) {
            joined[query] = Joined::more;
            return;
        }
        T const own = near.distance(last);
        T least = infinity<T>;
        index_t best = -1;
        for (int i = 0; i < near.size() && least > own; ++i) {
            index_t const row = near.index(i);
            T const reach = std::max(own, core[row]);
            if (reach < least) least = reach, best = row;
        }
        neighbour[query] = best;
        distance[query] = least;
        joined[query] = least > own ? Joined::open : near.distance(0) == 0 ? Joined::copy : Joined::yes;
    }
    /// The first neighbour with which there is enough weight; where all points were looked at, and haven't, the last one; else -1.
    int last_within(Neighbours<T> const& near) const {
        double sum = 0;
        for (int i = 0; i < near.size(); ++i)
            if ((sum += weights[near.index(i)]) >= enough) return i;
        return std::size_t(near.size()) == points ? near.size() - 1 : -1;
    }
};

/// Looks at more and more neighbours of those queries that haven't had enough weight.
template <class T>
void join_with_more(HdbscanModel<T> const& model, Points<T> queries, JoinNearest<T> join,
                    std::size_t k) {
    std::vector<pos_t> some(queries.size);
    std::iota(some.begin(), some.end(), pos_t(0));
    for (;;) {
        std::erase_if(some, [&](pos_t i) { return join.joined[i] != Joined::more; });
        if (some.empty()) return;
        k = std::min(model.size(), 2 * k);
        auto const asked = rows_at(queries, std::span<pos_t const>(some));
        join.rows = some.data();
        (void)knn_visit(model.index(), Points<T>(asked.data(), some.size(), queries.dim), join,
                        {.k = index_t(k)});
    }
}

/// For open queries, whose neighbours are bounds so far, the best of all points: a walk over nodes.
template <class T>
void join_further(Cpu& cpu, HdbscanModel<T> const& model, Points<T> queries, std::span<pos_t const> open,
                  HdbscanPrediction<T>& out) {
    PreparedPoints<T, Cpu> const& points = model.index().points();
    std::size_t const n = open.size();
    auto const rows = rows_at(queries, open);
    auto brought = Preparation<T, Cpu>::bring(cpu, Points<T>(rows.data(), n, queries.dim), "queries",
                                              !points.period.empty());
    join(cpu, points, brought, "queries");
    auto const targets = build_targets(cpu, brought.points, points.tree, points.options);
    Buffer<T> bound(n), distance2(n);
    Buffer<pos_t> nearest(n);
    cpu.for_each(n, [&](std::size_t i) {
        T const length = out.distances[open[targets.input[i]]];
        bound[i] = smallest_square(T(points.unit.least(double(length))));
    });
    with_dim<void>(typename DimsFor<T, Cpu>::type{}, points.dim, [&]<int D>() {
        using Trait = NearestReachable<D, T>;
        Trait trait;
        trait.nearest = nearest.data();
        trait.distance2 = distance2.data();
        WalkInputs<Trait> inputs;
        inputs.target_payload.template column<0>() = bound.data();
        inputs.source_payload.template column<0>() = model.core_squares().data();
        CompiledWalk<Trait, Cpu>::run(cpu, trait, points.period, targets, points.tree, inputs);
    });
    cpu.for_each(n, [&](std::size_t i) {
        if (nearest[i] == no_pos) return;
        pos_t const query = open[targets.input[i]], row = points.tree.input[nearest[i]];
        out.neighbours[query] = row;
        out.distances[query] =
            std::max(model.core_distances()[row], points.unit.out(std::sqrt(distance2[i])));
    });
}

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

template <class T>
HdbscanPrediction<T> nothing_known(std::size_t n) {
    HdbscanPrediction<T> out{Buffer<index_t>(n), Buffer<double>(n), Buffer<double>(n),
                             Buffer<index_t>(n), Buffer<T>(n),      {}};
    std::fill(out.labels.begin(), out.labels.end(), -1);
    std::fill(out.probabilities.begin(), out.probabilities.end(), 0);
    std::fill(out.outlier_scores.begin(), out.outlier_scores.end(), 1);
    std::fill(out.neighbours.begin(), out.neighbours.end(), -1);
    std::fill(out.distances.begin(), out.distances.end(), infinity<T>);
    return out;
}

}  // namespace

template <class T>
HdbscanPrediction<T> predict_rows(HdbscanModel<T> const& model, Points<T> queries) {
    std::size_t const n = queries.size;
    auto out = nothing_known<T>(n);
    Buffer<Joined> joined(n);
    bool const weighted = !model.weights().empty();
    JoinNearest<T> const join{.core = model.core_distances().data(),
                              .points = model.size(),
                              .weights = weighted ? model.weights().data() : nullptr,
                              .enough = double(model.min_samples()),
                              .neighbour = out.neighbours.data(),
                              .distance = out.distances.data(),
                              .joined = joined.data()};
    // A model without points has no neighbours to show, but refuses bad queries as others do.
    std::size_t const asked = std::max<std::size_t>(1, std::size_t(model.min_samples())),
                      k = weighted ? std::min(asked, std::max<std::size_t>(1, model.size())) : asked;
    out.stats = knn_visit(model.index(), queries, join, {.k = index_t(k)});
    if (model.tree().clusters.empty()) return out;
    if (weighted) join_with_more(model, queries, join, k);
    std::vector<pos_t> open;
    for (std::size_t i = 0; i < n; ++i)
        if (joined[i] == Joined::open) open.push_back(pos_t(i));
    double const start = now_seconds();
    // A place of its own for what is shared by threads: it costs more than a few queries do.
    std::size_t const few = 1000;
    Cpu cpu = open.empty() && n <= few ? model.index().place() : model.index().place().apart();
    if (!open.empty()) cpu.run([&] { join_further<T>(cpu, model, queries, open, out); });
    out.stats.seconds.emplace_back("join", now_seconds() - start);
    out.stats.counts.emplace_back("open", open.size());
    cpu.for_each(n, [&](std::size_t i) {  // few: here
        place_query(model.tree(), i, joined[i] == Joined::copy, out);
    });
    return out;
}

#define ZWALK_PREDICT(T) template HdbscanPrediction<T> predict_rows(HdbscanModel<T> const&, Points<T>);
ZWALK_PREDICT(float)
ZWALK_PREDICT(double)

}}}  // namespace zwalk::v0::detail
