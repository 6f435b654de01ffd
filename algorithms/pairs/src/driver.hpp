// Pair counts on any place: the second set beside the first, weights as integers, and a walk for some bins at a time.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithm.hpp"
#include "device_pairs.hpp"
#include "zwalk/core/bits.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/within.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/pairs/trait.hpp"
#include "zwalk/run/instance.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/concat.hpp"
#include "zwalk/tree/joint.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk::inline v0::detail {

/// The points that meet, and what goes along with them.
template <class T, class P>
class PairPoints {
  public:
    PairPoints(P& place, PreparedPoints<T, P> const& points, PairTask<T, P> const& task)
        : tree_(&points.tree), task_(task) {
        if (task.part) {
            sides_ = task.part->sides;
            if (task.part->known && !task.part->weighted) counts_known_.count = task.part->known->count;
        }
        if (!task.second) return;
        sides_.second = pos_t(points.tree.size());
        auto const second = build_tree(place, *task.second, points.tree.columns, points.options);
        Tree<T, P> const* const parts[]{tree_, &second};
        both_ = concat<P, T>(place, parts, points.tree.columns);
        tree_ = &both_;
        pos_t* const rows = both_.input.data() + sides_.second;
        place.for_each(second.size(), ShiftBy{rows, rows, sides_.second});
    }
    [[nodiscard]] Tree<T, P> const& tree() const { return *tree_; }
    [[nodiscard]] PairSides sides() const { return sides_; }
    [[nodiscard]] bool weighted() const {
        if (task_.part) return task_.part->weighted;
        return !task_.options.weights.empty() || !task_.options.second_weights.empty();
    }
    void bring_weights(P& place) {
        std::size_t const n = tree_->size();
        if (task_.part) {
            weights_ = ColumnsOn<FixedWeight, P>(place, task_.part->weights);
            return;
        }
        std::size_t const n1 = task_.second ? sides_.second : n;
        auto const first = task_.options.weights, second = task_.options.second_weights;
        auto const scale = weight_scale(largest_weight(first), n1);
        scales_ = {scale, task_.second ? weight_scale(largest_weight(second), n - n1) : scale};
        std::vector<FixedWeight> rows(n);
        for (std::size_t i = 0; i < n1; ++i)
            rows[i] = {scales_->first.fixed(first.empty() ? 1 : first[i])};
        for (std::size_t i = n1; i < n; ++i)
            rows[i] = {scales_->second.fixed(second.empty() ? 1 : second[i - n1])};
        weights_ = ColumnsOn<FixedWeight, P>(place, rows, tree_->input);
    }
    template <class I>
    [[nodiscard]] WalkInputs<I> inputs() const {
        constexpr bool weighted = std::is_same_v<typename I::Payload, FixedWeight>;
        WalkInputs<I> inputs;
        if constexpr (weighted) inputs.target_payload = inputs.source_payload = weights_.view();
        if (!task_.part) return inputs;
        inputs.targets = task_.part->targets;
        if constexpr (!accepts_nodes<I>) return inputs;
        else if constexpr (weighted) inputs.known = task_.part->known;
        else inputs.known = &counts_known_;
        return inputs;
    }
    /// How often each pair counts: a pair of one set is met once, and is two ordered pairs.
    [[nodiscard]] int multiple() const { return sides_.second == no_pos ? 2 : 1; }
    void take_product(FixedSum sum, std::vector<double>& products) const {
        if (task_.part) task_.part->sums->push_back(sum);
        else products.push_back(scales_->product(sum, multiple()));
    }

  private:
    Tree<T, P> const* tree_;
    PairTask<T, P> const& task_;
    Tree<T, P> both_;
    PairSides sides_;
    ColumnsOn<FixedWeight, P> weights_;
    std::optional<PairScales> scales_;
    KnownNodes<Empty> counts_known_;  // of a part, for walks without weights
};

/// Bins [begin, begin + n) of the edges, lengths that `square` takes to squares in the precision of the points.
template <class T, int capacity, class Square>
SquaredEdges<T, capacity> squared_edges(std::vector<double> const& edges, std::size_t begin,
                                        std::size_t n, Square const& square) {
    SquaredEdges<T, capacity> some{};
    some.bins = int(n);
    for (std::size_t i = 0; i <= n; ++i) some.edge2[i] = square(T(edges[begin + i]));
    return some;
}

/// The walks of one count: each for as many bins as one trait holds.
template <int D, class T, class P, class Space>
class PairWalks {
  public:
    PairWalks(P& place, Space const& space, PairPoints<T, P> const& points, PairOptions const& options,
              PairCounts& result)
        : place_(place), space_(space), points_(points), o_(options), result_(result) {}

    template <bool weighted>
    WalkCounts by_distance() {
        using Trait = PairsByDistance<D, T, weighted>;
        return in_parts(std::size_t(Trait::capacity), 1, [&](std::size_t begin, std::size_t n) {
            Trait trait;
            trait.edges = squared_edges<T, Trait::capacity>(o_.edges, begin, n, largest_square<T>);
            trait.sides = points_.sides();
            return walked<weighted>(trait, n);
        });
    }
    template <bool weighted>
    WalkCounts by_two() {
        std::size_t const los = o_.los_edges.size() - 1;
        return in_parts(two_number_bins_at_once<P>(los), los, [&](std::size_t begin, std::size_t n) {
            auto const bins = two_numbers(begin, n);
            if constexpr (is_device<P>) {
                return shared<weighted>(bins);
            } else {
                PairsByTwo<D, T, weighted> trait;
                static_cast<TwoNumbers<D, T>&>(trait) = bins;
                return walked<weighted>(trait, n * los);
            }
        });
    }

