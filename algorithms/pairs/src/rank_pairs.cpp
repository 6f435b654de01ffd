// What pairs on a rank are made of: its points and what they need of others, for any place to count.
#include "rank_pairs.hpp"
#include "compiled_dims.hpp"
#include "zwalk/core/within.hpp"
#include "zwalk/run/dims.hpp"

namespace zwalk::inline v0::detail {
namespace {

/// The trait by which to import whatever a walk of these bins needs.
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
    /// Nodes are counted by the walk that follows.
    void accept(Node const&, Node const&, Range<T>, auto&) const {}
};

/// The trait to import by. Bins of two numbers are counted point by point.
template <class Need>
Need need_for(PairOptions const& some) {
    using T = typename Need::real;
    Need need;
    auto const square = [](double edge) { return largest_square(T(edge)); };
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

/// Pairs of the points among themselves.
template <int D, class T>
MetOnRank<T> pairs_within(WeightedPoints<T> points, PairOptions const& some) {
    auto all = points.points.import_for(need_for<PairsNeed<D, T, true>>(some), points.weights);
    return {std::move(all.tree), std::move(all.payload), std::move(all.known), {}, all.targets};
}

/// Pairs with others, of which the own ones are in front: all nodes that came without points are behind them.
template <int D, class T>
MetOnRank<T> pairs_between(Comm& comm, Cpu const& cpu, WeightedPoints<T> points,
                           WeightedPoints<T> others, PairOptions const& some) {
    using Need = PairsNeed<D, T, false>;
    auto const need = need_for<Need>(some);
    auto all = others.points.import_from(points.points, need, others.weights, points.weights);
    return comm.agree([&] {
        MetOnRank<T> both;
        Tree<T, Cpu> const& own = others.points.own().tree;
        Tree<T, Cpu> const* const trees[]{&own, &all.tree};
        Cpu place = cpu;
        both.tree = concat<Cpu, T>(place, trees, D);
        auto const own_known = place.run([&] {
            return all_known(SummarizedTree<Need>{&own, summarize(need, own, others.weights)});
        });
        KnownNodes<FixedWeight> const* const parts[]{&own_known, &all.known};
        both.known = concat_known<Need>(parts);
        for (pos_t i = 0; i < own.size(); ++i) both.weights.push_back(others.weights[i]);
        both.weights.insert(both.weights.end(), all.payload.begin(), all.payload.end());
        both.sides = {own.size()};
        return both;
    });
}

}  // namespace

template <class T>
MetOnRank<T> import_pairs(Comm& comm, Cpu const& cpu, WeightedPoints<T> points,
                          WeightedPoints<T> const* others, PairOptions const& some) {
    return with_dim<MetOnRank<T>>(CpuDims{}, points.points.dim(), [&]<int D>() {
        return others ? pairs_between<D>(comm, cpu, points, *others, some)
                      : pairs_within<D>(points, some);
    });
}

template MetOnRank<float> import_pairs(Comm&, Cpu const&, WeightedPoints<float>,
                                       WeightedPoints<float> const*, PairOptions const&);
template MetOnRank<double> import_pairs(Comm&, Cpu const&, WeightedPoints<double>,
                                        WeightedPoints<double> const*, PairOptions const&);

}  // namespace zwalk::inline v0::detail
