// Exact k-nearest neighbours: the public interface.
#pragma once
#include <cstdint>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/knn/neighbours.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk::inline v0 {

struct KnnOptions {
    index_t k = 16;             ///< neighbours per query, >= 1; may exceed the number of sources
    bool exclude_self = false;  ///< self query only: a point is no neighbour of itself
    std::vector<double> box{};  ///< empty: open. One period for all axes, or one each; 0 = open axis
    Order order = Order::input;
    TreeOptions tree{};
};

/// Neighbours, in the memory of a place P (exec/place.hpp).
template <class T, class P = Cpu>
struct KnnResult {
    std::size_t rows = 0;     ///< queries
    std::size_t columns = 0;  ///< k
    /// Neighbours of row i at [i * columns, (i + 1) * columns), nearest first; ties go to the
    /// source that is first in z-order. -1 where there are fewer than k sources.
    ArrayOn<P, index_t> indices;
    ArrayOn<P, T> distances;  ///< Euclidean distances to them; infinity where there is none
    /// Only for Order::z: input index of each row, and of each source that `indices` refers to.
    ArrayOn<P, pos_t> row_order, source_order;
    Stats stats;
};

/// The k nearest neighbours of every point among all points (each point is its own first
/// neighbour unless exclude_self).
///
/// Exact: equal to brute force in the precision T with the distance of core/space.hpp. The same
/// bits for every number of threads and every tree option. O(N log N) to sort, O(N k) to write,
/// close to O(N) in between for D <= 4.
///
/// The memory budget of the place: where it is small, separate queries are answered in batches. At least the points
/// must be sorted and held (16 bytes each, then 10 and a copy of the coordinates), with 4 bytes per query and a small
/// batch. A budget below that is exceeded. knn/memory.hpp predicts all of it.
///
/// @throws InputError  k < 1, coordinates that are not finite (row and column are named), a
///                     dimension other than 1..64, a box smaller than the data's extent, too many
///                     points for one device.
template <class T>
KnnResult<T> knn(Points<T> points, KnnOptions const& options = {}, Cpu const& cpu = Cpu());

/// The k nearest sources of every query. `exclude_self` must be off.
template <class T>
KnnResult<T> knn(Points<T> sources, Points<T> queries, KnnOptions const& options = {},
                 Cpu const& cpu = Cpu());

namespace detail {
template <class T>
Stats visit_knn(Points<T> sources, Points<T> const* queries, KnnVisitor<T> const& visitor,
                KnnOptions const& options, Cpu const& cpu);
}  // namespace detail

/// Calls f(row, neighbours) once for every point, with its k nearest among all points: for sums over
/// neighbours, densities, counts, histograms, without an array of N k neighbours.
///
/// f: `void operator()(index_t row, Neighbours<T> const& neighbours) const`. It is called by several
/// threads at once, in no particular order, each row once; row is that of the point in the input (or in
/// z-order, with Order::z). Writing to element `row` of an array needs no lock. If it throws, so does
/// knn_visit, and some rows stay unvisited.
///
/// The same neighbours as knn(), the same errors, O(N) memory for any k.
template <class T, class F>
Stats knn_visit(Points<T> points, F const& f, KnnOptions const& options = {}, Cpu const& cpu = Cpu()) {
    return detail::visit_knn<T>(points, nullptr, make_visitor<T>(f), options, cpu);
}
/// The same for every query, with its k nearest sources.
template <class T, class F>
Stats knn_visit(Points<T> sources, Points<T> queries, F const& f, KnnOptions const& options = {},
                Cpu const& cpu = Cpu()) {
    return detail::visit_knn<T>(sources, &queries, make_visitor<T>(f), options, cpu);
}

// All of them also take what Points can be made from.
template <class Rows>
requires requires(Rows const& r) { Points(r); }
auto knn(Rows const& points, KnnOptions const& options = {}, Cpu const& cpu = Cpu()) {
    return knn(Points(points), options, cpu);
}
template <class Rows, class Queries>
requires requires(Rows const& r, Queries const& q) { Points(r), Points(q); }
auto knn(Rows const& sources, Queries const& queries, KnnOptions const& options = {},
         Cpu const& cpu = Cpu()) {
    return knn(Points(sources), Points(queries), options, cpu);
}
template <class Rows, class F>
requires requires(Rows const& r) { Points(r); }
Stats knn_visit(Rows const& points, F const& f, KnnOptions const& options = {}, Cpu const& cpu = Cpu()) {
    return knn_visit(Points(points), f, options, cpu);
}
template <class Rows, class Queries, class F>
requires requires(Rows const& r, Queries const& q) { Points(r), Points(q); }
Stats knn_visit(Rows const& sources, Queries const& queries, F const& f, KnnOptions const& options = {},
                Cpu const& cpu = Cpu()) {
    return knn_visit(Points(sources), Points(queries), f, options, cpu);
}

extern template KnnResult<float> knn(Points<float>, KnnOptions const&, Cpu const&);
extern template KnnResult<double> knn(Points<double>, KnnOptions const&, Cpu const&);
extern template KnnResult<float> knn(Points<float>, Points<float>, KnnOptions const&, Cpu const&);
extern template KnnResult<double> knn(Points<double>, Points<double>, KnnOptions const&, Cpu const&);

}  // namespace zwalk::inline v0
