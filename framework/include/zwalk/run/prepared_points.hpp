// Points of a call on a place: checked and brought there, then sorted and grouped; with their space.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/device_points.hpp"
#include "zwalk/core/length_unit.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/exec/place.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/extent.hpp"
#include "zwalk/tree/known_points.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

/// Points that are ready to be walked over, in the memory of a place P. An index keeps such points.
template <class T, class P>
struct PreparedPoints {
    Tree<T, P> tree;
    int dim = 0;            ///< columns of the data; further ones of the tree are padding
    std::vector<T> period;  ///< one for each axis of the data, +infinity on open ones; empty: open space
    Extent<T> extent{
        0};  ///< that of the points, in the unit of the input; in open space it may be empty
    TreeOptions options{};  ///< options that the tree was cut with
    LengthUnit<T> unit{};   ///< that of the tree and of the period
    T largest = 0;          ///< coordinate of the input, without its sign
};

namespace detail {

/// Points as builds on a place read them.
template <class T, class P>
using PointsOn = std::conditional_t<is_device<P>, DevicePoints<T>, Points<T>>;

/// Points that have been checked, on a place.
template <class T, class P>
struct Brought {
    ArrayOn<P, T> rows;  ///< rows of points that were copied
    PointsOn<T, P> points;
    Extent<T> extent{
        0};         ///< where it was asked for or cost nothing, and where points may_span_too_much()
    T largest = 0;  ///< coordinate, without its sign
};

/// Throws InputError if squares of distances between points with coordinates of up to `there` and others of up to `largest`
/// leave the range of T in this unit. `name` stands there for the others.
template <class T>
void check_range(LengthUnit<T> const& unit, T there, T largest, std::string const& name);
/// Checks as check_range() does, for points whose unit can only be 1, as traits that were written elsewhere walk over them.
template <class T>
void check_plain_range(T largest, std::string const& name);

/// Work on points of a place, whatever the number of their columns: compiled once for each place and type. Its callers need
/// only the name of the place. Defined for CPU threads in the library, for devices
/// in device_preparation.hpp; for CudaDevice that is in the library, too.
template <class T, class P>
struct Preparation {
    /// Checks points, and copies those of the host to the device. `name` is their name in a refusal.
    /// @throws InputError  as check_points()
    static Brought<T, P> bring(P& device, Points<T> points, char const* name, bool with_extent);
    static Brought<T, P> bring(P& device, DevicePoints<T> points, char const* name, bool with_extent);
    /// Brings points from the unit of the input to this one; extent and largest stay. O(N dim), and a copy unless there is one.
    static void rescale(P& device, Brought<T, P>& points, LengthUnit<T> const& unit);
    /// x[i] *= factor for i < n.
    static void multiply(P& device, T* x, std::size_t n, T factor);
    /// Builds a tree, and adds its phases to `stats`.
    static Tree<T, P> build(P& device, DevicePoints<T> points, int columns, TreeOptions const& options,
                            Stats& stats, KnownPoints<T> const& known = {});
    static Tree<T, P> from_host(P& device, Tree<T, Cpu>&& tree);
    /// A copy in so many columns, at least those of the data.
    static Tree<T, P> from_host(P& device, Tree<T, Cpu> const& tree, int columns);
    static Tree<T, Cpu> to_host(P& device, Tree<T, P> const& tree);
    static DeviceBuffer<T> buffer(P& device, std::size_t n);
    /// Bytes of memory that could still be had.
    static std::uint64_t available(P& device);
    static std::uint64_t memory_budget(P& device);
};
template <class T>
struct Preparation<T, Cpu> {
    static Brought<T, Cpu> bring(Cpu const& cpu, Points<T> points, char const* name, bool with_extent);
    static void rescale(Cpu const& cpu, Brought<T, Cpu>& points, LengthUnit<T> const& unit);
    static void multiply(Cpu const& cpu, T* x, std::size_t n, T factor);
    /// What is known saves launches, and these are a device's.
    static Tree<T, Cpu> build(Cpu const& cpu, Points<T> points, int columns, TreeOptions const& options,
                              Stats& stats, KnownPoints<T> const& known = {});
    static Tree<T, Cpu> from_host(Cpu const&, Tree<T, Cpu>&& tree) { return std::move(tree); }
    static Tree<T, Cpu> const& to_host(Cpu const&, Tree<T, Cpu> const& tree) { return tree; }
};

/// Lengths in another unit.
template <class T>
std::vector<T> in_unit(std::vector<T> lengths, LengthUnit<T> const& unit) {
    for (T& length : lengths) length = unit.in(length);
    return lengths;
}

/// An extent in another unit.
template <class T>
Extent<T> in_unit(Extent<T> extent, LengthUnit<T> const& unit) {
    return {in_unit(std::move(extent.lo), unit), in_unit(std::move(extent.hi), unit)};
}

/// The extent where it is known, else what follows from the largest coordinate.
template <class T>
Extent<T> extent_or_bound(Extent<T> const& extent, int dim, T largest) {
    if (!extent.lo.empty()) return extent;
    Extent<T> bound(dim);
    std::fill(bound.lo.begin(), bound.lo.end(), -largest);
    std::fill(bound.hi.begin(), bound.hi.end(), largest);
    return bound;
}

/// All points that meet in a call: what they need of the space.
template <class T, class P>
struct Together {
    Extent<T> extent;  ///< that of all, if they have any
    T largest;         ///< coordinate, without its sign
    Brought<T, P> const* points;
    Brought<T, P>* others = nullptr;

