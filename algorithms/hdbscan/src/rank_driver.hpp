// hdbscan() on MPI ranks: the tree from all of them, wherever it is grown, cut on rank 0.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "checks.hpp"
#include "cut.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/ranks/points.hpp"
#include "zwalk/run/phases.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Checks that rank 0 can make the hierarchy of all points. Not collective.
/// @param weight  of all points, 0: they have none
inline void check_first_rank(std::uint64_t points, HdbscanOptions const& o, double weight) {
    if (points > max_points)
        throw InputError(
            detail::text("{} points are too many for a hierarchy, which one rank makes: at most {}",
                         points, max_points));
    double const needed = double(cluster_bytes(points, o.min_cluster_size, weight)),
                 free = double(available_memory());
    if (needed > free)
        throw Error(
            detail::text("the clusters of {} points are made on one rank, where they need about "
                         "{:.3g} GB of memory, and {:.3g} GB are free: use fewer points, or give "
                         "rank 0 a larger machine",
                         points, needed / 1e9, free / 1e9));
}

inline char const* name_of(Selection method) {
    return method == Selection::eom ? "eom" : method == Selection::leaf ? "leaf" : "persistent";
}

/// Refuses what can't be done, on all ranks, and returns the options of the tree. Collective.
/// @param weight  as for check_first_rank()
inline EmstOptions agreed_tree_options(Comm& comm, std::uint64_t points, HdbscanOptions const& o,
                                       double weight) {
    agree_on(comm, {{"min_cluster_size", o.min_cluster_size},
                    {"min_samples", o.min_samples},
                    {"the selection", name_of(o.select.method)},
                    {"epsilon", o.select.epsilon},
                    {"max_cluster_size", o.select.max_cluster_size},
                    {"allow_single_cluster", o.select.allow_single_cluster},
                    {"epsilon_max", o.select.epsilon_max},
                    {"persistence", o.select.persistence}});
    return comm.agree([&] {
        check_options(o);
        if (comm.rank() == 0) check_first_rank(points, o, weight);
        return tree_options(points, o);
    });
}

/// All that ranks have, `own` records of this one, goes to rank 0, in their order. Collective.
inline Routes routes_to_first(Comm& comm, std::uint64_t own) {
    return comm.routes([&]() noexcept {
        std::vector<std::uint64_t> sent(std::size_t(comm.size()) + 1, own);
        sent[0] = 0;
        return sent;
    }());
}

/// Values become those that the routes bring. Collective.
template <class V>
void send(Comm& comm, Routes const& routes, Buffer<V>& values, std::size_t width = 1) {
    values = comm.exchange(routes, std::span<V const>(values), width);
}

/// The weight of the points of all ranks, 0 if they have none. Refuses bad weights on all ranks. Collective.
inline double weight_of_all(Comm& comm, std::size_t rows, HdbscanOptions const& o) {
    if (!comm.reduce_all(!o.weights.empty(), std::logical_or<>())) return 0;
    check_rows(comm, rows, [&](std::uint64_t first) { check_weights(rows, o.weights, first); });
    return comm.reduce_all(weight_of(o), std::plus<>());
}

/// Of all points with weights what rank 0 needs of each, by row: on other ranks nothing. Collective.
template <class T>
struct WeightsOnFirst {
    Buffer<double> weights;
    Buffer<T> cores;

    /// @param own  core distances of this rank's rows; empty: they are 0
    WeightsOnFirst(Comm& comm, std::span<double const> own_weights, Buffer<T> const& own) {
        auto const step = comm.step("gather");
        std::size_t const rows = own_weights.size();
        comm.attempt([&] {
            weights = Buffer<double>(rows);
            cores = Buffer<T>(rows);
            std::copy(own_weights.begin(), own_weights.end(), weights.begin());
            if (own.size() == rows) std::copy(own.begin(), own.end(), cores.begin());
            else std::fill(cores.begin(), cores.end(), T(0));
        });
        auto const routes = routes_to_first(comm, rows);
        send(comm, routes, weights);
        send(comm, routes, cores);
    }
};

/// Rank 0 gets all edges. The rest stays where it is. Collective.
template <class T>
EmstResult<T> gathered(Comm& comm, EmstResult<T, Mpi>&& part) {
    auto const step = comm.step("gather");
    auto const routes = routes_to_first(comm, part.lengths.size());
    send(comm, routes, part.edges, 2);
    send(comm, routes, part.lengths);
    return {std::move(part.edges), std::move(part.lengths), std::move(part.core_distances), 0,
            std::move(part.stats)};
}

/// Adds what steps have cost to that of steps of the same names.
inline void add(std::vector<StepStats>& all, std::vector<StepStats> const& more) {
    for (StepStats const& s : more) {
        auto const same = std::find_if(all.begin(), all.end(), [&](StepStats const& known) {
            return std::strcmp(known.name, s.name) == 0;
        });
        StepStats& sum = same == all.end() ? all.emplace_back(StepStats{s.name}) : *same;
        sum.collectives += s.collectives;
        sum.messages += s.messages;
        sum.bytes += s.bytes;
    }
}

/// Collective.
/// @param rows     that this rank passes
/// @param tree_of  tree_of(options, weighted) is emst() of the points, or where these have weights that with them
/// @param cut_by   cut_by(points, tree, options) is cut(), on rank 0; not collective
template <class TreeOf, class CutBy>
auto hdbscan_on(Comm& comm, std::size_t rows, HdbscanOptions const& o, Cpu const& cpu,
                TreeOf const& tree_of, CutBy const& cut_by) {
    std::uint64_t const points = comm.offsets(rows).back();
    double const weight = weight_of_all(comm, rows, o);
    auto part = tree_of(agreed_tree_options(comm, points, o, weight), weight > 0);
    using T = std::remove_cvref_t<decltype(part.lengths[0])>;
    RunPhases phases(cpu);
    auto tree = gathered(comm, std::move(part));
    std::optional<WeightsOnFirst<T>> all;
    if (weight > 0) all.emplace(comm, o.weights, tree.core_distances);
    auto found = comm.agree([&] {
        phases.end(tree.stats, "gather");
        if (comm.rank() == 0 && !all) return cut_by(points, std::move(tree), o);
        if (comm.rank() == 0) {
            auto own = std::exchange(tree.core_distances, std::move(all->cores));
            HdbscanOptions with_all = o;
            with_all.weights = all->weights;
            auto r = cut_by(points, std::move(tree), with_all);
            r.core_distances = std::move(own);
            return r;
        }
        HdbscanResult<T> none;
        none.core_distances = std::move(tree.core_distances);
        none.stats = std::move(tree.stats);
        return none;
    });
    found.clusters = comm.broadcast(std::uint64_t(found.size()));
    RunPhases last(cpu);
    auto const step = comm.step("scatter");
    auto const routes = routes_to_first(comm, rows).back();
    send(comm, routes, found.labels);
    send(comm, routes, found.probabilities);
    send(comm, routes, found.outlier_scores);
    comm.agree([&] {
        last.end(found.stats, "scatter");
        add(found.stats.steps, comm.stats());
    });
    return found;
}

}}}  // namespace zwalk::v0::detail
