// From points to trees on a device.
#pragma once
#include <utility>
#include <vector>

#include "zwalk/tree/detail/device_planes.hpp"
#include "zwalk/tree/known_points.hpp"
#include "zwalk/tree/tree.hpp"
#include "zwalk/zorder/device_sort.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {

/// Rows in z-order as columns; -0 becomes +0, and what isn't there 0. All columns at once: a row is one or two
/// sectors of memory, scattered.
template <class T>
struct GatherColumns {
    DevicePoints<T> points;
    pos_t* order;
    bool as_they_are;  ///< the order is to become that of the rows
    int columns;
    std::size_t stride;
    T* x;
    ZWALK_HD void operator()(std::size_t i) const {
        bool const there = i < points.size;
        if (as_they_are && there) order[i] = pos_t(i);
        auto const row = points[!there ? 0 : as_they_are ? i : order[i]];
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // two or three columns; ptxas would spill for four at a time
#endif
        for (int j = 0; j < columns; ++j)
            x[std::size_t(j) * stride + i] = there && j < points.dim ? row[j] + T(0) : T(0);
    }
};

/// Boxes of the nodes of a plane.
template <class T>
struct BoxesOf {
    pos_t const* range;  ///< each node's points or children
    T *lo, *hi;
    std::size_t nodes, stride;

    BoxesOf() : range(nullptr), lo(nullptr), hi(nullptr), nodes(0), stride(0) {}
    template <class Device>
    explicit BoxesOf(Plane<T, Device>& plane)
        : range((plane.child.empty() ? plane.first : plane.child).data()),
          lo(plane.lo.data()),
          hi(plane.hi.data()),
          nodes(plane.nodes()),
          stride(plane.stride) {}
};
/// Tight boxes: of the points of leaves, or of the children of nodes. The padding is 0. Elements behind those of a plane are nodes of
/// the one above it, whose boxes are those of their grandchildren.
template <class T>
struct FoldBoxes {
    BoxesOf<T> plane, above;
    T const *fine_lo, *fine_hi;
    std::size_t fine_stride;
    int columns;
    ZWALK_HD void operator()(std::size_t at) const {
        bool const is_above = at >= plane.stride;
        // Of each member one: a whole of two of them would be in memory.
        auto const own = [is_above](auto of_above, auto of_plane) {
            return is_above ? of_above : of_plane;
        };
        std::size_t const i = at - own(plane.stride, std::size_t(0)),
                          nodes = own(above.nodes, plane.nodes),
                          stride = own(above.stride, plane.stride);
        pos_t const* const range = own(above.range, plane.range);
        T *const lo = own(above.lo, plane.lo), *const hi = own(above.hi, plane.hi);
        pos_t begin = i < nodes ? range[i] : 0, end = i < nodes ? range[i + 1] : 0;
        if (is_above) {
            begin = plane.range[begin];
            end = plane.range[end];
        }
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
        for (int j = 0; j < columns; ++j) {
            T const* const from_lo = fine_lo + std::size_t(j) * fine_stride;
            T const* const from_hi = fine_hi + std::size_t(j) * fine_stride;
            T least = 0, largest = 0;
            if (begin < end) {
                least = from_lo[begin];
                largest = from_hi[begin];
                for (pos_t k = begin + 1; k < end; ++k) {
                    least = min_of(least, from_lo[k]);
                    largest = max_of(largest, from_hi[k]);
                }
            }
            lo[std::size_t(j) * stride + i] = least;
            hi[std::size_t(j) * stride + i] = largest;
        }
    }
};

/// How many of the sorted points `among` come before each of the sorted `points`; behind the last: all.
template <class T>
struct ZRanks {
    DevicePoints<T> points, among;
    pos_t* rank;
    ZWALK_HD void operator()(std::size_t i) const {
        std::size_t from = 0, end = among.size;
        if (i == points.size) from = end;
        while (from < end) {
            std::size_t const middle = from + (end - from) / 2;
            auto const p = among[middle], q = points[i];
            int const axis = z_difference<T>(p, q, points.dim).axis;
            if (p[axis] < q[axis]) from = middle + 1;
            else end = middle;
        }
        rank[i] = pos_t(from);
    }
};

/// Points as the columns of a tree without planes, in this order.
/// @param as_they_are  the order is that of the rows: nobody has written it
template <class T, class Device>
Tree<T, Device> columns_in_order(Device& device, DevicePoints<T> points, int columns,
                                 DeviceBuffer<pos_t>&& order, bool as_they_are = false) {
    Tree<T, Device> tree;
    tree.columns = columns;
    tree.input = std::move(order);
    tree.stride = column_stride(points.size);
    tree.x = device.template buffer<T>(std::size_t(columns) * tree.stride);
    device.for_each(tree.stride, GatherColumns<T>{points, tree.input.data(), as_they_are, columns,
                                                  tree.stride, tree.x.data()});
    return tree;
}

/// The extent that is known, as a sort takes it.
template <class T>
std::vector<Interval<T>> intervals_of(Extent<T> const& extent) {
    std::vector<Interval<T>> intervals;
    for (std::size_t j = 0; j < extent.lo.size(); ++j) intervals.push_back({extent.lo[j], extent.hi[j]});
    return intervals;
}

