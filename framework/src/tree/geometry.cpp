#include "zwalk/tree/detail/geometry.hpp"

#include <algorithm>

namespace zwalk { inline namespace v0 {
namespace {

constexpr std::size_t point_grain = 1 << 13;
constexpr std::size_t node_grain = 1 << 9;

/// Tight boxes of ranges [first[i], first[i + 1]) of a column: lo[i], hi[i] = the least and the
/// largest of fine_lo and fine_hi in the range. With fine_lo = fine_hi = a column of points these
/// are the boxes of leaves, with those of the next finer plane the boxes of a coarser one. Ranges
/// are not empty. lo and hi are zeroed from `first.size() - 1` up to `stride`.
template <class T>
void fold_boxes(Cpu const& cpu, std::span<pos_t const> first, T const* fine_lo, T const* fine_hi, T* lo,
                T* hi, std::size_t stride) {
    std::size_t const nodes = first.size() - 1;
    std::fill(lo + nodes, lo + stride, T(0));
    std::fill(hi + nodes, hi + stride, T(0));
    cpu.run([&] {
        parallel_for(nodes, node_grain, [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i) {
                T least = fine_lo[first[i]], largest = fine_hi[first[i]];
                for (pos_t k = first[i] + 1; k < first[i + 1]; ++k) {
                    least = min_of(least, fine_lo[k]);
                    largest = max_of(largest, fine_hi[k]);
                }
                lo[i] = least;
                hi[i] = largest;
            }
        });
    });
}

}  // namespace

template <class T>
void gather_columns(Cpu const& cpu, Points<T> points, std::span<pos_t const> order, T* x,
                    std::size_t stride, int columns) {
    std::size_t const n = order.size(), dim = std::size_t(points.dim);
    for (std::size_t j = 0; j < std::size_t(columns); ++j) {
        T* const column = x + j * stride;
        std::fill(j < dim ? column + n : column, column + stride, T(0));
    }
    cpu.run([&] {
        parallel_for(n, point_grain, [&](std::size_t i, std::size_t end) {
            for (; i < end; ++i) {
                T const* const row = points.data + order[i] * dim;
                for (std::size_t j = 0; j < dim; ++j) x[j * stride + i] = row[j] + T(0);
            }
        });
    });
}

template <class T>
void set_boxes(Cpu const& cpu, Tree<T, Cpu>& tree) {
    auto const columns = std::size_t(tree.columns);
    T const *fine_lo = tree.x.data(), *fine_hi = fine_lo;
    std::size_t fine_stride = tree.stride;
    for (Plane<T, Cpu>& plane : tree.planes) {
        plane.stride = column_stride(plane.nodes());
        plane.lo = Buffer<T>(columns * plane.stride);
        plane.hi = Buffer<T>(columns * plane.stride);
        auto const& ranges = plane.child.empty() ? plane.first : plane.child;
        for (std::size_t j = 0; j < columns; ++j)
            fold_boxes(cpu, ranges, fine_lo + j * fine_stride, fine_hi + j * fine_stride,
                       plane.lo.data() + j * plane.stride, plane.hi.data() + j * plane.stride,
                       plane.stride);
        fine_lo = plane.lo.data();
        fine_hi = plane.hi.data();
        fine_stride = plane.stride;
    }
}

template void gather_columns(Cpu const&, Points<float>, std::span<pos_t const>, float*, std::size_t,
                             int);
template void gather_columns(Cpu const&, Points<double>, std::span<pos_t const>, double*, std::size_t,
                             int);
template void set_boxes(Cpu const&, Tree<float, Cpu>&);
template void set_boxes(Cpu const&, Tree<double, Cpu>&);

}}  // namespace zwalk::v0
