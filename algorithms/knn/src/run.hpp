// kNN for one compiled dimension: build, walk, hand over. Included by the generated instances only.
#pragma once
#include <chrono>

#include "job.hpp"
#include "meet.hpp"
#include "zwalk/knn/trait.hpp"
#include "zwalk/tree/joint.hpp"

namespace zwalk::inline v0::detail {

/// Space for kernels compiled for D axes: padded axes are open.
template <int D, class T>
Periodic<D, T> periodic_space(std::vector<T> const& period) {
    Periodic<D, T> space;
    for (std::size_t j = 0; j < D; ++j) space.box[j] = j < period.size() ? period[j] : infinity<T>;
    return space;
}

/// Above this dimension walks in open space run through the periodic kernels (with infinite periods):
/// two operations more per axis, half the kernels to compile.
inline constexpr int max_open_dim = 8;

template <int D, class T>
KnnResult<T> run_knn_here(KnnJob<T> const& job, Cpu const& cpu) {
    KnnOptions const& o = job.options;
    BuildSeconds built;
    std::vector<Points<T>> roles{job.sources};
    if (job.queries) roles.push_back(*job.queries);
    auto trees = build_joint<D, T>(cpu, std::span<Points<T> const>(roles), o.tree, &built);
    auto& sources = trees.front();
    auto& targets = trees.back();

    auto const start = std::chrono::steady_clock::now();
    KnnResult<T> r;
    r.rows = targets.size();
    r.columns = std::size_t(o.k);
    r.indices = Buffer<index_t>(r.rows * r.columns);
    r.distances = Buffer<T>(r.rows * r.columns);

    KnnRows<T> rows{r.columns, r.indices.data(), r.distances.data()};
    if (o.order == Order::input) {
        rows.row_of = targets.input.data();
        rows.source_of = sources.input.data();
    }
    Knn<D, T> trait(pos_t(std::min<std::size_t>(r.columns, std::max<pos_t>(1, sources.size()))),
                    rows);
    trait.exclude_self = o.exclude_self;
    Meeting const met = [&] {
        Open<D, T> const open;
        int const axes = job.sources.dim;
        if constexpr (D <= max_open_dim)
            if (job.period.empty()) return meet(trait, open, open, targets, sources, axes);
        auto const space = periodic_space<D>(job.period);
        if constexpr (D > max_open_dim)
            if (job.period.empty()) return meet(trait, space, open, targets, sources, axes);
        return meet(trait, space, space, targets, sources, axes);
    }();
    std::chrono::duration<double> const walked = std::chrono::steady_clock::now() - start;

    r.stats.seconds = {{"sort", built.sort},
                       {"planes", built.planes},
                       {"geometry", built.geometry},
                       {"walk", walked.count()}};
    r.stats.counts = {{"all_pairs", met.all_pairs},
                      {"node_entries", met.counts.node_entries},
                      {"leaf_entries", met.counts.leaf_entries},
                      {"peak_list_bytes", met.counts.peak_list_bytes},
                      {"leaves", sources.planes.empty() ? 0 : sources.planes.front().nodes()},
                      {"planes", sources.planes.size()}};
    if (o.order == Order::z) {
        r.source_order = job.queries ? std::move(sources.input) : sources.input;
        r.row_order = std::move(targets.input);
    }
    return r;
}

template <int D, class T>
KnnResult<T> run_knn(Cpu const& cpu, KnnJob<T> const& job) {
    return cpu.run([&] { return run_knn_here<D, T>(job, cpu); });
}

}  // namespace zwalk::inline v0::detail
