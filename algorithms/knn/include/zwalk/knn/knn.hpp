// Exact k-nearest neighbours: the public interface.
#pragma once
#include <type_traits>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/nearest/neighbours.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk::inline v0 {

struct KnnOptions {
    index_t k = 16;             ///< neighbours per query, >= 1; may exceed the number of sources
    bool exclude_self = false;  ///< self query only: a point is no neighbour of itself
    /// The k nearest of those whose distance, as it is reported, is at most this. Sources further away aren't looked at.
    double within = infinity<double>;
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
    /// source that is first in z-order. -1 where there are fewer than k sources, or fewer are near enough.
    ArrayOn<P, index_t> indices;
    ArrayOn<P, T> distances;  ///< Euclidean distances to them; infinity where there is none
    /// Only for Order::z: input index of each row, and of each source that `indices` refers to.
    ArrayOn<P, pos_t> row_order, source_order;
    Stats stats;
};

namespace detail {
// The functions that those below call. Without queries the points are their own queries; with a visitor the result has no rows.
template <class T>
KnnResult<T> find_knn(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                      KnnOptions const& options, Cpu const& cpu,
                      NeighbourVisitor<T> const& visitor = {});
template <class T>
KnnResult<T> find_knn(Index<T> const& index, std::type_identity_t<Points<T>> const* queries,
                      KnnOptions const& options, NeighbourVisitor<T> const& visitor = {});
template <class T>
KnnResult<T> find_knn(CudaIndex<T> const& index, std::type_identity_t<Points<T>> const* queries,
                      KnnOptions const& options);
}  // namespace detail

/// The k nearest neighbours of every point among all points (each point is its own first
/// neighbour unless exclude_self). `points` is what Points can be made from.
///
/// Exact: equal to brute force in the precision of the points with the distance of core/space.hpp. The same
/// bits for every number of threads and every tree option. O(N log N) to sort, O(N k) to write,
/// close to O(N) in between for D <= 4.
///
/// The memory budget of the place: where it is small, separate queries are answered in batches. At least the points
/// must be sorted and held (16 bytes each, then 10 and a copy of the coordinates), with 4 bytes per query and a small
/// batch. A budget below that is exceeded. knn/memory.hpp predicts all of it.
///
/// @throws InputError  k < 1, within < 0, coordinates that are not finite (row and column are named), a
///                     dimension other than 1..64, a box smaller than the data's extent, too many
///                     points for one device.
template <PointRows Rows>
KnnResult<RealOf<Rows>> knn(Rows const& points, KnnOptions const& options = {}, Cpu const& cpu = Cpu()) {
    return detail::find_knn(Points(points), nullptr, options, cpu);
}
/// The k nearest sources of every query. `exclude_self` must be off.
template <PointRows Sources, PointRows Queries>
KnnResult<RealOf<Sources>> knn(Sources const& sources, Queries const& queries,
                               KnnOptions const& options = {}, Cpu const& cpu = Cpu()) {
    Points const asked(queries);
    return detail::find_knn(Points(sources), &asked, options, cpu);
}

/// knn() of points that an index keeps (run/index.hpp), with equal bits: for each of them, or for each query. Results are on the
/// host, also those of a CudaIndex. Box, tree options and place are the index's.
///
/// The cost of queries follows their number n, not the number N of sources: O(n (log N + k)) for few, O(n log n + n k)
/// for many. A single one takes a microsecond or a few and needs no threads, many run on all of them. Any number of
/// threads may search one index at once; not so on a GPU.
///
/// With Order::z, `source_order` stays empty on CPUs: it is index.z_order(), and copying it would take O(N).
/// @throws InputError  k < 1, another number of columns, coordinates that are not finite, queries that don't fit into
///                     the box together with the sources, exclude_self with queries, or the options have a box
template <class T, class P>
KnnResult<T> knn(Index<T, P> const& index, KnnOptions const& options = {}) {
    return detail::find_knn(index, nullptr, options);
}
template <class T, class P, PointRows Queries = Points<T>>
KnnResult<T> knn(Index<T, P> const& index, Queries const& queries, KnnOptions const& options = {}) {
    Points<T> const asked(queries);
    return detail::find_knn(index, &asked, options);
}

/// Calls f(row, neighbours) once for every point, with its k nearest among all points: for sums over
/// neighbours, densities, counts, histograms, without an array of N k neighbours.
///
/// f: `void operator()(index_t row, Neighbours<T> const& neighbours) const`. It is called by several
/// threads at once, in no particular order, each row once; row is that of the point in the input (or in
/// z-order, with Order::z). Writing to element `row` of an array needs no lock. If it throws, so does
/// knn_visit, and some rows stay unvisited.
///
/// The same neighbours as knn(), the same errors, O(N) memory for any k.
template <PointRows Rows, class F>
Stats knn_visit(Rows const& points, F const& f, KnnOptions const& options = {}, Cpu const& cpu = Cpu()) {
    auto const visitor = make_visitor<RealOf<Rows>>(f);
    return detail::find_knn(Points(points), nullptr, options, cpu, visitor).stats;
}
/// Calls f(row, neighbours) once for every query, with its k nearest sources.
template <PointRows Sources, PointRows Queries, class F>
Stats knn_visit(Sources const& sources, Queries const& queries, F const& f,
                KnnOptions const& options = {}, Cpu const& cpu = Cpu()) {
    Points const asked(queries);
    auto const visitor = make_visitor<RealOf<Sources>>(f);
    return detail::find_knn(Points(sources), &asked, options, cpu, visitor).stats;
}
/// knn_visit() of points that an index keeps, each of them or queries. @throws InputError  as knn() of an index
template <class T, class F>
Stats knn_visit(Index<T> const& index, F const& f, KnnOptions const& options = {}) {
    return detail::find_knn(index, nullptr, options, make_visitor<T>(f)).stats;
}
template <class T, PointRows Queries = Points<T>, class F>
Stats knn_visit(Index<T> const& index, Queries const& queries, F const& f,
                KnnOptions const& options = {}) {
    Points<T> const asked(queries);
    return detail::find_knn(index, &asked, options, make_visitor<T>(f)).stats;
}

}  // namespace zwalk::inline v0
