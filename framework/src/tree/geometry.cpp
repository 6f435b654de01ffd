#include "zwalk/tree/geometry.hpp"

#include <algorithm>

namespace zwalk::inline v0 {
namespace {

constexpr std::size_t point_grain = 1 << 13;
constexpr std::size_t node_grain = 1 << 9;

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

template void gather_columns(Cpu const&, Points<float>, std::span<pos_t const>, float*, std::size_t,
                             int);
template void gather_columns(Cpu const&, Points<double>, std::span<pos_t const>, double*, std::size_t,
                             int);
template void fold_boxes(Cpu const&, std::span<pos_t const>, float const*, float const*, float*, float*,
                         std::size_t);
template void fold_boxes(Cpu const&, std::span<pos_t const>, double const*, double const*, double*,
                         double*, std::size_t);

}  // namespace zwalk::inline v0
