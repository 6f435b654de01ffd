// hdbscan() on MPI ranks: the tree from all of them, wherever it is grown, cut on rank 0.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "checks.hpp"
#include "cut.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/run/phases.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Checks that rank 0 can make the hierarchy of all points. Not collective.
inline void check_first_rank(std::uint64_t points, HdbscanOptions const& o) {
    if (points > max_points)
        throw InputError(
            fmt::format("{} points are too many for a hierarchy, which one rank makes: at most {}",
                        points, max_points));
    double const needed = double(cluster_bytes(points, o)), free = double(available_memory());
    if (needed > free)
        throw Error(
            fmt::format("the clusters of {} points are made on one rank, where they need about "
                        "{:.3g} GB of memory, and {:.3g} GB are free: use fewer points, or give "
                        "rank 0 a larger machine",
                        points, needed / 1e9, free / 1e9));
}

inline char const* name_of(Selection method) {
    return method == Selection::eom ? "eom" : method == Selection::leaf ? "leaf" : "persistent";
}

/// Refuses what can't be done, on all ranks, and returns the options of the tree. Collective.
inline EmstOptions agreed_tree_options(Comm& comm, std::uint64_t points, HdbscanOptions const& o) {
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
        if (!o.weights.empty())
            throw InputError(
                "points with weights are clustered in one process, not on ranks: leave out the weights, "
                "or "
                "the ranks");
        if (comm.rank() == 0) check_first_rank(points, o);
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
/// @param tree_of  tree_of(options) is emst() of the points
template <class TreeOf>
auto hdbscan_on(Comm& comm, std::size_t rows, HdbscanOptions const& o, Cpu const& cpu,
                TreeOf const& tree_of) {
    std::uint64_t const points = comm.offsets(rows).back();
    auto part = tree_of(agreed_tree_options(comm, points, o));
    using T = std::remove_cvref_t<decltype(part.lengths[0])>;
    RunPhases phases(cpu);
    auto tree = gathered(comm, std::move(part));
    auto found = comm.agree([&] {
        phases.end(tree.stats, "gather");
        if (comm.rank() == 0) return cut(points, std::move(tree), o, cpu);
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