    explicit Together(Brought<T, P> const& first)
        : extent(first.extent), largest(first.largest), points(&first) {}
    /// Adds further points. Both must stay where they are.
    void add(Brought<T, P>& more) {
        others = &more;
        largest = std::max(largest, more.largest);
        if (!extent.lo.empty() && !more.extent.lo.empty()) extent.add(more.extent);
    }
    /// Throws InputError if no T holds their distances.
    void check_distances() const {
        if (!may_span_too_much(largest)) return;
        int const dim = points->points.dim;
        auto all = extent_or_bound(points->extent, dim, points->largest);
        if (others) all.add(extent_or_bound(others->extent, dim, others->largest));
        check_span(all.lo.data(), all.hi.data(), dim);
    }
};

/// Prepares points that were brought to a place, in `columns` >= points.dim columns. The rows are given back.
/// @param box     the box of the user's options
/// @param extent  the extent of all points that have to fit into it
/// @param unit    the unit that the points are in; box and extent are in that of the input
/// @throws InputError  as checked_period()
template <class T, class P>
PreparedPoints<T, P> prepare(P& place, Brought<T, P> brought, std::vector<double> const& box,
                             Extent<T> const& extent, LengthUnit<T> const& unit, int columns,
                             TreeOptions const& options, Stats& stats) {
    auto period = in_unit(checked_period_of_both(box, brought.extent, extent), unit);
    auto tree = Preparation<T, P>::build(place, brought.points, columns, options, stats,
                                         {in_unit(brought.extent, unit)});
    return {
        std::move(tree), brought.points.dim, std::move(period), std::move(brought.extent), options, unit,
        brought.largest};
}

/// Throws InputError unless further points fit into the space of those that are there, and into the range that squares of
/// distances have in their unit. `name` is the name of the further points in a refusal.
/// @param extent   the extent of the further points; where there is no box, it may be empty
/// @param largest  their largest coordinate, without its sign
template <class T, class P>
void check_fit(PreparedPoints<T, P> const& points, Extent<T> extent, T largest,
               std::string const& name) {
    check_range(points.unit, points.largest, largest, name);
    if (may_span_too_much(std::max(points.largest, largest))) {
        auto all = extent_or_bound(points.extent, points.dim, points.largest);
        all.add(extent_or_bound(extent, points.dim, largest));
        check_span(all.lo.data(), all.hi.data(), points.dim, ("points and " + name).c_str());
    }
    if (points.period.empty()) return;
    auto period = points.period;
    for (T& length : period) length = points.unit.out(length);
    auto const fits = [&](std::string const& whose) {
        check_box(extent.lo.data(), extent.hi.data(), period.data(), points.dim, whose.c_str());
    };
    fits(name);
    extent.add(points.extent);
    fits("points and " + name + " together");
}
/// Brings further points into the unit of the points that are there.
/// @throws InputError  as check_fit()
template <class T, class P>
void join(P& place, PreparedPoints<T, P> const& points, Brought<T, P>& others, char const* name) {
    check_fit(points, others.extent, others.largest, name);
    if (!points.unit.is_plain()) Preparation<T, P>::rescale(place, others, points.unit);
}

}  // namespace detail
}}  // namespace zwalk::v0