/// Points in z-order as the columns of a tree without planes.
template <class T, class Device>
Tree<T, Device> sorted_columns(Device& device, DevicePoints<T> points, int columns,
                               Extent<T> const& known) {
    return columns_in_order(device, points, columns, device_z_sort(device, points, intervals_of(known)));
}
/// Points in the order of the input as the columns of a tree without planes.
template <class T, class Device>
Tree<T, Device> unsorted_columns(Device& device, DevicePoints<T> points, int columns) {
    return columns_in_order(device, points, columns, device.template buffer<pos_t>(points.size), true);
}

/// The first `dim` columns of a tree's points.
template <class T, class Device>
DevicePoints<T> columns_of(Tree<T, Device> const& tree, int dim) {
    return {tree.x.data(), tree.size(), dim, 1, tree.stride};
}

/// Adds the planes of `cuts` and their boxes.
template <class T, class Device>
void set_planes(Device& device, Tree<T, Device>& tree, std::vector<DeviceCut>&& cuts) {
    for (DeviceCut& cut : cuts) {
        Plane<T, Device>& plane = tree.planes.emplace_back();
        plane.first = std::move(cut.first);
        plane.child = std::move(cut.child);
        plane.stride = column_stride(plane.nodes());
        plane.lo = device.template buffer<T>(std::size_t(tree.columns) * plane.stride);
        plane.hi = device.template buffer<T>(std::size_t(tree.columns) * plane.stride);
    }
    T const *fine_lo = tree.x.data(), *fine_hi = fine_lo;
    std::size_t fine_stride = tree.stride;
    for (std::size_t p = 0; p < tree.planes.size(); ++p) {
        FoldBoxes<T> fold{BoxesOf<T>(tree.planes[p]), {}, fine_lo, fine_hi, fine_stride, tree.columns};
        // Of few nodes two planes at a time: more of them would wait longer for their memory than for another launch.
        if (p > 0 && p + 1 < tree.planes.size() && tree.planes[p].nodes() <= few_nodes)
            fold.above = BoxesOf<T>(tree.planes[++p]);
        device.for_each(fold.plane.stride + fold.above.stride, fold);
        Plane<T, Device> const& last = tree.planes[p];
        fine_lo = last.lo.data();
        fine_hi = last.hi.data();
        fine_stride = last.stride;
    }
}

/// The tree of points in `columns` columns, with the planes of cut(tree, levels of its gaps, unsorted).
/// @param cut  calls device_cut_planes()
template <class T, class Device, class Cut>
Tree<T, Device> sorted_tree(Device& device, DevicePoints<T> points, int columns,
                            KnownPoints<T> const& known, Cut const& cut) {
    auto const extent = intervals_of(known.extent);
    // Of few points the host gets to know together with their leaves whether they are in order.
    for (bool is_settled = known.sorted || points.size > gaps_of_few_nodes;; is_settled = true) {
        auto tree = known.sorted ? unsorted_columns(device, points, columns)
                                 : columns_in_order(device, points, columns,
                                                    is_settled ? device_z_sort(device, points, extent)
                                                               : usual_z_sort(device, points, extent));
        auto unsorted = device.template buffer<pos_t>(is_settled ? 0 : 1);
        device.zero(unsorted.data(), unsorted.size());
        auto const level = device_gap_levels(device, columns_of(tree, points.dim), unsorted.data());
        auto cuts = cut(tree, level.data(), unsorted.data());
        if (cuts.empty() && points.size > 0) continue;
        set_planes(device, tree, std::move(cuts));
        return tree;
    }
}

}  // namespace detail

/// The tree of points on a device, with `columns` >= points.dim columns. The same planes as on the host for
/// the same options (joint.hpp).
template <class T, class Device>
Tree<T, Device> build_tree(Device& device, DevicePoints<T> points, int columns,
                           TreeOptions const& options = {}, KnownPoints<T> const& known = {}) {
    return detail::sorted_tree(device, points, columns, known,
                               [&](auto const& tree, level_t const* level, pos_t const* unsorted) {
                                   return device_cut_planes<T>(device, level, tree.size(), points.dim,
                                                               {}, options, unsorted);
                               });
}

/// The tree of points that walk against the existing one of `sources`, as on the host (targets.hpp).
template <class T, class Device>
Tree<T, Device> build_targets(Device& device, DevicePoints<T> points, Tree<T, Device> const& sources,
                              TreeOptions const& options = {}, KnownPoints<T> const& known = {}) {
    auto const cut = [&](auto const& tree, level_t const* level, pos_t const* unsorted) {
        auto rank = device.template buffer<pos_t>(points.size + 1);
        device.for_each(rank.size(),
                        detail::ZRanks<T>{detail::columns_of(tree, points.dim),
                                          detail::columns_of(sources, points.dim), rank.data()});
        auto cuts = device_cut_planes<T>(device, level, tree.size(), points.dim,
                                         {rank.data(), sources.size()}, options, unsorted);
        while (!cuts.empty() &&
               cuts.size() < sources.planes.size()) {  // every top node its own only child
            DeviceCut& top = cuts.back();
            DeviceCut same;
            same.nodes = top.nodes;
            same.first = device.template buffer<pos_t>(top.first.size());
            same.child = device.template buffer<pos_t>(top.first.size());
            device.copy(same.first.data(), top.first.data(), top.first.size());
            device.for_each(same.child.size(), Iota{same.child.data()});
            cuts.push_back(std::move(same));
        }
        return cuts;
    };
    return detail::sorted_tree(device, points, sources.columns, known, cut);
}

}}  // namespace zwalk::v0
