// Points of a call on a place: checked and brought there, then sorted and grouped; they know their space.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/device_points.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/exec/place.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/extent.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk::inline v0 {

/// Points that are ready to be walked over, in the memory of a place P. What an index keeps.
template <class T, class P>
struct PreparedPoints {
    Tree<T, P> tree;
    int dim = 0;            ///< columns of the data; further ones of the tree are padding
    std::vector<T> period;  ///< of each axis of the data, +infinity on open ones; empty: open space
    Extent<T> extent{0};    ///< of the points; empty in open space
    TreeOptions options{};  ///< that the tree was cut with
};

namespace detail {

/// Points as builds on a place read them.
template <class T, class P>
using PointsOn = std::conditional_t<is_device<P>, DevicePoints<T>, Points<T>>;

/// Points that have been checked, on a place.
template <class T, class P>
struct Brought {
    DeviceBuffer<T> rows;  ///< of points that were copied to a device
    PointsOn<T, P> points;
    Extent<T> extent{0};  ///< where it was asked for
};

/// What is done with points on a place whatever the number of their columns: compiled once for each place and type, and
/// called by code that needn't know more of the place than its name. Defined for CPU threads in the library, for devices
/// in device_preparation.hpp; for CudaDevice that is in the library, too.
template <class T, class P>
struct Preparation {
    /// Checks points, and copies those of the host to the device. `name` is what a refusal calls them.
    /// @throws InputError  as check_points()
    static Brought<T, P> bring(P& device, Points<T> points, char const* name, bool with_extent);
    static Brought<T, P> bring(P& device, DevicePoints<T> points, char const* name, bool with_extent);
    /// Adds its phases to `stats`.
    static Tree<T, P> build(P& device, DevicePoints<T> points, int columns, TreeOptions const& options,
                            Stats& stats);
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
    static Tree<T, Cpu> build(Cpu const& cpu, Points<T> points, int columns, TreeOptions const& options,
                              Stats& stats);
    static Tree<T, Cpu> from_host(Cpu const&, Tree<T, Cpu>&& tree) { return std::move(tree); }
    static Tree<T, Cpu> const& to_host(Cpu const&, Tree<T, Cpu> const& tree) { return tree; }
};

/// Prepares points that were brought to a place, in `columns` >= points.dim columns. The rows are given back.
/// @param box     of the user's options
/// @param extent  of all points that have to fit into it
/// @throws InputError  as checked_period()
template <class T, class P>
PreparedPoints<T, P> prepare(P& place, Brought<T, P> brought, std::vector<double> const& box,
                             Extent<T> const& extent, int columns, TreeOptions const& options,
                             Stats& stats) {
    auto period = checked_period(box, extent);
    auto tree = Preparation<T, P>::build(place, brought.points, columns, options, stats);
    return {std::move(tree), brought.points.dim, std::move(period), std::move(brought.extent), options};
}

/// Throws InputError unless further points of this extent fit into the space of those that are there. `name` is what a
/// refusal calls them.
template <class T, class P>
void check_fit(PreparedPoints<T, P> const& points, Extent<T> extent, std::string const& name) {
    if (points.period.empty()) return;
    auto const fits = [&](std::string const& whose) {
        check_box(extent.lo.data(), extent.hi.data(), points.period.data(), points.dim, whose.c_str());
    };
    fits(name);
    extent.add(points.extent);
    fits("points and " + name + " together");
}

}  // namespace detail
}  // namespace zwalk::inline v0
