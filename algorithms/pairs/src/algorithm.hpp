// Pair counts as run/algorithm.hpp wants an algorithm; the driver is in driver.hpp.
#pragma once
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/run/algorithm.hpp"

namespace zwalk::inline v0::detail {

/// What a count is asked. Of the options edges, bins, los_edges, line_of_sight and weights are looked at.
template <class T, class P>
struct PairTask {
    PairOptions options;
    PointsOn<T, P> const* second = nullptr;  ///< null: the points among themselves
};

struct PairsAlgorithm {
    template <class T, class P>
    using Task = PairTask<T, P>;
    template <class T, class P>
    using Result = PairCounts;

    template <int D, class T, class P>
    static PairCounts run(P& place, RunPoints<T, P>& points, PairTask<T, P> const& task);
};

}  // namespace zwalk::inline v0::detail
