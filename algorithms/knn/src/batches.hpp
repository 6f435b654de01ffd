// kNN of separate queries in batches, for a small memory budget. Included by the generated
// instances only.
#pragma once
#include <numeric>

#include "run.hpp"
#include "zwalk/knn/memory.hpp"
#include "zwalk/tree/targets.hpp"
#include "zwalk/zorder/sort.hpp"

namespace zwalk::inline v0::detail {

/// The rows order[begin, end) of `points`, one behind the other.
template <class T>
Buffer<T> gather_rows(Points<T> points, std::span<pos_t const> order) {
    auto const dim = std::size_t(points.dim);
    Buffer<T> rows(order.size() * dim);
    parallel_for(order.size(), 1 << 12, [&](std::size_t i, std::size_t end) {
        for (; i < end; ++i)
            std::copy_n(points.data + std::size_t(order[i]) * dim, dim, rows.data() + i * dim);
    });
    return rows;
}

/// Adds the stats of a further batch: phases and numbers of entries add up, what says "peak" or
/// describes the sources' tree is the largest.
inline void add_batch(Stats& all, Stats const& batch) {
    if (all.counts.empty()) {
        all = batch;
        return;
    }
    for (std::size_t i = 0; i < batch.seconds.size(); ++i)
        all.seconds[i].second += batch.seconds[i].second;
    for (std::size_t i = 0; i < batch.counts.size(); ++i) {
        auto& [name, count] = all.counts[i];
        std::uint64_t const more = batch.counts[i].second;
        count = name.ends_with("_entries") ? count + more : std::max(count, more);
    }
}

/// Queries of a batch are neighbours on the z-order curve: they meet few nodes, and rows in z-order
/// come out in one piece. Sorting a part of the curve again keeps its order, so a row is the same
/// whatever the batches.
template <int D, class T>
KnnResult<T> run_batches(Cpu const& cpu, KnnJob<T> const& job, TreeOptions const& tree,
                         std::size_t batch_size) {
    return cpu.run([&] {
        KnnOptions const& o = job.options;
        Points<T> const queries = *job.queries;
        BuildSeconds built;
        double const start = now_seconds();
        auto order = z_sort(cpu, queries, tree.sort_in_place);
        built.sort += now_seconds() - start;
        auto sources = build<D, T>(cpu, job.sources, tree, &built);
        auto r = empty_result<T>(queries.size, o.k, bool(job.visitor));
        std::size_t begin = 0;
        do {  // also without queries, to report on the tree
            std::size_t const end = std::min(queries.size, begin + batch_size);
            auto const part = std::span<pos_t const>(order).subspan(begin, end - begin);
            auto const gathered = gather_rows(queries, part);
            auto targets = build_targets<D, T>(
                cpu, Points<T>(gathered.data(), part.size(), queries.dim), sources, tree, &built);
            KnnRows<T> rows{r.columns, r.indices.data(), r.distances.data()};
            rows.visitor = job.visitor;
            if (o.order == Order::input) {
                for (pos_t& row : targets.input) row = part[row];
                rows.row_of = targets.input.data();
                rows.source_of = sources.input.data();
            } else if (job.visitor) {
                std::iota(targets.input.begin(), targets.input.end(), pos_t(begin));
                rows.row_of = targets.input.data();
            } else {
                rows.indices += begin * r.columns;
                rows.distances += begin * r.columns;
            }
            add_batch(r.stats, meet_into<D>(rows, targets, sources, queries.dim, o, job.period));
            begin = end;
        } while (begin < queries.size);
        add_build(r.stats, built);
        if (o.order == Order::z) {
            r.row_order = std::move(order);
            r.source_order = std::move(sources.input);
        }
        return r;
    });
}

/// knn() on one compiled dimension, within the budget.
template <int D, class T>
KnnResult<T> run_knn(Cpu const& cpu, KnnJob<T> const& job) {
    KnnOptions const& o = job.options;
    KnnTask task{.points = job.sources.size,
                 .dim = job.sources.dim,
                 .k = job.visitor ? 0 : o.k,  // nothing is kept
                 .item_bytes = sizeof(T),
                 .order = o.order,
                 .threads = cpu.threads(),
                 .memory_budget = o.memory_budget};
    if (job.queries) task.queries = job.queries->size;
    KnnMemory const plan = knn_memory(task);
    TreeOptions tree = o.tree;
    tree.sort_in_place |= plan.sort_in_place;
    auto r = plan.one_tree ? run_joint<D, T>(cpu, job, tree)
                           : run_batches<D, T>(cpu, job, tree, plan.batch_size);
    r.stats.counts.emplace_back("batches", plan.batches);
    return r;
}

}  // namespace zwalk::inline v0::detail
