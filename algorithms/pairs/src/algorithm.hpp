// Pair counts in the form that run/algorithm.hpp needs; the driver is in driver.hpp.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "zwalk/core/bits.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/pairs/trait.hpp"
#include "zwalk/run/algorithm.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk::inline v0::detail {

/// The units of the weights of both sets, or of one and itself: no sum of products overflows.
struct PairScales {
    FixedScale first, second;

    /// @param multiple  how often each pair that was met counts
    [[nodiscard]] double product(FixedSum sum, int multiple) const {
        return second.value(1) * first.value(sum * multiple);
    }
};
/// The scale of weights up to `largest`, of n points: all of a set add up to 62 bits at most.
inline FixedScale weight_scale(double largest, std::uint64_t n) {
    return FixedScale(std::ldexp(largest, width_of_bits(n)));
}
inline double largest_weight(std::span<double const> weights) {
    double largest = weights.empty() ? 1 : 0;
    for (double const w : weights) largest = std::max(largest, std::abs(w));
    return largest;
}

/// rp <= R and pi <= S are no further apart than this, squared: d2 and the squares of rp and pi are rounded, each on its own.
template <class T>
T rp_pi_limit2(T rp2, T pi2) {
    constexpr T margin = 1 + 8 * std::numeric_limits<T>::epsilon();
    return (rp2 + pi2) * margin;
}

/// The part of a count on a rank, where the points are those that it has and has imported. `sums` gets the products of the
/// weights as they are summed, so that ranks can go on; for pairs without weights nothing that means something.
struct PairsPart {
    PairSides sides{};
    TargetNodes targets{};
    std::span<FixedWeight const> weights{};          ///< of the points, by position
    KnownNodes<FixedWeight> const* known = nullptr;  ///< WalkInputs::known
    bool weighted = false;
    std::vector<FixedSum>* sums = nullptr;
};

/// The task of a count. Its options edges, bins, los_edges, line_of_sight and weights are read, no others.
template <class T, class P>
struct PairTask {
    PairOptions options;
    PointsOn<T, P> const* second = nullptr;  ///< null: the points among themselves
    PairsPart const* part = nullptr;         ///< in place of second points and weights
};

/// @throws InputError  bins or weights that make no sense. Names the line of sight
/// @param second  null: there is no second set; how many points it has
template <class T>
void check_pair_options(PairOptions& options, int dim, std::size_t points, std::size_t const* second);
/// Bins of rp or s that one walk counts at most, of `los` bins of pi or mu each. On threads each has a total of its own.
template <class P>
std::size_t two_number_bins_at_once(std::size_t los) {
    using Trait = PairsByTwo<2, float, false>;
    constexpr std::size_t most = Trait::capacity;
    return is_device<P> ? most : std::min(most, std::size_t(Trait::most_cells) / los);
}
/// Bins that ranks import for at once, as many as one walk on threads counts at most.
std::size_t pair_bins_at_once(PairOptions const& options);

/// What is counted on a device.
struct PairsShape {
    double points, second = 0;  ///< of each set
    double there = 0;           ///< of `points`: those of a tree that the device has already
    int columns = 0;
    std::size_t item_bytes = 0;
    TreeOptions tree{};
    bool weighted = false;
    std::size_t cells = 0;  ///< of bins of two numbers, in one walk
};
/// Cells of one walk on a device, for PairsShape.
std::size_t device_pair_cells(PairOptions const& options);
/// Bytes of a device that it takes beside points as they come, but for lists: trees (two of them and both side by side),
/// weights, and what a walk has per node.
std::uint64_t pairs_device_bytes(PairsShape const& shape);

struct PairsAlgorithm {
    static constexpr char const* name = "pair counts";
    template <class T, class P>
    using Task = PairTask<T, P>;
    template <class T, class P>
    using Result = PairCounts;

    template <class T, class P>
    static void to_unit(PairTask<T, P>& task, LengthUnit<T> const& unit) {
        to_unit(task.options, unit);
    }
    template <class T>
    static void to_unit(PairOptions& o, LengthUnit<T> const& unit) {
        for (double& edge : o.edges) edge = unit.limit(edge);
        if (o.bins != PairBins::rp_pi) return;
        double const first = o.los_edges[0];  // is in the first bin
        for (double& edge : o.los_edges) edge = unit.limit(edge);
        o.los_edges[0] = unit.least(first);
    }
    template <int D, class T, class P>
    static PairCounts run(P& place, RunPoints<T, P>& points, PairTask<T, P> const& task);
};

}  // namespace zwalk::inline v0::detail
