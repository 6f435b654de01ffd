// One number for every point from its k nearest neighbours, without lists of these: densities, and the distance to the k-th.
// For any place. For objects of your own: knn_visit (knn/knn.hpp).
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/density/reduce.hpp"
#include "zwalk/knn/knn.hpp"

namespace zwalk { inline namespace v0 {

/// Numbers in the memory of the host, for any place P; on ranks (P = Mpi) of this rank's rows.
template <class T, class P = Cpu>
struct KnnReduced {
    Buffer<T> values;            ///< one per query
    Buffer<RowOn<P>> row_order;  ///< on ranks, with Order::z: the rows of the input that these are
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

struct ReduceAsked : KnnOptions {
    Reduction what = Reduction::radius;
};
struct ReduceAlgorithm;
struct ReduceCall : KnnCall {
    using Algorithm = ReduceAlgorithm;
    using Options = ReduceAsked;
    template <class T, class P>
    using Result = KnnReduced<T, P>;
};

/// @param queries  a view, or nullptr
template <class Source, class Queries, class... Where>
auto reduce_knn_at(Source const& sources, Queries queries, Reduction what, KnnOptions const& options,
                   Where const&... where) {
    constexpr bool here = kind_of<Source> != SourceKind::device &&
                          !std::is_same_v<Queries, DevicePoints<float> const*> &&
                          !std::is_same_v<Queries, DevicePoints<double> const*>;
    static_assert(
        here,
        "zwalk: knn_reduce() takes points and queries on the host, and an index; for those of a "
        "device there is knn_visit()");
    auto const f = [&](auto const& source, auto const& place) {
        return search_at<ReduceCall>(source, queries, {options, what}, place);
    };
    if constexpr (here) return at_place(f, sources, where...);
}
}  // namespace detail

/// What the object that `what` stands for (reduce.hpp; no masses) makes of the k nearest of every point, by row of the
/// points. The same bits on every place. On ranks 4 or 8 bytes of each go home.
/// @param points  rows, or an index, and `where` they are searched: run/where.hpp has the combinations. The result is a KnnReduced<T> on
///                the host, on ranks a KnnReduced<T, Mpi>
/// @throws as knn(); InputError: sph in more than three dimensions; densities most of which leave the range of T
template <class Source, class... Where>
auto knn_reduce(Source const& points, Reduction what, KnnOptions const& options = {},
                Where const&... where) {
    return detail::reduce_knn_at(points, nullptr, what, options, where...);
}
/// knn_reduce() of every query, with its k nearest sources.
template <class Source, class Queries, class... Where>
auto knn_reduce(Source const& sources, Queries const& queries, Reduction what,
                KnnOptions const& options = {}, Where const&... where) {
    auto const asked = detail::others_of(queries);
    return detail::reduce_knn_at(sources, &asked, what, options, where...);
}

}}  // namespace zwalk::v0
