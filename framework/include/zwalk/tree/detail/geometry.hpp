// Coordinates of a tree on the host: points in columns, tight boxes of nodes.
#pragma once
#include <span>
#include <vector>

#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

/// Fills `columns` columns of `stride` elements: coordinate j of element i is that of row order[i].
/// -0 becomes +0; columns that the points don't have, and the padding, become 0. Parallel,
/// O(columns * stride).
template <class T>
void gather_columns(Cpu const& cpu, Points<T> points, std::span<pos_t const> order, T* x,
                    std::size_t stride, int columns);

/// The columns of gather_columns() in new memory, with stride `column_stride(order.size())`.
template <class T>
Buffer<T> columns_of(Cpu const& cpu, Points<T> points, std::span<pos_t const> order, int columns) {
    std::size_t const stride = column_stride(order.size());
    auto x = cpu.buffer<T>(std::size_t(columns) * stride);
    gather_columns(cpu, points, order, x.data(), stride, columns);
    return x;
}

/// Tight boxes of all nodes of all planes, bottom-up. O(D (N + nodes)), parallel.
template <class T>
void set_boxes(Cpu const& cpu, Tree<T, Cpu>& tree);

}}  // namespace zwalk::v0
