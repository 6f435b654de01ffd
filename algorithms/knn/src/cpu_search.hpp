// The k nearest on CPU threads, for one compiled dimension.
#pragma once
#include <span>

#include "zwalk/exec/result_buffer.hpp"
#include "zwalk/knn/memory.hpp"
#include "zwalk/knn/search.hpp"
#include "zwalk/nearest/rows.hpp"
#include "zwalk/run/nearest_of.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// How much memory queries need, and how they keep to the budget.
template <class T>
KnnMemory plan_of(Cpu const& cpu, RunPoints<T, Cpu> const& points, NearestAsked<T, Cpu> const& asked) {
    return knn_memory({.points = points->tree.size(),
                       .queries = asked.queries->points.size,
                       .dim = points->dim,
                       .k = asked.search.k,
                       .item_bytes = sizeof(T),
                       .order = asked.order,
                       .threads = cpu.threads(),
                       .memory_budget = cpu.memory_budget(),
                       .indexed = points.kept(),
                       .visited = bool(asked.visitor)});
}

template <int D, class T>
NearestFound<T, Cpu> NearestSearching::run(Cpu& cpu, RunPoints<T, Cpu>& points,
                                           NearestAsked<T, Cpu> const& asked) {
    auto* const queries = asked.queries;
    auto const& z_order = points->tree.input;
    auto const& some = asked.search.targets;
    pos_t const first_own = first_target(points->tree, some);
    auto const columns = std::size_t(asked.search.k);
    NearestFound<T, Cpu> r;
    r.rows = queries ? queries->points.size : end_of_targets(points->tree, some) - first_own;
    if (!asked.visitor) {
        r.indices = result_buffer<index_t>(cpu, r.rows * columns);
        r.distances = result_buffer<T>(cpu, r.rows * columns);
    }
    auto const rows_of = [&](std::span<pos_t const> row_of, std::size_t first) {
        NearestRows<T> rows{columns, r.indices.data(), r.distances.data()};
        rows.visitor = asked.visitor;
        if (!asked.visitor) rows.stream_large(r.rows);
        if (asked.order == Order::z) {
            rows.first_row = pos_t(first);
        } else {
            rows.row_of = row_of.data();
            rows.source_of = z_order.data();
        }
        return rows;
    };
    NearestOf<D, T, decltype(rows_of)> nearest(cpu, *points, asked.search, rows_of);
    if (!queries) nearest.for_points(some);
    else if (asked.way == IndexWay::here) nearest.for_few(queries->points);
    else nearest.for_queries(*queries, asked.way, plan_of(cpu, points, asked).batch_size);
    rows_of({}, 0).end_streams();
    r.stats = nearest.take_stats();
    if (asked.order == Order::z && !asked.visitor)
        r.row_order =
            queries ? std::move(queries->order) : copy_on(cpu, z_order.data() + first_own, r.rows);
    return r;
}

}}}  // namespace zwalk::v0::detail
