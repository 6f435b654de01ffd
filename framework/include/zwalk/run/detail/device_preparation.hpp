// Points on a device (exec/device.hpp), whatever the number of their columns: how prepared_points.hpp does it there.
// Include the device first.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "zwalk/core/space.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/run/phases.hpp"
#include "zwalk/run/prepared_points.hpp"
#include "zwalk/tree/copy_tree.hpp"
#include "zwalk/tree/device_build.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Where the largest coordinate of each point is between these, no algorithm needs another unit (gravity needs one first).
template <class T>
inline constexpr T usual_least = T(1) / (1 << 10);
template <class T>
inline constexpr T usual_largest = 1 << 20;

/// The first coordinate of points that isn't finite.
template <class T>
struct BadCoordinate {
    pos_t row;
    int column;
    T value;
};

/// Points whose largest coordinate isn't 0 and isn't within these limits; those with one that isn't finite among them.
template <class T>
struct FlagRowsOutside {
    DevicePoints<T> points;
    T least, largest;
    std::uint8_t* flag;
    ZWALK_HD void operator()(std::size_t i) const {
        T most = 0;
        bool finite = true;
        for (int j = 0; j < points.dim; ++j) {
            T const a = abs_of(points[i][j]);
            finite = finite && a < infinity<T>;
            most = max_of(most, a);
        }
        flag[i] = !(finite && (most == 0 || most >= least) && most <= largest);
    }
};

/// Flags those points, and returns how many there are. Waits.
template <class T, class Device>
pos_t flag_rows_outside(Device& device, DevicePoints<T> points, T least, T largest,
                        DeviceBuffer<std::uint8_t>& flag) {
    flag = device.template buffer<std::uint8_t>(points.size);
    device.for_each(points.size, FlagRowsOutside<T>{points, least, largest, flag.data()});
    return points.size ? device.count(flag.data(), points.size) : 0;
}

/// The first coordinate that is not finite, if there is one.
template <class T, class Device>
std::optional<BadCoordinate<T>> find_not_finite(Device& device, DevicePoints<T> points) {
    DeviceBuffer<std::uint8_t> bad;
    pos_t const n = flag_rows_outside(device, points, T(0), std::numeric_limits<T>::max(), bad);
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
    if (points.size == 0) return extent;
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
Brought<T, P> Preparation<T, P>::bring(P& device, DevicePoints<T> points, char const* name,
                                       bool with_extent) {
    check_shape(points.size, points.dim, name);
    // One wait where all points are as usual: points far from 1 are looked at more closely.
    DeviceBuffer<std::uint8_t> unusual;
    bool const usual = flag_rows_outside(device, points, usual_least<T>, usual_largest<T>, unusual) == 0;
    unusual = {};
    if (usual)
        return {{}, points, with_extent ? extent_on(device, points) : Extent<T>(0), usual_largest<T>};
    if (auto const bad = find_not_finite(device, points))
        refuse_not_finite(bad->row, bad->column, double(bad->value), name);
    auto extent = extent_on(device, points);
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
                                    TreeOptions const& options, Stats& stats) {
    RunPhases phases(device);
    auto tree = build_tree(device, points, columns, options);
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
