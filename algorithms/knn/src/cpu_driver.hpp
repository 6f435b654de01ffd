// Neighbours on CPU threads, for one compiled dimension: by walks, by descents, or all with all.
#pragma once
#include <span>

#include "zwalk/knn/algorithm.hpp"
#include "zwalk/knn/memory.hpp"
#include "zwalk/knn/rows.hpp"
#include "zwalk/nearest/descent.hpp"
#include "zwalk/nearest/meet.hpp"
#include "zwalk/run/instance.hpp"

namespace zwalk::inline v0::detail {

/// Queries that one task answers.
inline constexpr std::size_t descents_per_task = 64;

/// A search in points that are there.
template <int D, class T>
class CpuKnn {
  public:
    CpuKnn(Cpu const& cpu, RunPoints<T, Cpu> const& points, KnnSearch<T, Cpu> const& search)
        : cpu_(cpu),
          kept_(points.kept()),
          points_(*points),
          sources_(points->tree),
          search_(search),
          in_input_order_(search.options.order == Order::input),
          k_(attainable_k(std::size_t(search.options.k), sources_.size())) {
        r_.rows = search.queries ? search.queries->points.size : sources_.size();
        r_.columns = std::size_t(search.options.k);
        if (!search.visitor) {
            r_.indices = Buffer<index_t>(r_.rows * r_.columns);
            r_.distances = Buffer<T>(r_.rows * r_.columns);
        }
        rows_ = {r_.columns, r_.indices.data(), r_.distances.data()};
        rows_.visitor = search.visitor;
        if (in_input_order_) rows_.source_of = sources_.input.data();
    }

    /// Of all points among themselves.
    KnnResult<T> self() {
        meet_into(sources_, sources_.input);
        report_meeting(1);
        return std::move(r_);
    }

    /// A few queries as they come, on the calling thread.
    KnnResult<T> answer_here() {
        descend(search_.queries->points, nullptr, 0, r_.rows);
        return std::move(r_);
    }

    /// Queries that are sorted.
    KnnResult<T> answer() {
        KnnMemory const plan = plan_of_queries();
        if (search_.way == IndexWay::walk) walk_in_batches(plan);
        else if (search_.way == IndexWay::descents || plan.batches > 1 || !meet_if_dense()) descend();
        auto& seconds = r_.stats.seconds;
        seconds.insert(seconds.begin(), {"queries", search_.queries->sorting + building_});
        return std::move(r_);
    }

  private:
    /// How much memory queries need, and how they keep to the budget.
    [[nodiscard]] KnnMemory plan_of_queries() const {
        return knn_memory({.points = sources_.size(),
                           .queries = r_.rows,
                           .dim = points_.dim,
                           .k = search_.options.k,
                           .item_bytes = sizeof(T),
                           .order = search_.options.order,
                           .threads = cpu_.threads(),
                           .memory_budget = cpu_.memory_budget(),
                           .indexed = kept_,
                           .visited = bool(search_.visitor)});
    }

    [[nodiscard]] Nearest<D, T, KnnRows<T>> trait(KnnRows<T> const& rows) const {
        Nearest<D, T, KnnRows<T>> trait(k_, rows);
        trait.exclude_self = search_.options.exclude_self;
        return trait;
    }

    /// Neighbours of all targets, by a walk or by all pairs.
    /// @param row_of  row of each target in the input
    /// @param first   row of the first one in z-order
    void meet_into(Tree<T, Cpu> const& targets, std::span<pos_t const> row_of, std::size_t first = 0) {
        double const start = now_seconds();
        KnnRows<T> rows = rows_;
        if (in_input_order_) rows.row_of = row_of.data();
        else rows.first_row = pos_t(first);
        met_.add(meet(cpu_, trait(rows), points_.period, targets, sources_, points_.dim));
        meeting_ += now_seconds() - start;
    }

    /// A tree of queries that is cut to fit that of the points: a tree of both would be larger, and not faster.
    Tree<T, Cpu> tree_of(std::span<pos_t const> part) {
        double const start = now_seconds();
        auto tree = tree_of_queries(cpu_, search_.queries->points, part, points_);
        building_ += now_seconds() - start;
        return tree;
    }

