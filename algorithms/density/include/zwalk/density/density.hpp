// One number for every point from its k nearest neighbours, without lists of these: densities, and the distance to the k-th.
// For objects of your own: knn_visit (knn/knn.hpp; knn/knn_visit.cuh on a GPU).
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>

#include "zwalk/density/reduce.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/knn/knn.hpp"

namespace zwalk::inline v0 {

template <class T>
struct KnnReduced {
    Buffer<T> values;  ///< one per query
    Stats stats;
};

namespace detail {
/// @throws InputError  the reduction isn't for points of so many dimensions, or not of neighbours within some distance
void check_reduction(Reduction what, int dim, KnnOptions const& options);
/// How many densities have left the range of T (reduce.hpp), of how many.
struct LostDensities {
    std::uint64_t lost = 0, all = 0;
};
template <class T>
LostDensities lost_densities(std::span<T const> values);
/// Makes 0 and infinity of densities that have left the range.
/// @param of_call  these values, and those that others (ranks) have of the same points
/// @throws InputError  most of the call have left it
template <class T>
void settle_densities(std::span<T> values, LostDensities const& of_call);
template <class T>
void settle_densities(std::span<T> values) {
    settle_densities(values, lost_densities<T>(values));
}

/// A place of one process, as users name it.
template <class Place>
concept OnePlace = std::is_same_v<Place, Cpu> || std::is_same_v<Place, Cuda>;

// The functions that those below call. Without queries the points are their own queries.
template <class T>
KnnReduced<T> reduce_knn(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                         Reduction what, KnnOptions const& options, Cpu const& cpu);
template <class T>
KnnReduced<T> reduce_knn(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                         Reduction what, KnnOptions const& options, Cuda const& cuda);
template <class T>
KnnReduced<T> reduce_knn(Index<T> const& index, std::type_identity_t<Points<T>> const* queries,
                         Reduction what, KnnOptions const& options);
template <class T>
KnnReduced<T> reduce_knn(CudaIndex<T> const& index, std::type_identity_t<Points<T>> const* queries,
                         Reduction what, KnnOptions const& options);
}  // namespace detail

/// What the object that `what` stands for (reduce.hpp; no masses) makes of the k nearest of every point, by row of the
/// points. The same bits on every place.
/// @param place  Cpu or Cuda
/// @throws InputError  as knn(points, options, place); sph in more than three dimensions; densities most of which leave the range of T
template <PointRows Rows, detail::OnePlace Place = Cpu>
KnnReduced<RealOf<Rows>> knn_reduce(Rows const& points, Reduction what, KnnOptions const& options,
                                    Place const& place = Place()) {
    return detail::reduce_knn(Points(points), nullptr, what, options, place);
}
/// knn_reduce() of every query, with its k nearest sources.
template <PointRows Sources, PointRows Queries, detail::OnePlace Place = Cpu>
KnnReduced<RealOf<Sources>> knn_reduce(Sources const& sources, Queries const& queries, Reduction what,
                                       KnnOptions const& options, Place const& place = Place()) {
    Points const asked(queries);
    return detail::reduce_knn(Points(sources), &asked, what, options, place);
}
/// knn_reduce() of points that an index keeps, each of them or queries. @throws InputError  as knn() of an index, too
template <class T, class P>
KnnReduced<T> knn_reduce(Index<T, P> const& index, Reduction what, KnnOptions const& options) {
    return detail::reduce_knn(index, nullptr, what, options);
}
template <class T, class P, PointRows Queries = Points<T>>
KnnReduced<T> knn_reduce(Index<T, P> const& index, Queries const& queries, Reduction what,
                         KnnOptions const& options) {
    Points<T> const asked(queries);
    return detail::reduce_knn(index, &asked, what, options);
}

}  // namespace zwalk::inline v0
