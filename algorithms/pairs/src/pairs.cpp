#include "zwalk/pairs/pairs.hpp"

#include <cmath>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "device_pairs.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/pairs/trait.hpp"
#include "zwalk/run/calls.hpp"
#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

constexpr std::size_t most_los_bins = 256;

/// @throws InputError  unless edges ascend, >= 0 and finite in the precision T
template <class T>
void check_edges(std::vector<double> const& edges, char const* name) {
    if (edges.size() < 2)
        throw InputError(detail::text(
            "{} need at least two numbers, but have {}: one bin lies between two", name, edges.size()));
    for (std::size_t i = 0; i < edges.size(); ++i) {
        double const e = edges[i];
        if (!(e >= 0) || std::isinf(T(e)))
            throw InputError(
                detail::text("{} must be finite numbers >= 0, but number {} is {}", name, i, e));
        if (i > 0 && !(edges[i - 1] < e))
            throw InputError(detail::text("{} must ascend, but number {} is {}, and number {} is {}",
                                          name, i - 1, edges[i - 1], i, e));
    }
}

template <class T>
void check_los(PairOptions const& o, int dim) {
    if (o.bins == PairBins::distance) {
        if (!o.los_edges.empty())
            throw InputError("los_edges are for bins of two numbers: rp and pi, or s and mu");
        return;
    }
    if (dim != 2 && dim != 3)
        throw InputError(detail::text(
            "bins along the line of sight are for 2 or 3 dimensions, but there are {}", dim));
    check_edges<T>(o.los_edges, "los_edges");
    if (o.los_edges.size() > most_los_bins + 1)
        throw InputError(
            detail::text("at most {} bins are possible along the line of sight, but there are {}",
                         most_los_bins, o.los_edges.size() - 1));
    if (o.bins == PairBins::s_mu && o.los_edges.back() > 1)
        throw InputError(detail::text("mu is at most 1, but los_edges go up to {}", o.los_edges.back()));
    if (o.line_of_sight < -1 || o.line_of_sight >= dim)
        throw InputError(
            detail::text("line_of_sight must be an axis from 0 to {}, or -1 for the last, but is {}",
                         dim - 1, o.line_of_sight));
}

void check_weights(std::span<double const> weights, std::size_t n, char const* name) {
    if (weights.empty()) return;
    if (weights.size() != n)
        throw InputError(
            detail::text("there are {} {}, but {} points: give one for each", weights.size(), name, n));
    for (std::size_t i = 0; i < n; ++i)
        if (!std::isfinite(weights[i]))
            throw InputError(
                detail::text("{} must be finite, but that of row {} is {}", name, i, weights[i]));
}

}  // namespace

template <class T>
void PairsAlgorithm::check(PairOptions const& o, CallSets const& sets) {
    auto const [size, dim] = sets.points;
    auto const others = sets.others.value_or(CallSets::Set{0, dim});
    if (others.dim != dim)
        throw InputError(
            detail::text("the second points have {} columns, but the first have {}", others.dim, dim));
    check_edges<T>(o.edges, "edges");
    check_los<T>(o, dim);
    check_weights(o.weights, size, "weights");
    if (!sets.others && !o.second_weights.empty())
        throw InputError("second_weights are for a second set of points, and there is none");
    check_weights(o.second_weights, others.size, "second_weights");
    if (sets.size() > max_points)
        throw InputError(detail::text("{} points in all; at most {} are possible on one device",
                                      sets.size(), max_points));
}

void refuse_missing_weights(char const* name, std::size_t points) {
    throw InputError(
        detail::text("there are no {} for {} points of this rank, but others have such", name, points));
}
void check_pair_numbers(double own, double all) {
    if (own * all >= 0x1p64)
        throw InputError(
            detail::text("{} points of a rank and {} of all may have more pairs than "
                         "64 bits can count: use more ranks",
                         own, all));
}

std::size_t device_pair_cells(PairOptions const& o) {
    if (o.bins == PairBins::distance) return 0;
    std::size_t const los = o.los_edges.size() - 1;
    return los * std::min(o.edges.size() - 1, two_number_bins_at_once<CudaDevice>(los));
}

std::uint64_t pairs_device_bytes(PairsShape const& s) {
    auto const own = device_tree_bytes(s.columns, s.item_bytes, s.tree);
    double const all = s.points + s.second, build = std::max(own.sort, own.build);
    double const trees =
        s.second > 0 ? s.points * own.tree + std::max(s.second * build, (all + s.second) * own.tree)
                     : s.points * std::max(build, own.tree);
    bool const weighted = s.weighted || !counts_without_weights(s.columns);
    double const each = own.walk + (weighted ? 2 * sizeof(std::int64_t) : 0);
    // Each thread has a total of bins of distance.
    constexpr double threads = 3e5;
    constexpr int capacity = PairsByDistance<1, float, true>::capacity;
    double const total =
        weighted ? sizeof(PairTotal<capacity, true>) : sizeof(PairTotal<capacity, false>);
    double const totals = s.cells ? double(bytes_of_cells(s.cells, weighted)) : threads * total;
    return whole_bytes(device_tree_padding + trees + all * each + totals);
}

std::uint64_t PairsAlgorithm::device_bytes(CallSets const& sets, int columns, std::size_t item_bytes,
                                           PairOptions const& o) {
    return pairs_device_bytes({.points = double(sets.points.size),
                               .second = sets.others ? double(sets.others->size) : 0,
                               .columns = columns,
                               .item_bytes = item_bytes,
                               .tree = o.tree,
                               .weighted = !o.weights.empty() || !o.second_weights.empty(),
                               .cells = device_pair_cells(o)});
}

ZWALK_CALLS(PairsCall, float)
ZWALK_CALLS(PairsCall, double)

}}}  // namespace zwalk::v0::detail
