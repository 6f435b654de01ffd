// Coordinates of a hierarchy: points in columns, tight boxes of nodes.
#pragma once
#include <span>
#include <vector>

#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/tree/hierarchy.hpp"

namespace zwalk::inline v0 {

/// Elements from one column to the next for n used ones: with `column_padding`, and a multiple of
/// 16, so that all columns are aligned alike.
inline std::size_t column_stride(std::size_t n) { return (n + column_padding + 15) / 16 * 16; }

/// Fills `columns` columns of `stride` elements: coordinate j of element i is that of row order[i].
/// -0 becomes +0; columns that the points don't have, and the padding, become 0. Parallel,
/// O(columns * stride).
template <class T>
void gather_columns(Cpu const& cpu, Points<T> points, std::span<pos_t const> order, T* x,
                    std::size_t stride, int columns);

/// The same in new memory, with stride `column_stride(order.size())`.
template <class T>
Buffer<T> columns_of(Cpu const& cpu, Points<T> points, std::span<pos_t const> order, int columns) {
    std::size_t const stride = column_stride(order.size());
    Buffer<T> x(std::size_t(columns) * stride);
    gather_columns(cpu, points, order, x.data(), stride, columns);
    return x;
}

/// Tight boxes of ranges [first[i], first[i + 1]) of a column: lo[i], hi[i] = the least and the
/// largest of fine_lo and fine_hi in the range. With fine_lo = fine_hi = a column of points these
/// are the boxes of leaves, with those of the next finer plane the boxes of a coarser one. Ranges
/// are not empty. lo and hi are zeroed from `first.size() - 1` up to `stride`. Parallel.
template <class T>
void fold_boxes(Cpu const& cpu, std::span<pos_t const> first, T const* fine_lo, T const* fine_hi, T* lo,
                T* hi, std::size_t stride);

/// Tight boxes of all nodes of all planes, bottom-up. O(D (N + nodes)), parallel.
template <int D, class T>
void set_boxes(Cpu const& cpu, Hierarchy<D, T>& tree) {
    T const *fine_lo = tree.x.data(), *fine_hi = fine_lo;
    std::size_t fine_stride = tree.stride;
    for (Plane<D, T>& plane : tree.planes) {
        plane.stride = column_stride(plane.nodes());
        plane.lo = Buffer<T>(D * plane.stride);
        plane.hi = Buffer<T>(D * plane.stride);
        auto const& ranges = plane.child.empty() ? plane.first : plane.child;
        for (std::size_t j = 0; j < D; ++j)
            fold_boxes(cpu, ranges, fine_lo + j * fine_stride, fine_hi + j * fine_stride,
                       plane.lo.data() + j * plane.stride, plane.hi.data() + j * plane.stride,
                       plane.stride);
        fine_lo = plane.lo.data();
        fine_hi = plane.hi.data();
        fine_stride = plane.stride;
    }
}

}  // namespace zwalk::inline v0
