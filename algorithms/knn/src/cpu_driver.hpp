// Neighbours on CPU threads, for one compiled dimension: by walks, by descents, or all with all.
#pragma once
#include <numeric>
#include <span>

#include "batches.hpp"
#include "driver.hpp"
#include "zwalk/knn/memory.hpp"
#include "zwalk/knn/rows.hpp"
#include "zwalk/nearest/descent.hpp"
#include "zwalk/nearest/meet.hpp"
#include "zwalk/nearest/ways.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/targets.hpp"
#include "zwalk/zorder/sort.hpp"

namespace zwalk::inline v0::detail {

/// Queries that one task answers.
inline constexpr std::size_t descents_per_task = 64;

/// A search in points that are there.
template <int D, class T>
class CpuSearch {
  public:
    CpuSearch(PreparedPoints<T, Cpu> const& points, KnnSearch<T, Cpu> const& search)
        : points_(points), sources_(points.tree), o_(search.options), visitor_(search.visitor) {}

    /// Of all points among themselves.
    KnnResult<T> self(Cpu const& cpu) const {
        auto r = empty(sources_.size());
        auto rows = rows_of(r);
        if (o_.order == Order::input) rows.row_of = sources_.input.data();
        r.stats = meet_into(cpu, rows, sources_);
        r.stats.counts.emplace_back("batches", 1);
        return r;
    }

    /// A few queries on the calling thread, in the order of input.
    KnnResult<T> descend_here(Points<T> queries) const {
        auto r = empty(queries.size);
        with_space<D>(points_.period, [&](auto const& space) {
            answer(space, queries, 0, queries.size, nullptr, rows_of(r));
        });
        return r;
    }

    /// Many queries. Call inside Cpu::run.
    KnnResult<T> answer(Cpu const& cpu, Points<T> queries, Buffer<pos_t> const& order, IndexWay way,
                        KnnMemory const& plan, double& building) const {
        if (way == IndexWay::walk) {
            auto r = walk(cpu, queries, order, plan.batch_size, building);
            r.stats.counts.emplace_back("batches", plan.batches);
            return r;
        }
        if constexpr (D > walked_dims)
            if (way == IndexWay::ask && plan.batches == 1)
                return meet_if_dense(cpu, queries, order, building);
        return descend(queries, order);
    }

  private:
    /// A result of which only the shape is known; without rows if a visitor wants them.
    KnnResult<T> empty(std::size_t rows) const {
        KnnResult<T> r;
        r.rows = rows;
        r.columns = std::size_t(o_.k);
        if (visitor_) return r;
        r.indices = Buffer<index_t>(rows * r.columns);
        r.distances = Buffer<T>(rows * r.columns);
        return r;
    }
    /// Where neighbours go; which row is whose is the caller's.
    KnnRows<T> rows_of(KnnResult<T>& r) const {
        KnnRows<T> rows{r.columns, r.indices.data(), r.distances.data()};
        if (o_.order == Order::input) rows.source_of = sources_.input.data();
        rows.visitor = visitor_;
        return rows;
    }

    /// Neighbours of all targets into `rows`, by a walk or by all pairs. Returns what it took.
    Stats meet_into(Cpu const& cpu, KnnRows<T> const& rows, Tree<T, Cpu> const& targets) const {
        double const start = now_seconds();
        Nearest<D, T, KnnRows<T>> trait(attainable_k(rows.columns, sources_.size()), rows);
        trait.exclude_self = o_.exclude_self;
        Meeting const met = [&] {
            auto const& period = points_.period;
            Open<D, T> const open;
            if constexpr (D <= max_open_dim)
                if (period.empty()) return meet(cpu, trait, open, open, targets, sources_, points_.dim);
            auto const space = periodic_space<D>(period);
            if constexpr (D > max_open_dim)
                if (period.empty()) return meet(cpu, trait, space, open, targets, sources_, points_.dim);
            return meet(cpu, trait, space, space, targets, sources_, points_.dim);
        }();
        return {{{"walk", now_seconds() - start}},
                {{"all_pairs", met.all_pairs},
                 {"node_entries", met.counts.node_entries},
                 {"leaf_entries", met.counts.leaf_entries},
                 {"peak_list_bytes", met.counts.peak_list_bytes},
                 {"started_again", met.counts.started_again},
                 {"leaves", sources_.planes.empty() ? 0 : sources_.planes.front().nodes()},
                 {"planes", sources_.planes.size()}}};
    }

    /// Queries `part` of all, in a tree that is cut to fit that of the sources.
    Tree<T, Cpu> tree_of(Cpu const& cpu, Points<T> queries, std::span<pos_t const> part,
                         double& building) const {
        double const start = now_seconds();
        auto const rows = gather_rows(queries, part);
        auto tree = build_targets(cpu, Points<T>(rows.data(), part.size(), queries.dim), sources_,
                                  points_.options, nullptr, true);
        building += now_seconds() - start;
        return tree;
    }

    /// Neighbours of one batch, `targets`, the queries `part` of all, which begin with number `begin` in
    /// their z-order. Writes to r, or calls the visitor.
    Stats meet_batch(Cpu const& cpu, KnnResult<T>& r, Tree<T, Cpu>& targets, std::span<pos_t const> part,
                     std::size_t begin) const {
        KnnRows<T> rows = rows_of(r);
        if (o_.order == Order::input) {
            rows.row_of = part.data();
        } else if (visitor_) {
            std::iota(targets.input.begin(), targets.input.end(), pos_t(begin));
            rows.row_of = targets.input.data();
        } else {
            rows.indices += begin * r.columns;
            rows.distances += begin * r.columns;
        }
        return meet_into(cpu, rows, targets);
    }

