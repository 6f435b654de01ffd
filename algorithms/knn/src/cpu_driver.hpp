// Neighbours on CPU threads, for one compiled dimension.
#pragma once
#include <span>

#include "zwalk/knn/algorithm.hpp"
#include "zwalk/knn/memory.hpp"
#include "zwalk/nearest/rows.hpp"
#include "zwalk/run/nearest_of.hpp"

namespace zwalk::inline v0::detail {

/// How much memory queries need, and how they keep to the budget.
template <class T>
KnnMemory plan_of(Cpu const& cpu, RunPoints<T, Cpu> const& points, KnnSearch<T, Cpu> const& search) {
    return knn_memory({.points = points->tree.size(),
                       .queries = search.queries->points.size,
                       .dim = points->dim,
                       .k = search.options.k,
                       .item_bytes = sizeof(T),
                       .order = search.options.order,
                       .threads = cpu.threads(),
                       .memory_budget = cpu.memory_budget(),
                       .indexed = points.kept(),
                       .visited = bool(search.visitor)});
}

template <int D, class T>
KnnResult<T> KnnAlgorithm::run(Cpu& cpu, RunPoints<T, Cpu>& points, KnnSearch<T, Cpu> const& search) {
    KnnOptions const& o = search.options;
    auto* const queries = search.queries;
    auto const& z_order = points->tree.input;
    KnnResult<T> r;
    r.rows = queries ? queries->points.size
                     : end_of_targets(points->tree, search.targets) -
                           first_target(points->tree, search.targets);
    r.columns = std::size_t(o.k);
    if (!search.visitor) {
        r.indices = Buffer<index_t>(r.rows * r.columns);
        r.distances = Buffer<T>(r.rows * r.columns);
    }
    auto const rows_of = [&](std::span<pos_t const> row_of, std::size_t first) {
        NearestRows<T> rows{r.columns, r.indices.data(), r.distances.data()};
        rows.visitor = search.visitor;
        if (o.order == Order::z) {
            rows.first_row = pos_t(first);
        } else {
            rows.row_of = row_of.data();
            rows.source_of = z_order.data();
        }
        return rows;
    };
    NearestOf<D, T, decltype(rows_of)> nearest(cpu, *points, {o.k, o.exclude_self, o.within}, rows_of);
    if (!queries) nearest.for_points(search.targets);
    else if (search.way == IndexWay::here) nearest.for_few(queries->points);
    else nearest.for_queries(*queries, search.way, plan_of(cpu, points, search).batch_size);
    r.stats = nearest.take_stats();
    if (o.order == Order::input || search.visitor) return r;
    r.row_order =
        queries ? std::move(queries->order)
                : copy_on(cpu, z_order.data() + first_target(points->tree, search.targets), r.rows);
    if (!points.kept()) r.source_order = points.take_order(cpu);
    return r;
}

}  // namespace zwalk::inline v0::detail
