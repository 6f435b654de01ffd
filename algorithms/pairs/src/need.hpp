// What ranks import for pair counts.
#pragma once
#include "zwalk/pairs/trait.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// What one walk counts.
template <class T>
struct PairLimits {
    /// Bins of distance. None if there are other ones: nodes are never taken as a whole then.
    SquaredEdges<T, PairsByDistance<1, T, true>::capacity> edges{};
    T limit2 = 0;  ///< no pair at a larger d2 is in any bin
};

/// The trait to import by. All points have a weight there: for pairs without them it is 1.
template <int D, class T, bool symmetrically>
struct PairsNeed : PairTypes<D, T, true> {
    using Base = PairTypes<D, T, true>;
    using typename Base::Node;
    static constexpr Uses uses{.summary = true, .total = true, .symmetric = symmetrically};
    using Total = Empty;
    using Limits = PairLimits<T>;

    Limits limits;

    Decision decide(Node const&, Node const&, Range<T> d) const {
        auto const& edges = limits.edges;
        if (d.lo2 > limits.limit2) return Decision::discard;
        if (edges.bins == 0) return Decision::descend;
        int const lo = edges.bin(d.lo2), hi = edges.bin(d.hi2);
        if (hi < 0 || lo >= edges.bins) return Decision::discard;
        return lo == hi ? Decision::accept : Decision::descend;
    }
    /// Nodes are counted by the walk that follows.
    void accept(Node const&, Node const&, Range<T>, auto&) const {}
};

}}}  // namespace zwalk::v0::detail
