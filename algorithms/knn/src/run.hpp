// kNN for one compiled dimension: build, walk, hand over. Included by the generated instances only.
#pragma once
#include "../../common/dispatch.hpp"
#include "job.hpp"
#include "meet.hpp"
#include "tree_job.hpp"
#include "zwalk/knn/trait.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/joint.hpp"

namespace zwalk::inline v0::detail {

/// A result of which only the shape is known; without rows if somebody else wants them.
template <class T>
KnnResult<T> empty_result(std::size_t rows, index_t k, bool visited = false) {
    KnnResult<T> r;
    r.rows = rows;
    r.columns = std::size_t(k);
    if (visited) return r;
    r.indices = Buffer<index_t>(rows * r.columns);
    r.distances = Buffer<T>(rows * r.columns);
    return r;
}

/// Neighbours of all targets into `rows`, by a walk or by all pairs; the data has `axes` columns, and of
/// the options only exclude_self is looked at. Returns what it took. Call inside Cpu::run.
template <int D, class T>
Stats meet_into(Cpu const& cpu, KnnRows<T> const& rows, Tree<T, Cpu> const& targets,
                Tree<T, Cpu> const& sources, int axes, KnnOptions const& o,
                std::vector<T> const& period) {
    double const start = now_seconds();
    Knn<D, T> trait(attainable_k(rows.columns, sources.size()), rows);
    trait.exclude_self = o.exclude_self;
    Meeting const met = [&] {
        Open<D, T> const open;
        if constexpr (D <= max_open_dim)
            if (period.empty()) return meet(cpu, trait, open, open, targets, sources, axes);
        auto const space = periodic_space<D>(period);
        if constexpr (D > max_open_dim)
            if (period.empty()) return meet(cpu, trait, space, open, targets, sources, axes);
        return meet(cpu, trait, space, space, targets, sources, axes);
    }();
    return {{{"walk", now_seconds() - start}},
            {{"all_pairs", met.all_pairs},
             {"node_entries", met.counts.node_entries},
             {"leaf_entries", met.counts.leaf_entries},
             {"peak_list_bytes", met.counts.peak_list_bytes},
             {"started_again", met.counts.started_again},
             {"leaves", sources.planes.empty() ? 0 : sources.planes.front().nodes()},
             {"planes", sources.planes.size()}}};
}

/// Neighbours of all targets; for Order::z row_order and source_order are left to the caller.
template <int D, class T>
KnnResult<T> walk_knn(Cpu const& cpu, Tree<T, Cpu> const& targets, Tree<T, Cpu> const& sources, int axes,
                      KnnOptions const& o, std::vector<T> const& period,
                      KnnVisitor<T> const& visitor = {}) {
    auto r = empty_result<T>(targets.size(), o.k, bool(visitor));
    KnnRows<T> rows{r.columns, r.indices.data(), r.distances.data()};
    rows.visitor = visitor;
    if (o.order == Order::input) {
        rows.row_of = targets.input.data();
        rows.source_of = sources.input.data();
    }
    r.stats = meet_into<D>(cpu, rows, targets, sources, axes, o, period);
    return r;
}

template <int D, class T>
Stats visit_tree(Cpu const& cpu, Tree<T, Cpu> const& tree, int axes, KnnOptions const& options,
                 std::vector<T> const& period, KnnVisitor<T> const& visitor) {
    KnnOptions by_position = options;
    by_position.order = Order::z;
    return walk_knn<D, T>(cpu, tree, tree, axes, by_position, period, visitor).stats;
}

}  // namespace zwalk::inline v0::detail
