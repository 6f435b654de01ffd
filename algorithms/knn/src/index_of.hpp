// The index of one compiled dimension. Included by the generated instances only.
#pragma once
#include "batches.hpp"
#include "descent.hpp"
#include "index_job.hpp"
#include "index_rule.hpp"
#include "zwalk/knn/memory.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/targets.hpp"
#include "zwalk/zorder/sort.hpp"

namespace zwalk::inline v0::detail {

/// Queries that one task answers.
inline constexpr std::size_t descents_per_task = 64;

template <int D, class T>
class IndexOf final : public Index<T> {
  public:
    IndexOf(IndexBase<T>&& base, Tree<T, Cpu>&& sources)
        : Index<T>(std::move(base)), sources_(std::move(sources)) {
        // The pages of code that a first call brings in take longer than the query itself.
        std::vector<T> const anywhere(std::size_t(this->dim));
        (void)query({anywhere.data(), 1, this->dim}, {.k = 1}, {});
    }

    KnnResult<T> query(Points<T> queries, KnnOptions const& o,
                       KnnVisitor<T> const& visitor) const override {
        IndexWay const way = index_way(queries.size, sources_.size(), D);
        if (queries.size <= single_up_to(D) && o.order == Order::input && way == IndexWay::descents)
            return descend_here(queries, o, visitor);
        Cpu const cpu(this->threads);
        KnnMemory const plan = plan_for(cpu, queries.size, o, bool(visitor));
        return cpu.run([&] { return answer_all(cpu, queries, o, visitor, way, plan); });
    }

    KnnResult<T> self(KnnOptions const& o, KnnVisitor<T> const& visitor) const override {
        Cpu const cpu(this->threads);
        return cpu.run([&] {
            auto r = walk_knn<D, T>(cpu, sources_, sources_, this->dim, o, this->period, visitor);
            if (o.order == Order::z) r.row_order = copy_on(cpu, sources_.input.data(), sources_.size());
            return r;
        });
    }

    Tree<T, Cpu> const& tree() const override { return sources_; }

  private:
    [[nodiscard]] KnnMemory plan_for(Cpu const& cpu, std::size_t queries, KnnOptions const& o,
                                     bool visited) const {
        return knn_memory({.points = sources_.size(),
                           .queries = queries,
                           .dim = this->dim,
                           .k = o.k,
                           .item_bytes = sizeof(T),
                           .order = o.order,
                           .threads = cpu.threads(),
                           .memory_budget = o.memory_budget,
                           .indexed = true,
                           .visited = visited});
    }

    /// A few queries on the calling thread, in the order of input.
    KnnResult<T> descend_here(Points<T> queries, KnnOptions const& o,
                              KnnVisitor<T> const& visitor) const {
        auto r = empty_result<T>(queries.size, o.k, bool(visitor));
        with_space<D>(this->period, [&](auto const& space) {
            answer(space, queries, 0, queries.size, nullptr, o, rows_of(r, o, visitor));
        });
        return r;
    }

    KnnResult<T> answer_all(Cpu const& cpu, Points<T> queries, KnnOptions const& o,
                            KnnVisitor<T> const& visitor, IndexWay way, KnnMemory const& plan) const {
        BuildSeconds built;
        auto order = order_of(cpu, queries, built);
        auto r = [&] {
            if (way == IndexWay::walk)
                return meet_batches<D, T>(cpu, {queries, order, plan.batch_size, this->options},
                                          sources_, o, this->period, visitor, built);
            if constexpr (D > walked_dims)
                if (way == IndexWay::ask && plan.batches == 1)
                    return meet_if_dense(cpu, queries, order, o, visitor, built);
            return descend(queries, order, o, visitor);
        }();
        add_build(r.stats, built);
        if (way == IndexWay::walk) r.stats.counts.emplace_back("batches", plan.batches);
        if (o.order == Order::z) r.row_order = std::move(order);
        return r;
    }

    /// All pairs if the lists of these queries would be dense, else descents.
    KnnResult<T> meet_if_dense(Cpu const& cpu, Points<T> queries, Buffer<pos_t> const& order,
                               KnnOptions const& o, KnnVisitor<T> const& visitor,
                               BuildSeconds& built) const {
        auto targets =
            tree_of(cpu, {queries, order, queries.size, this->options}, order, sources_, built);
        Knn<D, T> const trait(attainable_k(std::size_t(o.k), sources_.size()));
        bool const dense = with_space<D>(this->period, [&](auto const& space) {
            return lists_are_dense(trait, space, targets, sources_, this->dim);
        });
        if (!dense) return descend(queries, order, o, visitor);
        auto r = empty_result<T>(queries.size, o.k, bool(visitor));
        r.stats =
            meet_batch<D, T>(cpu, r, targets, order, 0, sources_, this->dim, o, this->period, visitor);
        return r;
    }

    /// Queries in z-order, so that one finds in the cache what the one before has looked at.
    KnnResult<T> descend(Points<T> queries, Buffer<pos_t> const& order, KnnOptions const& o,
                         KnnVisitor<T> const& visitor) const {
        double const start = now_seconds();
        auto r = empty_result<T>(queries.size, o.k, bool(visitor));
        auto const rows = rows_of(r, o, visitor);
        with_space<D>(this->period, [&](auto const& space) {
            parallel_for(queries.size, descents_per_task, [&](std::size_t begin, std::size_t end) {
                answer(space, queries, begin, end, order.data(), o, rows);
            });
        });
        r.stats.seconds = {{"descent", now_seconds() - start}};
        return r;
    }

    /// Where neighbours go.
    KnnRows<T> rows_of(KnnResult<T>& r, KnnOptions const& o, KnnVisitor<T> const& visitor) const {
        return {r.columns,
                r.indices.data(),
                r.distances.data(),
                nullptr,
                o.order == Order::input ? sources_.input.data() : nullptr,
                visitor};
    }

    /// Queries order[begin, end), or [begin, end) without an order, one by one.
    template <class Space>
    void answer(Space const& space, Points<T> queries, std::size_t begin, std::size_t end,
                pos_t const* order, KnnOptions const& o, KnnRows<T> const& rows) const {
        Descent<D, T, Space> descent(sources_, space, attainable_k(rows.columns, sources_.size()));
        struct Row {
            pos_t index;
        };
        for (std::size_t i = begin; i < end; ++i) {
            std::size_t const query = order ? order[i] : i;
            auto const best =
                descent.nearest(queries.data + query * std::size_t(queries.dim), queries.dim);
            rows(Row{pos_t(o.order == Order::input ? query : i)}, best);
        }
    }

    Tree<T, Cpu> sources_;
};

template <int D, class T>
std::unique_ptr<Index<T> const> build_index(Cpu const& cpu, IndexBase<T>&& base, Points<T> points) {
    auto sources = build_tree(cpu, points, D, base.options);
    return std::make_unique<IndexOf<D, T> const>(std::move(base), std::move(sources));
}

template <int D, class T>
std::unique_ptr<Index<T> const> restore_index(IndexBase<T>&& base, Tree<T, Cpu>&& tree) {
    return std::make_unique<IndexOf<D, T> const>(std::move(base), std::move(tree));
}

}  // namespace zwalk::inline v0::detail
