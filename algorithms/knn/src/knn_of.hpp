// knn() on one compiled dimension, within the budget. Included by the generated instances only.
#pragma once
#include "batches.hpp"
#include "zwalk/knn/memory.hpp"

namespace zwalk::inline v0::detail {

template <class T>
KnnMemory plan_of(Cpu const& cpu, KnnJob<T> const& job) {
    KnnTask task{.points = job.sources.size,
                 .dim = job.sources.dim,
                 .k = job.options.k,
                 .item_bytes = sizeof(T),
                 .order = job.options.order,
                 .threads = cpu.threads(),
                 .memory_budget = job.options.memory_budget,
                 .visited = bool(job.visitor)};
    if (job.queries) task.queries = job.queries->size;
    return knn_memory(task);
}

/// Queries have a tree of their own, cut to fit that of the points: a tree of both would be larger, and
/// not faster.
template <int D, class T>
KnnResult<T> run_knn(Cpu const& cpu, KnnJob<T> const& job) {
    return cpu.run([&] {
        KnnOptions const& o = job.options;
        KnnMemory const plan = plan_of(cpu, job);
        BuildSeconds built;
        Buffer<pos_t> order;
        if (job.queries) order = order_of(cpu, *job.queries, built);
        auto sources = build_tree(cpu, job.sources, D, o.tree, &built);
        auto r = job.queries ? meet_batches<D, T>(cpu, {*job.queries, order, plan.batch_size, o.tree},
                                                  sources, o, job.period, job.visitor, built)
                             : walk_knn<D, T>(cpu, sources, sources, job.sources.dim, o, job.period,
                                              job.visitor);
        add_build(r.stats, built);
        r.stats.counts.emplace_back("batches", plan.batches);
        if (o.order == Order::z) {
            r.row_order =
                job.queries ? std::move(order) : copy_on(cpu, sources.input.data(), sources.size());
            r.source_order = std::move(sources.input);
        }
        return r;
    });
}

}  // namespace zwalk::inline v0::detail
