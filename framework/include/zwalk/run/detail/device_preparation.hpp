// Points on a device (exec/device.hpp), whatever the number of their columns: how prepared_points.hpp does it there.
// Include the device first.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "zwalk/core/space.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/run/phases.hpp"
#include "zwalk/run/prepared_points.hpp"
#include "zwalk/tree/copy_tree.hpp"
#include "zwalk/tree/device_build.hpp"
#include "zwalk/zorder/device_extent.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The first coordinate of points that isn't finite.
template <class T>
struct BadCoordinate {
    pos_t row;
    int column;
    T value;
};

/// Points with a coordinate that isn't finite.
template <class T>
struct FlagNotFinite {
    DevicePoints<T> points;
    std::uint8_t* flag;
    ZWALK_HD void operator()(std::size_t i) const {
        bool finite = true;
        for (int j = 0; j < points.dim; ++j) finite = finite && abs_of(points[i][j]) < infinity<T>;
        flag[i] = !finite;
    }
};

/// The first coordinate that is not finite, if there is one.
template <class T, class Device>
std::optional<BadCoordinate<T>> find_not_finite(Device& device, DevicePoints<T> points) {
    auto bad = device.template buffer<std::uint8_t>(points.size);
    device.for_each(points.size, FlagNotFinite<T>{points, bad.data()});
    pos_t const n = points.size ? device.count(bad.data(), points.size) : 0;
    if (n == 0) return std::nullopt;
    auto rows = device.template buffer<pos_t>(n);
    device.positions(bad.data(), points.size, rows.data());
    BadCoordinate<T> found{};
    device.download(&found.row, rows.data(), 1);
    for (; found.column < points.dim; ++found.column) {
        device.download(&found.value,
                        points[found.row].x + std::size_t(found.column) * points.column_stride, 1);
        if (!std::isfinite(found.value)) break;
    }
    return found;
}

template <class T, class Device>
Extent<T> extent_on(Device& device, DevicePoints<T> points) {
    Extent<T> extent(points.dim);
    auto const intervals = device_extent(device, points);
    for (std::size_t j = 0; j < intervals.size(); ++j) {
        extent.lo[j] = intervals[j].lo;
        extent.hi[j] = intervals[j].hi;
    }
    return extent;
}

template <class T>
struct RescaleRows {
    DevicePoints<T> from;
    T* to;
    T factor;
    ZWALK_HD void operator()(std::size_t i) const {
        for (int j = 0; j < from.dim; ++j)
            to[i * std::size_t(from.dim) + std::size_t(j)] = from[i][j] * factor;
    }
};

template <class T, class P>
Brought<T, P> Preparation<T, P>::bring(P& device, Points<T> points, char const* name, bool with_extent) {
    auto checked = Preparation<T, Cpu>::bring(Cpu(), points, name, with_extent);
    auto rows = device.template buffer<T>(points.size * std::size_t(points.dim));
    device.upload(rows.data(), points.data, rows.size());
    DevicePoints<T> const there(rows.data(), points.size, points.dim);
    return {std::move(rows), there, std::move(checked.extent), checked.largest};
}

template <class T, class P>
Brought<T, P> Preparation<T, P>::bring(P& device, DevicePoints<T> points, char const* name, bool) {
    check_shape(points.size, points.dim, name);
    // One wait, unless it is to be found out which point to refuse.
    auto extent = extent_on(device, points);
    auto const is_finite = [](T x) { return std::isfinite(x); };
    if (points.size > 0 && !(std::all_of(extent.lo.begin(), extent.lo.end(), is_finite) &&
                             std::all_of(extent.hi.begin(), extent.hi.end(), is_finite)))
        if (auto const bad = find_not_finite(device, points))
            refuse_not_finite(bad->row, bad->column, double(bad->value), name);
    T const largest = largest_of(extent);
    return {{}, points, std::move(extent), largest};
}

template <class T, class P>
void Preparation<T, P>::rescale(P& device, Brought<T, P>& points, LengthUnit<T> const& unit) {
    DevicePoints<T> const from = points.points;
    auto rows = device.template buffer<T>(from.size * std::size_t(from.dim));
    device.for_each(from.size, RescaleRows<T>{from, rows.data(), unit.inverse()});
    points.points = {rows.data(), from.size, from.dim};
    points.rows = std::move(rows);
}
template <class T, class P>
void Preparation<T, P>::multiply(P& device, T* x, std::size_t n, T factor) {
    device.for_each(n, MultiplyAll<T>{x, factor});
}

template <class T, class P>
Tree<T, P> Preparation<T, P>::build(P& device, DevicePoints<T> points, int columns,
                                    TreeOptions const& options, Stats& stats,
                                    KnownPoints<T> const& known) {
    RunPhases phases(device);
    auto tree = build_tree(device, points, columns, options, known);
    phases.end(stats, "build");
    return tree;
}

template <class T, class P>
Tree<T, P> Preparation<T, P>::from_host(P& device, Tree<T, Cpu>&& tree) {
    return from_host(device, tree, tree.columns);
}
template <class T, class P>
Tree<T, P> Preparation<T, P>::from_host(P& device, Tree<T, Cpu> const& tree, int columns) {
    Cpu host;
    return copy_tree(device, host, tree, columns);
}
template <class T, class P>
Tree<T, Cpu> Preparation<T, P>::to_host(P& device, Tree<T, P> const& tree) {
    Cpu host;
    return copy_tree(host, device, tree);
}

template <class T, class P>
DeviceBuffer<T> Preparation<T, P>::buffer(P& device, std::size_t n) {
    return device.template buffer<T>(n);
}
template <class T, class P>
std::uint64_t Preparation<T, P>::available(P& device) {
    return device.available();
}
template <class T, class P>
std::uint64_t Preparation<T, P>::memory_budget(P& device) {
    return device.memory_budget();
}

}}}  // namespace zwalk::v0::detail
