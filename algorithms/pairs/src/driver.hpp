// Pair counts on any place, and on ranks: weights as integers, a walk for some bins at a time, sums of what walks have counted.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithm.hpp"
#include "device_pairs.hpp"
#include "need.hpp"
#include "zwalk/core/bits.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/within.hpp"
#include "zwalk/run/call_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Bins [begin, begin + n) of the edges, lengths that `square` takes to squares in the precision of the points.
template <class T, int capacity, class Square>
SquaredEdges<T, capacity> squared_edges(std::vector<double> const& edges, std::size_t begin,
                                        std::size_t n, Square const& square) {
    SquaredEdges<T, capacity> some{};
    some.bins = int(n);
    for (std::size_t i = 0; i <= n; ++i) some.edge2[i] = square(T(edges[begin + i]));
    return some;
}
/// rp <= R and pi <= S are no further apart than this, squared: d2 and the squares of rp and pi are rounded, each on its own.
template <class T>
T rp_pi_limit2(T rp2, T pi2) {
    constexpr T margin = 1 + 8 * std::numeric_limits<T>::epsilon();
    return (rp2 + pi2) * margin;
}

/// One of the sets of points that meet.
struct PairSet {
    std::span<double const> weights{};
    bool weighted = false;  ///< some rank has weights
    double bound = 1;       ///< of the weights: all of the set add up to 62 bits of it at most
};

template <class Points>
class PairCounting {
    using T = typename Points::real;
    using P = typename Points::WalkPlace;

  public:
    PairCounting(Points& points, Points* second, PairOptions const& o)
        : points_(points), second_(second), asked_(o) {}

    ResultOf<PairsAlgorithm, Points> run() {
        look_at_kernels();
        o_ = points_.here([&] { return in_unit(asked_); });
        look_at_weights();
        auto met = points_.template meet<PairsNeed>(
            second_, walks_weights_, [&](int set, std::size_t n) { return rows_of(set, n); });
        std::size_t const bins = o_.edges.size() - 1, at_once = bins_at_once();
        for (std::size_t begin = 0; begin < bins; begin += at_once)
            count(met, begin, std::min(at_once, bins - begin));
        met.finish(r_);
        return std::move(r_);
    }

  private:
    [[nodiscard]] bool by_two() const { return asked_.bins != PairBins::distance; }
    /// Bins of pi or mu.
    [[nodiscard]] std::size_t los_bins() const { return by_two() ? o_.los_edges.size() - 1 : 1; }
    [[nodiscard]] std::size_t bins_at_once() const {
        if (by_two()) return two_number_bins_at_once<P>(los_bins());
        return std::size_t(PairsByDistance<1, T, false>::capacity);
    }

    void look_at_kernels() {
        points_.template with_columns<void>([&]<int D>() {
            if (by_two() && !counts_by_two<D>)
                throw InputError(
                    "this build has no kernels for bins of two numbers: 2 or 3 aren't in ZWALK_DIMS");
            walks_weights_ = !counts_without_weights(D);
        });
    }
    [[nodiscard]] PairOptions in_unit(PairOptions o) const {
        for (double& edge : o.edges) edge = points_.length(edge);
        if (o.line_of_sight < 0) o.line_of_sight = points_.dim() - 1;
        if (o.bins != PairBins::rp_pi) return o;
        double const first = o.los_edges[0];  // is in the first bin
        for (double& edge : o.los_edges) edge = points_.length(edge);
        o.los_edges[0] = points_.unit().least(first);
        return o;
    }

    /// Finds out which sets have weights on any rank, and how large these are.
    void look_at_weights() {
        sets_[0].weights = asked_.weights;
        sets_[1].weights = asked_.second_weights;
        for (int set = 0; set < (second_ ? 2 : 1); ++set)
            sets_[set].weighted = points_.total(!sets_[set].weights.empty()) > 0;
        weighted_ = sets_[0].weighted || sets_[1].weighted;
        walks_weights_ = walks_weights_ || weighted_;
        points_.here([&] {
            check_given(0, "weights");
            if (second_) check_given(1, "second_weights");
            check_pair_numbers(double(points_of(second_ ? 1 : 0).size_here()), double(points_.size()));
        });
        for (int set = 0; set < (second_ ? 2 : 1); ++set) find_bound(set);
        if (!second_) sets_[1].bound = sets_[0].bound;
    }
    [[nodiscard]] Points const& points_of(int set) const { return set == 0 ? points_ : *second_; }
    void check_given(int set, char const* name) const {
        std::size_t const rows = points_of(set).rows_here();
        if (sets_[set].weighted && sets_[set].weights.size() != rows) refuse_missing_weights(name, rows);
    }
    void find_bound(int set) {
        double largest = 1;
        if (sets_[set].weighted) {
            largest = 0;
            for (double const w : sets_[set].weights) largest = std::max(largest, std::abs(w));
            largest = points_.largest(largest);
        }
        sets_[set].bound = std::ldexp(largest, width_of_bits(points_of(set).size()));
    }
    /// The weights of n rows as integers.
    [[nodiscard]] std::vector<FixedWeight> rows_of(int set, std::size_t n) const {
        auto const& [weights, weighted, bound] = sets_[set];
        FixedScale const scale(bound);
        std::vector<FixedWeight> rows(n);
        for (std::size_t i = 0; i < n; ++i)
            rows[i] = {weighted_ ? scale.fixed(weighted ? weights[i] : 1) : 1};
        return rows;
    }

