// Pair counts on MPI ranks: for the bins of each walk what is needed is brought in, then the driver of one process counts.
#include <fmt/format.h>

#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "zwalk/pairs/pairs_mpi.hpp"
#include "zwalk/run/dims.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk::inline v0::detail {
namespace {

/// Whatever a walk of these bins needs; only imported for. Weights are always there: of pairs without they are units.
template <int D, class T, bool symmetrically>
struct PairsNeed : PairTypes<D, T, true> {
    using Base = PairTypes<D, T, true>;
    using typename Base::Node;
    static constexpr Uses uses{.summary = true, .total = true, .symmetric = symmetrically};
    using Total = Empty;

    SquaredEdges<T, PairsByDistance<D, T, true>::capacity>
        edges{};   ///< no bins: nodes are never taken as a whole
    T limit2 = 0;  ///< no pair at a larger d2 is in any bin

    Decision decide(Node const&, Node const&, Range<T> d) const {
        if (d.lo2 > limit2) return Decision::discard;
        if (edges.bins == 0) return Decision::descend;
        int const lo = edges.bin(d.lo2), hi = edges.bin(d.hi2);
        if (hi < 0 || lo >= edges.bins) return Decision::discard;
        return lo == hi ? Decision::accept : Decision::descend;
    }
};

/// A count. Members are collective.
template <class T>
class PairsRanks {
  public:
    PairsRanks(Comm& comm, Cpu const& cpu, PairOptions const& o) : comm_(comm), cpu_(cpu), o_(o) {}

    PairCountsOnRanks run(Points<T> local, Points<T> const* second) {
        int const columns = check(local, second);
        points_.emplace(comm_, cpu_, local, columns, o_.box, o_.tree, r_.stats);
        if (second) others_.emplace(*points_, *second, r_.stats);
        check_numbers();
        bring_weights();
        std::size_t const bins = o_.edges.size() - 1, at_once = pair_bins_at_once(o_);
        for (std::size_t begin = 0; begin < bins; begin += at_once) {
            PairOptions some = o_;
            some.edges.assign(o_.edges.begin() + std::ptrdiff_t(begin),
                              o_.edges.begin() + std::ptrdiff_t(std::min(begin + at_once, bins) + 1));
            with_dim<void>(CpuDims{}, local.dim, [&]<int D>() { count<D>(some); });
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
                         {"having second points", bool(second)}});
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
            return compiled_columns<Cpu>(CpuDims{}, local.dim);
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

    /// The trait to import by. Bins of two numbers are counted point by point.
    template <class Need>
    static Need need_for(PairOptions const& some) {
        Need need;
        auto const square = [](double edge) { return T(edge) * T(edge); };
        std::size_t const bins = some.edges.size() - 1;
        need.limit2 = square(some.edges[bins]);
        if (some.bins == PairBins::distance) {
            need.edges.bins = int(bins);
            for (std::size_t i = 0; i <= bins; ++i) need.edges.edge2[i] = square(some.edges[i]);
        } else if (some.bins == PairBins::rp_pi) {
            need.limit2 = rp_pi_limit2(need.limit2, square(some.los_edges.back()));
        }
        return need;
    }

    template <int D>
    void count(PairOptions const& some) {
        if (!others_) {
            auto all = points_->import_for(need_for<PairsNeed<D, T, true>>(some), weights_.view());
            auto const columns = comm_.attempt([&] { return all.payload_columns(); });
            return count<D>(some, all.tree,
                            {{}, all.targets, columns.view(), &all.known, weighted_, nullptr});
        }
        // The own points of the second set in front: of nodes that came without points all are behind them.
        using Need = PairsNeed<D, T, false>;
        auto all =
            others_->import_from(*points_, need_for<Need>(some), other_weights_.view(), weights_.view());
        Tree<T, Cpu>& own = others_->own().tree;
        Tree<T, Cpu> both;
        KnownNodes<FixedWeight> known;
        Columns<FixedWeight> columns;
        comm_.agree([&] {
            Cpu place = cpu_;
            Tree<T, Cpu> const* const trees[]{&own, &all.tree};
            both = concat<Cpu, T>(place, trees, D);
            auto const own_known = place.run([&] {
                SummarizedTree<Need> whole{&own,
                                           summarize(need_for<Need>(some), own, other_weights_.view())};
                return all_known(std::move(whole));
            });
            KnownNodes<FixedWeight> const* const parts[]{&own_known, &all.known};
            known = concat_known<Need>(parts);
            std::vector<FixedWeight> rows;
            for (pos_t i = 0; i < own.size(); ++i) rows.push_back(other_weights_.view()[i]);
            rows.insert(rows.end(), all.payload.begin(), all.payload.end());
            columns = Columns<FixedWeight>(std::span<FixedWeight const>(rows));
        });
        count<D>(some, both, {{own.size()}, {}, columns.view(), &known, weighted_, nullptr});
    }
    template <int D>
    void count(PairOptions const& some, Tree<T, Cpu>& tree, PairsPart part) {
        std::vector<FixedSum> sums;
        part.sums = &sums;
        PairCounts own;
        points_->run_on(tree, [&](RunPoints<T, Cpu>& kept) {
            PairTask<T, Cpu> task{some};
            task.part = &part;
            Cpu place = cpu_;
            own = Instance<PairsAlgorithm, D, T, Cpu>::run(place, kept, task);
            auto& counts = r_.stats.counts;
            counts.insert(counts.end(), own.stats.counts.begin(), own.stats.counts.end());
        });
        targets().end_phase("walk");
        take(own.counts, sums);
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

    static constexpr int most_cells = PairsByTwo<2, T, true>::cells;
    static_assert(most_cells >= PairsByDistance<2, T, true>::capacity);
    /// Of the bins of one walk.
    struct Cells {
        FixedSum pairs[most_cells], products[most_cells];
    };

    Comm& comm_;
    Cpu const& cpu_;
    PairOptions o_;
    bool weighted_ = false;
    std::optional<RankPoints<T>> points_, others_;
    std::optional<PairScales> scales_;
    Columns<FixedWeight> weights_, other_weights_;
    PairCountsOnRanks r_;
};

}  // namespace

template <class T>
PairCountsOnRanks count_pairs(Points<T> points, std::type_identity_t<Points<T>> const* second,
                              PairOptions const& options, Mpi const& mpi, Cpu const& cpu) {
    Comm comm(mpi);
    return PairsRanks<T>(comm, cpu, options).run(points, second);
}

template PairCountsOnRanks count_pairs(Points<float>, Points<float> const*, PairOptions const&,
                                       Mpi const&, Cpu const&);
template PairCountsOnRanks count_pairs(Points<double>, Points<double> const*, PairOptions const&,
                                       Mpi const&, Cpu const&);

}  // namespace zwalk::inline v0::detail
