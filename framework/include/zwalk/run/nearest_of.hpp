// The k nearest of prepared points on CPU threads, for themselves or for queries, with any output: by walks, in batches for
// queries, by descents, or all with all.
#pragma once
#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include "zwalk/core/clock.hpp"
#include "zwalk/nearest/descent.hpp"
#include "zwalk/nearest/meet.hpp"
#include "zwalk/nearest/search.hpp"
#include "zwalk/run/instance.hpp"
#include "zwalk/run/queries.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Queries that one task answers.
inline constexpr std::size_t descents_per_task = 64;

/// A search among the points that are there. Every target's neighbours are the same bits, whichever way they are found.
///
/// output_of(row_of, first) is an output, as Nearest has it, for some targets: that of position i is row row_of[i] of the
/// input (without row_of: i), and number first + i in the z-order of all targets.
template <int D, class T, class OutputOf>
class NearestOf {
  public:
    /// @param search  for queries without exclude_self
    NearestOf(Cpu const& cpu, PreparedPoints<T, Cpu> const& points, NearestSearch const& search,
              OutputOf const& output_of)
        : cpu_(cpu),
          points_(points),
          sources_(points.tree),
          k_(attainable_k(std::size_t(search.k), sources_.size())),
          exclude_self_(search.exclude_self),
          limit2_(search.template limit2<T>()),
          output_of_(output_of) {}

    /// Finds the neighbours of the points themselves, or of some of them. Call inside Cpu::run.
    void for_points(TargetNodes const& some = {}) {
        std::span<pos_t const> const rows = sources_.input;
        meet_all(sources_, rows.subspan(first_target(sources_, some)), 0, some);
    }

    /// Finds those of a few queries as they come, on the calling thread.
    void for_few(Points<T> queries) const { descend(queries, {}, 0, queries.size); }

    /// Finds those of queries that are sorted. Call inside Cpu::run.
    /// @param batch_size  queries that are walked at a time
    void for_queries(Queries<T, Cpu> const& queries, IndexWay way, std::size_t batch_size) {
        if (way == IndexWay::walk) walk_in_batches(queries, batch_size);
        else if (way != IndexWay::ask || queries.order.size() > batch_size || !meet_if_dense(queries))
            descend_all(queries);
        auto& seconds = stats_.seconds;
        seconds.insert(seconds.begin(), {"queries", queries.sorting + building_});
    }

    /// The statistics of what was done.
    Stats take_stats() {
        if (batches_ == 0) return std::move(stats_);
        stats_.seconds.emplace_back("walk", meeting_);
        stats_.counts.emplace_back("all_pairs", met_.all_pairs);
        add_counts(stats_, cpu_, sources_, met_.counts);
        stats_.counts.emplace_back("started_again", met_.counts.started_again);
        stats_.counts.emplace_back("batches", batches_);
        return std::move(stats_);
    }

  private:
    /// All targets of a tree, by a walk or by all pairs.
    void meet_all(Tree<T, Cpu> const& targets, std::span<pos_t const> row_of, std::size_t first,
                  TargetNodes const& some = {}) {
        double const start = now_seconds();
        auto trait = trait_with(output_of_(row_of, first));
        trait.exclude_self = exclude_self_;
        met_.add(meet(cpu_, trait, points_.period, targets, sources_, points_.dim, some));
        meeting_ += now_seconds() - start;
        ++batches_;
    }
    template <class Output>
    Nearest<D, T, Output> trait_with(Output const& output) const {
        Nearest<D, T, Output> trait(k_, output);
        trait.limit2 = limit2_;
        return trait;
    }

    /// A tree of queries that is cut to fit that of the points: a tree of both would be larger, and not faster.
    Tree<T, Cpu> tree_of(Points<T> queries, std::span<pos_t const> part) {
        double const start = now_seconds();
        auto tree = tree_of_queries(cpu_, queries, part, points_);
        building_ += now_seconds() - start;
        return tree;
    }

    /// Queries of a batch are neighbours on the z-order curve: they meet few nodes, and rows in z-order come out in one
    /// piece.
    void walk_in_batches(Queries<T, Cpu> const& queries, std::size_t batch_size) {
        std::span<pos_t const> const order = queries.order;
        std::size_t begin = 0;
        do {  // also without queries, to report on the tree
            auto const part = order.subspan(begin, std::min(order.size() - begin, batch_size));
            meet_all(tree_of(queries.points, part), part, begin);
            begin += part.size();
        } while (begin < order.size());
    }

    /// All pairs if the lists of the queries would be dense. Returns whether they would.
    bool meet_if_dense(Queries<T, Cpu> const& queries) {
        if constexpr (D > walked_dims) {
            auto const targets = tree_of(queries.points, queries.order);
            bool const dense = with_space<D>(points_.period, [&](auto const& space) {
                return lists_are_dense(trait_with(output_of_({}, 0)), space, targets, sources_,
                                       points_.dim);
            });
            if (dense) meet_all(targets, queries.order, 0);
            return dense;
        }
        return false;
    }

    /// Queries in z-order, so that one finds in the cache what the one before has looked at.
    void descend_all(Queries<T, Cpu> const& queries) {
        double const start = now_seconds();
        parallel_for(queries.order.size(), descents_per_task, [&](std::size_t begin, std::size_t end) {
            descend(queries.points, queries.order, begin, end);
        });
        stats_.seconds.emplace_back("descent", now_seconds() - start);
    }
    /// Queries order[begin, end), or [begin, end) without an order, one by one.
    void descend(Points<T> queries, std::span<pos_t const> order, std::size_t begin,
                 std::size_t end) const {
        struct Target {
            pos_t index;
        };
        auto const output = output_of_(order, 0);
        with_space<D>(points_.period, [&](auto const& space) {
            Descent<D, T, std::remove_cvref_t<decltype(space)>> descent(sources_, space, k_, limit2_);
            for (std::size_t i = begin; i < end; ++i) {
                std::size_t const query = order.empty() ? i : order[i];
                output(Target{pos_t(i)},
                       descent.nearest(queries.data + query * std::size_t(queries.dim), queries.dim));
            }
        });
    }

    Cpu const& cpu_;
    PreparedPoints<T, Cpu> const& points_;
    Tree<T, Cpu> const& sources_;
    pos_t k_;
    bool exclude_self_;
    T limit2_;
    OutputOf const& output_of_;
    HowMet met_;
    std::size_t batches_ = 0;            ///< batches that have met the sources
    double building_ = 0, meeting_ = 0;  ///< seconds
    Stats stats_;
};

}}}  // namespace zwalk::v0::detail
