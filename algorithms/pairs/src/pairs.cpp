#include "zwalk/pairs/pairs.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "device_pairs.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/pairs/trait.hpp"
#include "zwalk/run/call.hpp"
#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk::inline v0::detail {
namespace {

constexpr std::size_t most_los_bins = 256;

/// @throws InputError  unless edges ascend, >= 0 and finite in the precision T
template <class T>
void check_edges(std::vector<double> const& edges, char const* name) {
    if (edges.size() < 2)
        throw InputError(fmt::format(
            "{} need at least two numbers, but have {}: one bin lies between two", name, edges.size()));
    for (std::size_t i = 0; i < edges.size(); ++i) {
        double const e = edges[i];
        if (!(e >= 0) || std::isinf(T(e)))
            throw InputError(
                fmt::format("{} must be finite numbers >= 0, but number {} is {}", name, i, e));
        if (i > 0 && !(edges[i - 1] < e))
            throw InputError(fmt::format("{} must ascend, but number {} is {}, and number {} is {}",
                                         name, i - 1, edges[i - 1], i, e));
    }
}

template <class T>
void check_los(PairOptions& o, int dim) {
    if (o.bins == PairBins::distance) {
        if (!o.los_edges.empty())
            throw InputError("los_edges are for bins of two numbers: rp and pi, or s and mu");
        return;
    }
    if (dim != 2 && dim != 3)
        throw InputError(fmt::format(
            "bins along the line of sight are for 2 or 3 dimensions, but there are {}", dim));
    check_edges<T>(o.los_edges, "los_edges");
    if (o.los_edges.size() > most_los_bins + 1)
        throw InputError(
            fmt::format("at most {} bins are possible along the line of sight, but there are {}",
                        most_los_bins, o.los_edges.size() - 1));
    if (o.bins == PairBins::s_mu && o.los_edges.back() > 1)
        throw InputError(fmt::format("mu is at most 1, but los_edges go up to {}", o.los_edges.back()));
    if (o.line_of_sight < -1 || o.line_of_sight >= dim)
        throw InputError(
            fmt::format("line_of_sight must be an axis from 0 to {}, or -1 for the last, but is {}",
                        dim - 1, o.line_of_sight));
    if (o.line_of_sight < 0) o.line_of_sight = dim - 1;
}

void check_weights(std::span<double const> weights, std::size_t n, char const* name) {
    if (weights.empty()) return;
    if (weights.size() != n)
        throw InputError(
            fmt::format("there are {} {}, but {} points: give one for each", weights.size(), name, n));
    for (std::size_t i = 0; i < n; ++i)
        if (!std::isfinite(weights[i]))
            throw InputError(
                fmt::format("{} must be finite, but that of row {} is {}", name, i, weights[i]));
}

}  // namespace

template <class T>
void check_pair_options(PairOptions& o, int dim, std::size_t n, std::size_t const* second) {
    check_edges<T>(o.edges, "edges");
    check_los<T>(o, dim);
    check_weights(o.weights, n, "weights");
    if (!second && !o.second_weights.empty())
        throw InputError("second_weights are for a second set of points, and there is none");
    std::size_t const others = second ? *second : 0;
    check_weights(o.second_weights, others, "second_weights");
    if (n + others > max_points)
        throw InputError(fmt::format("{} points in all; at most {} are possible on one device",
                                     n + others, max_points));
}

std::size_t pair_bins_at_once(PairOptions const& o) {
    if (o.bins == PairBins::distance) return std::size_t(PairsByDistance<1, float, false>::capacity);
    return two_number_bins_at_once<Cpu>(o.los_edges.size() - 1);
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
    return whole_bytes(device_tree_padding + trees - s.there * own.tree + all * each + totals);
}

