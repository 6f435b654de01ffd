// Separate queries meet a tree, in batches if memory is short. Included by the generated instances
// only.
#pragma once
#include <numeric>
#include <span>

#include "run.hpp"
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

/// Adds the stats of a further batch: phases, entries and targets add up, what says "peak" or
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
        bool const adds_up = name.ends_with("_entries") || name == "started_again";
        count = adds_up ? count + more : std::max(count, more);
    }
}

/// Queries, and how they are taken.
template <class T>
struct BatchedQueries {
    Points<T> points;
    std::span<pos_t const> order;  ///< z-order of the points
    std::size_t batch_size;
    TreeOptions tree;
};

/// Queries `part` of all, in a tree that is cut to fit that of the sources.
template <class T>
Tree<T, Cpu> tree_of(Cpu const& cpu, BatchedQueries<T> const& queries, std::span<pos_t const> part,
                     Tree<T, Cpu> const& sources, BuildSeconds& built) {
    auto const rows = gather_rows(queries.points, part);
    return build_targets(cpu, Points<T>(rows.data(), part.size(), queries.points.dim), sources,
                         queries.tree, &built, true);
}

/// Neighbours of one batch, `targets`, the queries `part` of all, which begin with number `begin` in their
/// z-order. Writes to r, or calls the visitor.
template <int D, class T>
Stats meet_batch(Cpu const& cpu, KnnResult<T>& r, Tree<T, Cpu>& targets, std::span<pos_t const> part,
                 std::size_t begin, Tree<T, Cpu> const& sources, int axes, KnnOptions const& o,
                 std::vector<T> const& period, KnnVisitor<T> const& visitor) {
    KnnRows<T> rows{r.columns, r.indices.data(), r.distances.data()};
    rows.visitor = visitor;
    if (o.order == Order::input) {
        rows.row_of = part.data();
        rows.source_of = sources.input.data();
    } else if (visitor) {
        std::iota(targets.input.begin(), targets.input.end(), pos_t(begin));
        rows.row_of = targets.input.data();
    } else {
        rows.indices += begin * r.columns;
        rows.distances += begin * r.columns;
    }
    return meet_into<D>(cpu, rows, targets, sources, axes, o, period);
}

/// Neighbours of all queries; row_order and source_order are left to the caller. Call inside Cpu::run.
///
/// Queries of a batch are neighbours on the z-order curve: they meet few nodes, and rows in z-order
/// come out in one piece. A row is the same whatever the batches.
template <int D, class T>
KnnResult<T> meet_batches(Cpu const& cpu, BatchedQueries<T> const& queries, Tree<T, Cpu> const& sources,
                          KnnOptions const& o, std::vector<T> const& period,
                          KnnVisitor<T> const& visitor, BuildSeconds& built) {
    std::size_t const size = queries.points.size;
    auto r = empty_result<T>(size, o.k, bool(visitor));
    std::size_t begin = 0;
    do {  // also without queries, to report on the tree
        std::size_t const end = std::min(size, begin + queries.batch_size);
        auto const part = queries.order.subspan(begin, end - begin);
        auto targets = tree_of(cpu, queries, part, sources, built);
        add_batch(r.stats, meet_batch<D, T>(cpu, r, targets, part, begin, sources, queries.points.dim, o,
                                            period, visitor));
        begin = end;
    } while (begin < size);
    return r;
}

/// The z-order of queries; adds the time to `built`.
template <class T>
Buffer<pos_t> order_of(Cpu const& cpu, Points<T> queries, BuildSeconds& built) {
    double const start = now_seconds();
    auto order = z_sort(cpu, queries);
    built.sort += now_seconds() - start;
    return order;
}

}  // namespace zwalk::inline v0::detail
