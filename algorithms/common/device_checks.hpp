// What is checked of points that are on a device (exec/device.hpp).
#pragma once
#include <cmath>
#include <optional>

#include "cuda_session.hpp"
#include "zwalk/core/space.hpp"
#include "zwalk/exec/device.hpp"

namespace zwalk::inline v0::detail {

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

}  // namespace zwalk::inline v0::detail
