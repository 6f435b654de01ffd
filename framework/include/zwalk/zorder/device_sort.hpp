// The z-sort on a device (exec/device.hpp). Include the device's header first.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "zwalk/core/device_points.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/zorder/compare.hpp"
#include "zwalk/zorder/device_extent.hpp"
#include "zwalk/zorder/key.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {

template <class T>
struct MakeKeys {
    DevicePoints<T> points;
    KeyPlan plan;
    std::uint64_t* key;
    pos_t* row;
    ZWALK_HD void operator()(std::size_t i) const {
        key[i] = z_key_of<T>(plan, points[i]);
        row[i] = pos_t(i);
    }
};

/// Keys that are equal to a neighbour's.
struct FlagTies {
    std::uint64_t const* key;
    std::size_t size;
    std::uint8_t* tied;
    ZWALK_HD void operator()(std::size_t i) const {
        tied[i] = (i > 0 && key[i - 1] == key[i]) || (i + 1 < size && key[i + 1] == key[i]);
    }
};

// Once in an object, not in each of the hundreds of places of a merge sort that call it: that took two minutes to compile
// and made 9 MB of code, and it waits for coordinates anyhow. Arguments by value stay in registers, an object wouldn't.
#if defined(__CUDACC__)
#define ZWALK_HD_CALL __host__ __device__ __noinline__
#else
#define ZWALK_HD_CALL inline
#endif

template <class T>
ZWALK_HD_CALL bool row_before(T const* data, std::size_t row_stride, std::size_t column_stride, int dim,
                              pos_t a, pos_t b) {
    StridedPoint<T> const p{data + a * row_stride, column_stride},
        q{data + b * row_stride, column_stride};
    int const axis = z_difference<T>(p, q, dim).axis;
    return p[axis] < q[axis];
}
#undef ZWALK_HD_CALL

/// The full order of two rows. Equal points are left to the stable sort.
template <class T>
struct RowBefore {
    DevicePoints<T> points;
    ZWALK_HD bool operator()(pos_t a, pos_t b) const {
        return row_before(points.data, points.row_stride, points.column_stride, points.dim, a, b);
    }
};

/// Sorts anew, by the exact comparator, the points of a short run of equal keys, at the first of them.
template <class T>
struct SettleShortRuns {
    static constexpr std::size_t longest = 16;
    DevicePoints<T> points;
    std::uint64_t const* key;
    pos_t* row;
    ZWALK_HD void operator()(std::size_t begin) const {
        std::uint64_t const own = key[begin];
        if (begin > 0 && key[begin - 1] == own) return;
        std::size_t const most = min_of(begin + longest + 1, points.size);
        std::size_t end = begin + 1;
        while (end < most && key[end] == own) ++end;
        if (end - begin > longest) return;
        for (std::size_t i = begin + 1; i < end; ++i) {  // equal points stay as they are
            pos_t const moved = row[i];
            std::size_t at = i;
            for (; at > begin && is_before(moved, row[at - 1]); --at) row[at] = row[at - 1];
            row[at] = moved;
        }
    }

  private:
    [[nodiscard]] ZWALK_HD bool is_before(pos_t a, pos_t b) const {
        auto const p = points[a], q = points[b];
        int const axis = z_difference<T>(p, q, points.dim).axis;
        return p[axis] < q[axis];
    }
};

struct ScatterAt {
    pos_t const *from, *at;
    pos_t* to;
    ZWALK_HD void operator()(std::size_t i) const { to[at[i]] = from[i]; }
};

/// Sorts anew, by the exact comparator, what has equal keys. Ties are settled in one sort of all of
/// them: the comparator agrees with the keys, so every run stays where it is.
template <class T, class Device>
void settle_ties(Device& device, DevicePoints<T> points, std::uint64_t const* key, pos_t* row) {
    if (points.size == 0) return;
    auto tied = device.template buffer<std::uint8_t>(points.size);
    device.for_each(points.size, FlagTies{key, points.size, tied.data()});
    pos_t const ties = device.count(tied.data(), points.size);
    if (ties == 0) return;
    auto at = device.template buffer<pos_t>(ties), rows = device.template buffer<pos_t>(ties);
    device.positions(tied.data(), points.size, at.data());
    device.for_each(ties, Gather<pos_t>{row, at.data(), rows.data()});
    merge_sort(device, rows.data(), ties, RowBefore<T>{points});
    device.for_each(ties, ScatterAt{rows.data(), at.data(), row});
}

/// Rows of points in the order of their keys.
struct KeyOrder {
    DeviceBuffer<std::uint64_t> key;
    DeviceBuffer<pos_t> row;
};
/// Sorts points by 64-bit prefixes of their Morton codes. One wait, unless their extent is known.
template <class T, class Device>
KeyOrder sort_by_keys(Device& device, DevicePoints<T> points, std::vector<Interval<T>> const& known) {
    KeyOrder order{device.template buffer<std::uint64_t>(points.size),
                   device.template buffer<pos_t>(points.size)};
    if (points.size == 0) return order;
    auto const extent = known.empty() ? device_extent(device, points) : known;
    KeyWindow windows[max_dim];
    for (std::size_t j = 0; j < extent.size(); ++j) windows[j] = key_window(extent[j].lo, extent[j].hi);
    device.for_each(points.size, MakeKeys<T>{points, make_key_plan(windows, points.dim),
                                             order.key.data(), order.row.data()});
    device.sort_pairs(order.key.data(), order.row.data(), points.size);
    return order;
}

/// The z-order of points, but for more than SettleShortRuns::longest different ones whose keys tie: GapLevels finds these. Waits as
/// sort_by_keys().
template <class T, class Device>
DeviceBuffer<pos_t> usual_z_sort(Device& device, DevicePoints<T> points,
                                 std::vector<Interval<T>> const& extent = {}) {
    auto order = sort_by_keys(device, points, extent);
    device.for_each(points.size, SettleShortRuns<T>{points, order.key.data(), order.row.data()});
    return std::move(order.row);
}

}  // namespace detail

/// The z-order of points, as z_sort() gives it: the row of the point that is i-th on the curve.
///
/// A radix sort of 64-bit prefixes of the Morton codes, then a merge sort of the points that tie, by the
/// exact comparator. Points whose keys all tie (one outlier far away) cost a comparison sort of all of
/// them, some times the radix sort, whatever the distribution. Memory beside the result: 12 bytes per
/// point and what the sorts need.
///
/// @param extent  that of the points, as device_extent() finds it; empty: it isn't known
template <class T, class Device>
DeviceBuffer<pos_t> device_z_sort(Device& device, DevicePoints<T> points,
                                  std::vector<detail::Interval<T>> const& extent = {}) {
    auto order = detail::sort_by_keys(device, points, extent);
    detail::settle_ties(device, points, order.key.data(), order.row.data());
    return std::move(order.row);
}

}}  // namespace zwalk::v0
