// The pairs that a rank is to count.
#pragma once
#include <vector>

#include "algorithm.hpp"
#include "zwalk/run/rank_points.hpp"

namespace zwalk::inline v0::detail {

/// Points of all ranks, and the weights of those that this one has, by position.
template <class T>
struct WeightedPoints {
    RankPoints<T>& points;
    ColumnsView<FixedWeight> weights;
};

/// A rank's points and what they need of others, in one tree; see PairsPart.
template <class T>
struct MetOnRank {
    Tree<T, Cpu> tree;
    std::vector<FixedWeight> weights;
    KnownNodes<FixedWeight> known;
    PairSides sides{};
    TargetNodes targets{};
};

/// Imports what pairs in these bins, no more than one walk counts, need: pairs of the points among themselves or, if there are
/// others, of a point of each set. Weights are always there: for pairs without them they are units. Collective.
template <class T>
MetOnRank<T> import_pairs(Comm& comm, Cpu const& cpu, WeightedPoints<T> points,
                          WeightedPoints<T> const* others, PairOptions const& some);

}  // namespace zwalk::inline v0::detail