    /// In batches if memory is short. Queries of a batch are neighbours on the z-order curve: they meet few nodes, and
    /// rows in z-order come out in one piece. A row is the same whatever the batches.
    void walk_in_batches(KnnMemory const& plan) {
        std::span<pos_t const> const order = search_.queries->order;
        std::size_t begin = 0;
        do {  // also without queries, to report on the tree
            auto const part = order.subspan(begin, std::min(order.size() - begin, plan.batch_size));
            meet_into(tree_of(part), part, begin);
            begin += part.size();
        } while (begin < order.size());
        report_meeting(plan.batches);
    }

    /// All pairs if the lists of the queries would be dense. Returns if it was so.
    bool meet_if_dense() {
        if constexpr (D > walked_dims) {
            auto const& order = search_.queries->order;
            auto const targets = tree_of(order);
            bool const dense = with_space<D>(points_.period, [&](auto const& space) {
                return lists_are_dense(trait({}), space, targets, sources_, points_.dim);
            });
            if (dense) {
                meet_into(targets, order);
                report_meeting(1);
            }
            return dense;
        }
        return false;
    }

    /// Queries in z-order, so that one finds in the cache what the one before has looked at.
    void descend() {
        double const start = now_seconds();
        auto const& queries = *search_.queries;
        parallel_for(r_.rows, descents_per_task, [&](std::size_t begin, std::size_t end) {
            descend(queries.points, queries.order.data(), begin, end);
        });
        r_.stats.seconds.emplace_back("descent", now_seconds() - start);
    }
    /// Queries order[begin, end), or [begin, end) without an order, one by one.
    void descend(Points<T> queries, pos_t const* order, std::size_t begin, std::size_t end) const {
        struct Target {
            pos_t index;
        };
        with_space<D>(points_.period, [&](auto const& space) {
            Descent<D, T, std::remove_cvref_t<decltype(space)>> descent(sources_, space, k_);
            for (std::size_t i = begin; i < end; ++i) {
                std::size_t const query = order ? order[i] : i;
                T const* const q = queries.data + query * std::size_t(queries.dim);
                rows_(Target{pos_t(in_input_order_ ? query : i)}, descent.nearest(q, queries.dim));
            }
        });
    }

    /// Of all batches.
    void report_meeting(std::size_t batches) {
        r_.stats.seconds.emplace_back("walk", meeting_);
        r_.stats.counts = {{"all_pairs", met_.all_pairs}};
        add_counts(r_.stats, cpu_, sources_, met_.counts);
        r_.stats.counts.emplace_back("started_again", met_.counts.started_again);
        r_.stats.counts.emplace_back("batches", batches);
    }

    Cpu const& cpu_;
    bool kept_;
    PreparedPoints<T, Cpu> const& points_;
    Tree<T, Cpu> const& sources_;
    KnnSearch<T, Cpu> const& search_;
    bool in_input_order_;
    pos_t k_;
    KnnResult<T> r_;
    KnnRows<T> rows_;  ///< of it; which row is whose isn't said yet
    Meeting met_;
    double building_ = 0, meeting_ = 0;  ///< seconds
};

template <int D, class T>
KnnResult<T> KnnAlgorithm::run(Cpu& cpu, RunPoints<T, Cpu>& points, KnnSearch<T, Cpu> const& search) {
    CpuKnn<D, T> neighbours(cpu, points, search);
    if (search.queries && search.way == IndexWay::here) return neighbours.answer_here();
    auto r = search.queries ? neighbours.answer() : neighbours.self();
    if (search.options.order == Order::input || search.visitor) return r;
    if (search.queries) r.row_order = std::move(search.queries->order);
    else r.row_order = copy_on(cpu, points->tree.input.data(), points->tree.size());
    if (!points.kept()) r.source_order = points.take_order(cpu);
    return r;
}

}  // namespace zwalk::inline v0::detail
