// Pair counts on MPI ranks: for the bins of each walk the points needed are imported, then the driver of one process counts,
// on any place.
#pragma once
#include <fmt/format.h>

#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "compiled_dims.hpp"
#include "rank_pairs.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/run/rank_place.hpp"

namespace zwalk::inline v0::detail {

/// A count. Members are collective.
/// @tparam Place  a RankPlace
template <class T, class Place>
class PairsRanks {
    using P = typename Place::Type;

  public:
    PairsRanks(Comm& comm, Cpu const& cpu, Place place, PairOptions const& o)
        : comm_(comm), cpu_(cpu), place_(place), o_(o) {}

    PairCountsOnRanks run(Points<T> local, Points<T> const* second) {
        int const columns = check(local, second);
        points_.emplace(comm_, cpu_, local, columns, o_.box, o_.tree, r_.stats);
        if (second) others_.emplace(*points_, *second, r_.stats);
        PairsAlgorithm::to_unit(o_, points_->unit());
        check_numbers();
        bring_weights();
        std::size_t const bins = o_.edges.size() - 1, at_once = pair_bins_at_once(o_);
        for (std::size_t begin = 0; begin < bins; begin += at_once) {
            PairOptions some = o_;
            some.edges.assign(o_.edges.begin() + std::ptrdiff_t(begin),
                              o_.edges.begin() + std::ptrdiff_t(std::min(begin + at_once, bins) + 1));
            auto met = import_bins(some);
            Place::template with_columns<void>(local.dim, [&]<int D>() { count<D>(some, met); });
        }
        comm_.agree([&] { r_.steps = comm_.stats(); });
        return std::move(r_);
    }

  private:
    [[nodiscard]] RankPoints<T>& targets() { return others_ ? *others_ : *points_; }

    /// @returns  compiled columns
    int check(Points<T> local, Points<T> const* second) {
        agree_on(comm_, {{"edges", std::span<double const>(o_.edges)},
                         {"bins", int(o_.bins)},
                         {"los_edges", std::span<double const>(o_.los_edges)},
                         {"line_of_sight", o_.line_of_sight},
                         {"having second points", bool(second)},
                         Place::option()});
        auto const any = [&](std::span<double const> weights) {
            return comm_.reduce_all(int(!weights.empty()), std::plus<>()) > 0;
        };
        bool const first_weights = any(o_.weights), second_weights = any(o_.second_weights);
        weighted_ = first_weights || second_weights;
        return comm_.agree([&] {
            if (second && second->dim != local.dim)
                throw InputError(fmt::format("the second points have {} columns, but the first have {}",
                                             second->dim, local.dim));
            std::size_t const others = second ? second->size : 0;
            check_pair_options<T>(o_, local.dim, local.size, second ? &others : nullptr);
            check_given(first_weights, o_.weights, local.size, "weights");
            check_given(second_weights, o_.second_weights, others, "second_weights");
            return Place::tree_columns(local.dim);
        });
    }
    static void check_given(bool given, std::span<double const> weights, std::size_t n,
                            char const* name) {
        if (given && weights.size() != n)
            throw InputError(fmt::format(
                "there are no {} for {} points of this rank, but others have such", name, n));
    }
    /// What a rank counts fits into 64 bits.
    void check_numbers() {
        double const own = targets().size_here(), all = double(points_->size());
        comm_.agree([&] {
            if (own * all >= 0x1p64)
                throw InputError(
                    fmt::format("{} points of a rank and {} of all may have more pairs than "
                                "64 bits can count: use more ranks",
                                own, all));
        });
    }

    /// Weights as integers, with the points that they belong to.
    void bring_weights() {
        auto const scale = [&](std::span<double const> weights, RankPoints<T>& points) {
            double const largest = comm_.reduce_all(weights.empty() && points.rows() > 0 ? 1.
                                                    : weights.empty()                    ? 0.
                                                                      : largest_weight(weights),
                                                    [](double a, double b) { return std::max(a, b); });
            return weight_scale(largest, points.size());
        };
        auto const first = scale(o_.weights, *points_);
        scales_ = {first, others_ ? scale(o_.second_weights, *others_) : first};
        weights_ = sorted(scales_->first, o_.weights, *points_);
        if (others_) other_weights_ = sorted(scales_->second, o_.second_weights, *others_);
    }
    Columns<FixedWeight> sorted(FixedScale const& scale, std::span<double const> weights,
                                RankPoints<T>& points) {
        auto const rows = comm_.agree([&] {
            std::vector<FixedWeight> all(points.rows());
            for (std::size_t i = 0; i < all.size(); ++i)
                all[i] = {weighted_ ? scale.fixed(weights.empty() ? 1 : weights[i]) : 1};
            return all;
        });
        auto const in_order = points.rows_sorted(std::span<FixedWeight const>(rows));
        return comm_.agree([&] { return Columns<FixedWeight>(std::span<FixedWeight const>(in_order)); });
    }