  private:
    /// The counts of walk(begin, n), for up to `at_once` of the bins at a time.
    template <class Walk>
    WalkCounts in_parts(std::size_t at_once, std::size_t cells_each, Walk const& walk_some) {
        WalkCounts counts;
        std::size_t const bins = o_.edges.size() - 1;
        result_.counts.reserve(bins * cells_each);
        for (std::size_t begin = 0; begin < bins; begin += at_once)
            counts.add(walk_some(begin, std::min(at_once, bins - begin)));
        return counts;
    }
    TwoNumbers<D, T> two_numbers(std::size_t begin, std::size_t n) const {
        TwoNumbers<D, T> bins{};
        std::size_t const los = o_.los_edges.size() - 1;
        bins.sides = points_.sides();
        bins.axis = o_.line_of_sight;
        bins.by_mu = o_.bins == PairBins::s_mu;
        bins.edges = squared_edges<T, TwoNumbers<D, T>::capacity>(o_.edges, begin, n, largest_square<T>);
        // An edge of mu is compared as a factor of d2. The first edge is in the first bin.
        bins.los_edges = squared_edges<T, TwoNumbers<D, T>::los_capacity>(
            o_.los_edges, 0, los,
            [&](T edge) { return bins.by_mu ? edge * edge : largest_square(edge); });
        if (!bins.by_mu) bins.los_edges.edge2[0] = smallest_square(T(o_.los_edges[0]));
        bins.above2 = bins.by_mu ? bins.edges.edge2[0] : T(0);
        bins.limit2 = bins.edges.edge2[n];
        if (!bins.by_mu) bins.limit2 = rp_pi_limit2(bins.limit2, bins.los_edges.edge2[los]);
        return bins;
    }
    template <bool weighted, class Trait>
    WalkCounts walked(Trait const& trait, std::size_t cells) {
        auto inputs = points_.template inputs<Trait>();
        typename Trait::Total total;
        inputs.total = &total;
        auto const counts = walk(place_, trait, space_, points_.tree(), points_.tree(), inputs);
        for (std::size_t i = 0; i < cells; ++i) {
            if constexpr (weighted) take<true>(total.pairs[i], total.products[i]);
            else take<false>(total.pairs[i], 0);
        }
        return counts;
    }
    template <bool weighted>
    WalkCounts shared(TwoNumbers<D, T> const& bins) {
        using Trait = PairsByTwoShared<D, T, weighted>;
        CellsOn<P> cells(place_, std::size_t(bins.cells()), weighted);
        Trait trait{};
        static_cast<TwoNumbers<D, T>&>(trait) = bins;
        trait.counted = cells.view();
        auto const counts = walk(place_, trait, space_, points_.tree(), points_.tree(),
                                 points_.template inputs<Trait>());
        cells.each([&](size_type pairs, FixedSum products) { take<weighted>(pairs, products); });
        return counts;
    }
    template <bool weighted>
    void take(size_type pairs, FixedSum products) {
        result_.counts.push_back(index_t(pairs) * points_.multiple());
        if constexpr (weighted) points_.take_product(products, result_.weighted);
    }

    P& place_;
    Space const& space_;
    PairPoints<T, P> const& points_;
    PairOptions const& o_;
    PairCounts& result_;
};

/// Whether kernels of D columns count pairs by two numbers.
template <int D>
inline constexpr bool counts_by_two = D == 2 || D == 3;

template <int D, class T, class P>
PairCounts PairsAlgorithm::run(P& place, RunPoints<T, P>& points, PairTask<T, P> const& task) {
    if (!counts_by_two<D> && task.options.bins != PairBins::distance)
        throw InputError(
            "this build has no kernels for bins of two numbers: 2 or 3 aren't in ZWALK_DIMS");
    PairCounts r;
    RunPhases phases(place);
    PairPoints<T, P> met(place, *points, task);
    constexpr bool plain = counts_without_weights(D);
    bool const weighted = met.weighted();
    if (weighted || !plain) met.bring_weights(place);
    phases.end(r.stats, "second");
    auto const counts = with_space<D>(points->period, [&](auto const& space) {
        PairWalks<D, T, P, std::remove_cvref_t<decltype(space)>> walks(place, space, met, task.options,
                                                                       r);
        auto const count = [&]<bool with_weights>() {
            if constexpr (counts_by_two<D>)
                if (task.options.bins != PairBins::distance)
                    return walks.template by_two<with_weights>();
            return walks.template by_distance<with_weights>();
        };
        if constexpr (plain)
            if (!weighted) return count.template operator()<false>();
        return count.template operator()<true>();
    });
    phases.end(r.stats, "walk");
    if (!weighted) r.weighted.clear();
    add_counts(r.stats, place, met.tree(), counts);
    return r;
}

}  // namespace zwalk::inline v0::detail
