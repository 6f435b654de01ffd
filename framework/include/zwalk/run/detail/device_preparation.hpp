// Points on a device (exec/device.hpp), whatever the number of their columns: how prepared_points.hpp does it there.
// Include the device first.
#pragma once
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

namespace zwalk::inline v0::detail {

/// The first coordinate of points that isn't finite.
template <class T>
struct BadCoordinate {
    pos_t row;
    int column;
    T value;
};

/// Points with a coordinate that isn't finite.
template <class T>
struct FlagBadRows {
    DevicePoints<T> points;
    std::uint8_t* bad;
    ZWALK_HD void operator()(std::size_t i) const {
        bool finite = true;
        for (int j = 0; j < points.dim; ++j) finite = finite && abs_of(points[i][j]) < infinity<T>;
        bad[i] = !finite;
    }
};

/// The first coordinate that is not finite, if there is one. One wait if there is none.
template <class T, class Device>
std::optional<BadCoordinate<T>> find_not_finite(Device& device, DevicePoints<T> points) {
    auto bad = device.template buffer<std::uint8_t>(points.size);
    device.for_each(points.size, FlagBadRows<T>{points, bad.data()});
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

template <class T, class P>
Brought<T, P> Preparation<T, P>::bring(P& device, Points<T> points, char const* name, bool with_extent) {
    auto checked = Preparation<T, Cpu>::bring(Cpu(), points, name, with_extent);
    auto rows = device.template buffer<T>(points.size * std::size_t(points.dim));
    device.upload(rows.data(), points.data, rows.size());
    DevicePoints<T> const there(rows.data(), points.size, points.dim);
    return {std::move(rows), there, std::move(checked.extent)};
}

template <class T, class P>
Brought<T, P> Preparation<T, P>::bring(P& device, DevicePoints<T> points, char const* name,
                                       bool with_extent) {
    check_shape(points.size, points.dim, name);
    if (auto const bad = find_not_finite(device, points))
        refuse_not_finite(bad->row, bad->column, double(bad->value), name);
    Extent<T> extent(points.dim);
    if (with_extent && points.size > 0) {
        auto const intervals = device_extent(device, points);
        for (std::size_t j = 0; j < intervals.size(); ++j) {
            extent.lo[j] = intervals[j].lo;
            extent.hi[j] = intervals[j].hi;
        }
    }
    return {{}, points, std::move(extent)};
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

}  // namespace zwalk::inline v0::detail