    /// Queries have a tree of their own, cut to fit that of the points: a tree of both would be larger, and
    /// not faster. In batches if memory is short.
    ///
    /// Queries of a batch are neighbours on the z-order curve: they meet few nodes, and rows in z-order
    /// come out in one piece. A row is the same whatever the batches.
    KnnResult<T> walk(Cpu const& cpu, Points<T> queries, std::span<pos_t const> order,
                      std::size_t batch_size, double& building) const {
        auto r = empty(queries.size);
        std::size_t begin = 0;
        do {  // also without queries, to report on the tree
            std::size_t const end = std::min(queries.size, begin + batch_size);
            auto const part = order.subspan(begin, end - begin);
            auto targets = tree_of(cpu, queries, part, building);
            add_batch(r.stats, meet_batch(cpu, r, targets, part, begin));
            begin = end;
        } while (begin < queries.size);
        return r;
    }

    /// All pairs if the lists of these queries would be dense, else descents.
    KnnResult<T> meet_if_dense(Cpu const& cpu, Points<T> queries, Buffer<pos_t> const& order,
                               double& building) const {
        auto targets = tree_of(cpu, queries, order, building);
        Nearest<D, T, KnnRows<T>> const trait(attainable_k(std::size_t(o_.k), sources_.size()));
        bool const dense = with_space<D>(points_.period, [&](auto const& space) {
            return lists_are_dense(trait, space, targets, sources_, points_.dim);
        });
        if (!dense) return descend(queries, order);
        auto r = empty(queries.size);
        r.stats = meet_batch(cpu, r, targets, order, 0);
        return r;
    }

    /// Queries in z-order, so that one finds in the cache what the one before has looked at.
    KnnResult<T> descend(Points<T> queries, Buffer<pos_t> const& order) const {
        double const start = now_seconds();
        auto r = empty(queries.size);
        auto const rows = rows_of(r);
        with_space<D>(points_.period, [&](auto const& space) {
            parallel_for(queries.size, descents_per_task, [&](std::size_t begin, std::size_t end) {
                answer(space, queries, begin, end, order.data(), rows);
            });
        });
        r.stats.seconds = {{"descent", now_seconds() - start}};
        return r;
    }

    /// Queries order[begin, end), or [begin, end) without an order, one by one.
    template <class Space>
    void answer(Space const& space, Points<T> queries, std::size_t begin, std::size_t end,
                pos_t const* order, KnnRows<T> const& rows) const {
        Descent<D, T, Space> descent(sources_, space, attainable_k(rows.columns, sources_.size()));
        struct Row {
            pos_t index;
        };
        for (std::size_t i = begin; i < end; ++i) {
            std::size_t const query = order ? order[i] : i;
            auto const best =
                descent.nearest(queries.data + query * std::size_t(queries.dim), queries.dim);
            rows(Row{pos_t(o_.order == Order::input ? query : i)}, best);
        }
    }

    PreparedPoints<T, Cpu> const& points_;
    Tree<T, Cpu> const& sources_;
    KnnOptions const& o_;
    KnnVisitor<T> const& visitor_;
};

/// How much memory the search needs, and how it keeps to its budget.
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

/// Neighbours of queries; row_order is their z-order.
template <int D, class T>
KnnResult<T> answer_queries(Cpu const& cpu, RunPoints<T, Cpu> const& points,
                            KnnSearch<T, Cpu> const& search, IndexWay way) {
    auto& [queries, order, seconds] = *search.queries;
    KnnMemory const plan = plan_of(cpu, points, search);
    if (order.size() < queries.size) {
        double const start = now_seconds();
        order = z_sort(cpu, queries);
        seconds += now_seconds() - start;
    }
    auto r = CpuSearch<D, T>(*points, search).answer(cpu, queries, order, way, plan, seconds);
    r.stats.seconds.insert(r.stats.seconds.begin(), {"queries", seconds});
    if (search.options.order == Order::z) r.row_order = std::move(order);
    return r;
}

template <int D, class T>
KnnResult<T> find_neighbours(std::integral_constant<int, D>, Cpu& cpu, RunPoints<T, Cpu>& points,
                             KnnSearch<T, Cpu> const& search) {
    CpuSearch<D, T> const here(*points, search);
    bool const z_order = search.options.order == Order::z;
    KnnResult<T> r;
    if (!search.queries) {
        r = cpu.run([&] { return here.self(cpu); });
        if (z_order && !search.visitor)
            r.row_order = copy_on(cpu, points->tree.input.data(), points->tree.size());
    } else {
        Points<T> const queries = search.queries->points;
        // An index may have something faster than a walk.
        IndexWay const way =
            points.kept() ? index_way(queries.size, points->tree.size(), D) : IndexWay::walk;
        if (queries.size <= single_up_to(D) && !z_order && way == IndexWay::descents)
            return here.descend_here(queries);
        // Threads of its own: callers that ask one index at once needn't wait for each other.
        Cpu const own = points.kept() ? cpu.apart() : cpu;
        r = own.run([&] { return answer_queries<D>(own, points, search, way); });
    }
    if (z_order && !search.visitor && !points.kept()) r.source_order = points.take_order(cpu);
    return r;
}

}  // namespace zwalk::inline v0::detail