    MetOnRank<T> import_bins(PairOptions const& some) {
        WeightedPoints<T> const points{*points_, weights_.view()};
        if (!others_) return import_pairs<T>(comm_, cpu_, points, nullptr, some);
        WeightedPoints<T> const others{*others_, other_weights_.view()};
        return import_pairs<T>(comm_, cpu_, points, &others, some);
    }
    template <int D>
    void count(PairOptions const& some, MetOnRank<T>& met) {
        P& place = *place_.place;
        std::vector<FixedSum> sums;
        PairsPart const part{met.sides, met.targets, met.weights, &met.known, weighted_, &sums};
        std::vector<index_t> counts;
        auto const check = [&](std::uint64_t available) {
            check_memory(met.tree.size(), D, device_pair_cells(some), available);
        };
        run_on(comm_, place, *points_, met.tree, D, check, [&](RunPoints<T, P>& kept) {
            PairTask<T, P> task{.options = some, .part = &part};
            auto own = Instance<PairsAlgorithm, D, T, P>::run(place, kept, task);
            r_.stats.counts.insert(r_.stats.counts.end(), own.stats.counts.begin(),
                                   own.stats.counts.end());
            counts = std::move(own.counts);
        });
        targets().end_phase("walk");
        take(counts, sums);
    }
    void check_memory(std::size_t points, int columns, std::size_t cells,
                      std::uint64_t available) const {
        PairsShape const shape{.points = double(points),
                               .columns = columns,
                               .item_bytes = sizeof(T),
                               .tree = points_->options(),
                               .weighted = weighted_,
                               .cells = cells};
        check_device_memory(PairsAlgorithm::name, points, pairs_device_bytes(shape), available);
    }
    /// Adds up what ranks have counted.
    void take(std::vector<index_t> const& counts, std::vector<FixedSum> const& sums) {
        Cells cells{};
        for (std::size_t i = 0; i < counts.size(); ++i) {
            cells.pairs[i] = counts[i];
            if (weighted_) cells.products[i] = sums[i];
        }
        auto const of_ranks = [&]() noexcept {
            std::vector<std::uint64_t> begin(std::size_t(comm_.size()) + 1);
            std::iota(begin.begin(), begin.end(), std::uint64_t(0));
            return begin;
        }();
        auto const told = comm_.gather_all(std::span<Cells const>(&cells, 1), of_ranks);
        Cells all{};
        for (Cells const& c : told)
            for (int i = 0; i < most_cells; ++i)
                all.pairs[i] += c.pairs[i], all.products[i] += c.products[i];
        comm_.agree([&] {
            for (std::size_t i = 0; i < counts.size(); ++i) {
                if (all.pairs[i] > std::numeric_limits<index_t>::max())
                    throw Error("there are more pairs in a bin than 64 bits can count");
                r_.counts.push_back(index_t(all.pairs[i]));
                if (weighted_) r_.weighted.push_back(scales_->product(all.products[i], others_ ? 1 : 2));
            }
        });
    }

    static constexpr int most_cells = PairsByTwo<2, T, true>::most_cells;
    static_assert(most_cells >= PairsByDistance<2, T, true>::capacity);
    /// The totals of the bins of one walk.
    struct Cells {
        FixedSum pairs[most_cells], products[most_cells];
    };

    Comm& comm_;
    Cpu const& cpu_;
    Place place_;
    PairOptions o_;
    bool weighted_ = false;
    std::optional<RankPoints<T>> points_, others_;
    std::optional<PairScales> scales_;
    Columns<FixedWeight> weights_, other_weights_;
    PairCountsOnRanks r_;
};

}  // namespace zwalk::inline v0::detail