namespace {

/// Refuses what a device has no memory for.
/// @param before  bytes of points that have to get there
/// @param there   points whose tree is there
template <class T, class P>
void check_device(P& device, double points, double second, int columns, PairOptions const& o,
                  std::uint64_t before, double there = 0) {
    auto const need =
        pairs_device_bytes({points, second, there, columns, sizeof(T), o.tree,
                            !o.weights.empty() || !o.second_weights.empty(), device_pair_cells(o)});
    check_device_memory(PairsAlgorithm::name, std::size_t(points + second), before + need,
                        Preparation<T, P>::available(device));
}

/// Checks a call for `size` points of `dim` columns.
template <class T, class AnyPoints>
void check_call(PairOptions& options, int dim, std::size_t size, AnyPoints const* second) {
    if (second && second->dim != dim)
        throw InputError(
            fmt::format("the second points have {} columns, but the first have {}", second->dim, dim));
    std::size_t const second_size = second ? second->size : 0;
    check_pair_options<T>(options, dim, size, second ? &second_size : nullptr);
}

template <class T, int... D, class P, class AnyPoints>
PairCounts count(Dims<D...> dims, P& place, AnyPoints points, AnyPoints const* second,
                 PairOptions options) {
    check_call<T>(options, points.dim, points.size, second);
    if constexpr (is_device<P>)
        check_device<T>(place, double(points.size), second ? double(second->size) : 0,
                        compiled_columns<P>(dims, points.dim), options,
                        brought_bytes(points) + (second ? brought_bytes(*second) : 0));
    PairTask<T, P> task{std::move(options)};
    Brought<T, P> others;
    return ask_once<PairsAlgorithm>(
        dims, place, points, task.options.box,
        task.options.tree, [&](Together<T, P> & all) -> auto const& {
            if (second) {
                others =
                    Preparation<T, P>::bring(place, *second, "second points", !task.options.box.empty());
                all.add(others);
                task.second = &others.points;
            }
            return task;
        });
}

}  // namespace

template <class T>
PairCounts count_pairs(Points<T> points, std::type_identity_t<Points<T>> const* second,
                       PairOptions const& options, Cpu const& cpu) {
    Cpu place = cpu;
    return count<T>(CpuDims{}, place, points, second, options);
}

template <class T>
PairCounts count_pairs(Points<T> points, std::type_identity_t<Points<T>> const* second,
                       PairOptions const& options, Cuda const& cuda) {
    return on_cuda<PairCounts>(CudaDims{}, cuda, [&](auto& device) {
        return count<T>(CudaDims{}, device, points, second, options);
    });
}
template <class T>
PairCounts count_pairs(DevicePoints<T> points, std::type_identity_t<DevicePoints<T>> const* second,
                       PairOptions const& options, Cuda const& cuda) {
    return on_cuda<PairCounts>(CudaDims{}, cuda, [&](auto& device) {
        return count<T>(CudaDims{}, device, points, second, options);
    });
}

template <class T, class P>
PairCounts count_pairs(Index<T, P> const& index, std::type_identity_t<PointsOn<T, P>> const* second,
                       PairOptions const& o, Kept) {
    PairOptions options = o;
    check_call<T>(options, index.dim(), index.size(), second);
    check_for_index(options.box);
    constexpr DimsOf<P> dims;
    return on_index<PairCounts>(dims, index, [&](auto& place) {
        auto const& kept = index.points();
        if constexpr (is_device<P>)
            check_device<T>(place, double(index.size()), second ? double(second->size) : 0,
                            compiled_columns<P>(dims, index.dim()), options,
                            second ? brought_bytes(*second) : 0, double(index.size()));
        PairTask<T, P> task{std::move(options)};
        Brought<T, P> others;
        if (second) {
            others = Preparation<T, P>::bring(place, *second, "second points", !kept.period.empty());
            join(place, kept, others, "second points");
            task.second = &others.points;
        }
        RunPoints<T, P> points(kept);
        return ask<PairsAlgorithm>(dims, place, points, task);
    });
}

#define ZWALK_PAIRS(T)                                                                               \
    template void check_pair_options<T>(PairOptions&, int, std::size_t, std::size_t const*);         \
    template PairCounts count_pairs(Points<T>, Points<T> const*, PairOptions const&, Cpu const&);    \
    template PairCounts count_pairs(Points<T>, Points<T> const*, PairOptions const&, Cuda const&);   \
    template PairCounts count_pairs(DevicePoints<T>, DevicePoints<T> const*, PairOptions const&,     \
                                    Cuda const&);                                                    \
    template PairCounts count_pairs(Index<T> const&, Points<T> const*, PairOptions const&, Kept);    \
    template PairCounts count_pairs(CudaIndex<T> const&, DevicePoints<T> const*, PairOptions const&, \
                                    Kept);
ZWALK_PAIRS(float)
ZWALK_PAIRS(double)

}  // namespace zwalk::inline v0::detail