    /// Counts bins [begin, begin + n), no more than one walk holds.
    template <class Met>
    void count(Met& met, std::size_t begin, std::size_t n) {
        auto const count_some = [&]<bool weighted>() {
            if (by_two()) count_by_two<weighted>(met, begin, n);
            else count_by_distance<weighted>(met, begin, n);
        };
        if (walks_weights_) count_some.template operator()<true>();
        else count_some.template operator()<false>();
    }
    template <bool weighted, class Met>
    void count_by_distance(Met& met, std::size_t begin, std::size_t n) {
        constexpr int capacity = PairsByDistance<1, T, weighted>::capacity;
        auto const edges = squared_edges<T, capacity>(o_.edges, begin, n, largest_square<T>);
        auto const total = met.template walk<PairTotal<capacity, weighted>>(
            PairLimits<T>{edges, edges.edge2[n]}, bytes_for(0), [&]<int D>(pos_t second) {
                PairsByDistance<D, T, weighted> trait;
                trait.edges = edges;
                trait.sides = {second};
                return trait;
            });
        take(total, n);
    }
    template <bool weighted, class Met>
    void count_by_two(Met& met, std::size_t begin, std::size_t n) {
        auto const cells = n * los_bins();
        auto const total = met.template walk<typename ByTwo<2, weighted>::Total>(
            PairLimits<T>{{}, two_numbers<2>(begin, n).limit2}, bytes_for(cells),
            [&]<int D>(pos_t second) {
                ByTwo<D, weighted> trait{};
                static_cast<TwoNumbers<D, T>&>(trait) = two_numbers<D>(begin, n);
                trait.sides = {second};
                return trait;
            });
        take(total, cells);
    }
    template <int D, bool weighted>
    using ByTwo =
        std::conditional_t<is_device<P>, PairsInCells<D, T, weighted>, PairsByTwo<D, T, weighted>>;
    template <int D>
    [[nodiscard]] TwoNumbers<D, T> two_numbers(std::size_t begin, std::size_t n) const {
        using Bins = TwoNumbers<D, T>;
        Bins bins{};
        std::size_t const los = los_bins();
        bins.axis = o_.line_of_sight;
        bins.by_mu = o_.bins == PairBins::s_mu;
        bins.edges = squared_edges<T, Bins::capacity>(o_.edges, begin, n, largest_square<T>);
        // An edge of mu is compared as a factor of d2. The first edge is in the first bin.
        bins.los_edges = squared_edges<T, Bins::los_capacity>(o_.los_edges, 0, los, [&](T edge) {
            return bins.by_mu ? edge * edge : largest_square(edge);
        });
        if (!bins.by_mu) bins.los_edges.edge2[0] = smallest_square(T(o_.los_edges[0]));
        bins.above2 = bins.by_mu ? bins.edges.edge2[0] : T(0);
        bins.limit2 = bins.edges.edge2[n];
        if (!bins.by_mu) bins.limit2 = rp_pi_limit2(bins.limit2, bins.los_edges.edge2[los]);
        return bins;
    }
    /// The memory that a walk needs on a device.
    [[nodiscard]] auto bytes_for(std::size_t cells) const {
        return [this, cells](std::size_t points, int columns) {
            return pairs_device_bytes({.points = double(points),
                                       .columns = columns,
                                       .item_bytes = sizeof(T),
                                       .tree = o_.tree,
                                       .weighted = weighted_,
                                       .cells = cells});
        };
    }
    /// Takes what a walk has counted, on all ranks.
    template <class Total>
    void take(Total const& total, std::size_t cells) {
        auto sums = points_.here([&] {
            std::vector<FixedSum> all(weighted_ ? 2 * cells : cells);
            for (std::size_t i = 0; i < cells; ++i) all[i] = total.pairs[i];
            for (std::size_t i = cells; i < all.size(); ++i) all[i] = total.products[i - cells];
            return all;
        });
        points_.add_up(sums);
        points_.here([&] {
            for (std::size_t i = 0; i < cells; ++i) take(sums[i], weighted_ ? sums[cells + i] : 0);
        });
    }
    /// A pair of one set is met once, and is two ordered pairs.
    void take(FixedSum pairs, FixedSum product) {
        int const multiple = second_ ? 1 : 2;
        pairs *= multiple;
        if (pairs > std::numeric_limits<index_t>::max())
            throw Error("there are more pairs in a bin than 64 bits can count");
        r_.counts.push_back(index_t(pairs));
        if (weighted_)
            r_.weighted.push_back(FixedScale(sets_[1].bound).value(1) *
                                  FixedScale(sets_[0].bound).value(product * multiple));
    }

    Points& points_;
    Points* second_;
    PairOptions const& asked_;
    PairOptions o_;  // in the unit of the points
    PairSet sets_[2];
    bool weighted_ = false, walks_weights_ = false;
    ResultOf<PairsAlgorithm, Points> r_;
};

template <class Points>
ResultOf<PairsAlgorithm, Points> PairsAlgorithm::run(Points& points, Points* second,
                                                     PairOptions const& options) {
    return PairCounting<Points>(points, second, options).run();
}

}}}  // namespace zwalk::v0::detail
