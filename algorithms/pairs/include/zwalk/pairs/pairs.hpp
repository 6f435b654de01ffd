// Pair counts: how many pairs of points there are in each bin of separation, the estimator behind two-point correlation
// functions. The public interface.
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/core/error.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/run/where.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

/// By what pairs are told apart. The line of sight is an axis: that of distant observers, as in simulations.
enum class PairBins : std::uint8_t {
    distance,  ///< d
    rp_pi,  ///< rp, the separation across the line of sight, and pi >= 0, that along it; in 2 or 3 dimensions
    s_mu  ///< s = d, and mu = pi / d, 0 <= mu <= 1; in 2 or 3 dimensions
};

struct PairOptions {
    /// Edges of the bins of d, rp or s: ascending, >= 0, finite, at least two. Bin i holds edges[i] < d <= edges[i + 1], so
    /// points at the same place are in no bin. Edges are rounded to the precision of the points, and so are their squares,
    /// which squared distances are compared with.
    std::vector<double> edges{};
    PairBins bins = PairBins::distance;
    /// rp_pi, s_mu: edges of the bins of pi or mu, in the same way, but that the first bin holds its lower edge, too; from 2
    /// to 257 of them, those of mu up to 1.
    std::vector<double> los_edges{};
    int line_of_sight = -1;     ///< rp_pi, s_mu: an axis; -1: the last one
    std::vector<double> box{};  ///< empty: open. One period for all axes, or one each; 0 = open axis
    /// One for each point, finite; empty: 1, or none at all if both are empty. Views: they must live until the call returns.
    std::span<double const> weights{}, second_weights{};
    TreeOptions tree{};
};

/// Pairs in each bin; on MPI ranks those of the points of all, the same on each of them. For rp_pi and s_mu bin (i, j) is element i * (los_edges.size() - 1) + j.
struct PairCounts {
    /// Ordered pairs: among one set of points each pair of two points counts twice, between two sets once.
    std::vector<index_t> counts;
    /// With weights: the sum of the products of both points' weights over the same pairs.
    std::vector<double> weighted;
    Stats stats;
};

namespace detail {
/// Whether there are kernels of so many columns without weights. Pairs in many dimensions are rarely counted: there every point
/// has one, and half the kernels are to be compiled.
constexpr bool counts_without_weights(int columns) { return columns <= 4; }

struct PairsAlgorithm;
struct PairsCall {
    using Algorithm = PairsAlgorithm;
    using Options = PairOptions;
    template <class T, class P>
    using Result = PairCounts;
    template <class T, class P>
    using OthersOfIndex = PointsOn<T, P>;
    template <bool fits>
    static constexpr void expect_others() {
        static_assert(fits,
                      "zwalk: second points have the precision of the first, and are where these are: "
                      "on the host, "
                      "or DevicePoints for DevicePoints and for an index on a GPU");
    }
};
}  // namespace detail

/// Counts the pairs of points, in bins of their separation.
///
/// Exact: equal to brute force in the precision of the points with the distance of core/space.hpp, in a periodic box that
/// of the nearest image; so no more than half a period is ever found on an axis. The same bits for every number of threads,
/// every order of the points and every tree option, also of weighted sums: weights are rounded to integers of up to 62 -
/// log2(N) bits of the largest, and their products are added as integers.
///
/// Pairs of tree nodes whose points all fall into one bin are counted as a whole (PairBins::distance). O(N log N) to sort; the
/// walk grows with the surfaces of the bins' shells rather than with the pairs in them where bins are wide, and with the
/// pairs in them where they are narrow. O(N) memory.
///
/// On MPI ranks each passes its own rows (any number, also none), their weights if there are such, and the same options: counts and
/// sums are those of one process, bit for bit. How: ranks/sort.hpp; for each walk (64 bins, or 512 of two numbers) points within the
/// largest separation of other ranks' points are imported (ranks/import.hpp): nodes that lie in one bin as a whole as numbers. Each
/// pair is met on one rank. Memory of a rank: its points twice, what it imports, 8 bytes per point for weights.
///
/// @param points  rows, DevicePoints (their weights are on the host), or an index, whose points aren't sorted again: random points that
///                data are compared with are worth one. `where` they are counted: run/where.hpp has the combinations
/// @throws InputError  edges or weights out of bounds, coordinates that are not finite (row and column are named), a
///                     dimension other than 1..64 (2 or 3 for rp_pi and s_mu), a box smaller than the data's extent, too
///                     many points for one device; no CUDA device, or a build without CUDA; more columns than it was compiled for;
///                     an index, and a box in the options. On ranks, on all of them: ranks disagree on an option, or one has no
///                     weights; more pairs than 64 bits can count
/// @throws Error       the device's memory doesn't suffice, or CUDA failed; on all ranks: what failed on one of them
template <class Source, class... Where>
auto pair_counts(Source const& points, PairOptions const& options, Where const&... where) {
    return detail::call_of<detail::PairsCall>(points, options, where...);
}
/// Counts the pairs of a point of one set and a point of another one, which have as many columns and the same precision. They are
/// where the first ones are: on the host, on the device of DevicePoints or a CudaIndex, or on ranks, of which each passes its own.
/// @throws InputError  also: second points that don't fit into the box of an index
template <class Source, class Second, class... Where>
requires(!std::is_convertible_v<Second const&, PairOptions const&>) auto pair_counts(
    Source const& points, Second const& second, PairOptions const& options, Where const&... where) {
    return detail::call_with<detail::PairsCall>(points, second, options, where...);
}

}}  // namespace zwalk::v0
