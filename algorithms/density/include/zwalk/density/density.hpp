// One number for every point from its k nearest neighbours, without lists of these: densities, and the distance to the k-th.
// For any place. For objects of your own: knn_visit (knn/knn.hpp).
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/core/masses.hpp"
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
/// @throws InputError  the reduction has no masses in it
void check_has_masses(Reduction what);
/// @throws InputError  k masses together may be more than a double holds
template <class T>
void check_sums_of_masses(std::span<T const> masses, index_t k);
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

/// @param queries  a view, or nullptr
template <class Source, class Queries, class Masses, class... Where>
auto mass_density_at(Source const& sources, Queries queries, Masses const& given, Reduction what,
                     KnnOptions const& options, Where const&... where) {
    static_assert(
        !walks_on_gpu<Source, Where...> && !(std::is_same_v<Where, Mpi> || ...) &&
            kind_of<Source> != SourceKind::rank_index,
        "zwalk: knn_mass_density() is for threads of one process; elsewhere there is knn_visit()");
    auto const f = [&]<class S>(S const& source, auto const&) {
        using T = RealIn<S>;
        std::span<T const> const masses(given);
        Points<T> targets(nullptr, 0, 0);
        if constexpr (kind_of<S> == SourceKind::index)
            targets.size = source.size(), targets.dim = source.dim();
        else targets = source;
        check_has_masses(what);
        check_reduction(what, targets.dim, options);
        check_masses_shape(targets.size, masses.size());
        check_masses(masses);
        check_sums_of_masses(masses, options.k);
        if (options.order == Order::z)
            throw InputError("masses are by row of the input: leave out Order::z");
        if constexpr (!std::is_null_pointer_v<Queries>) targets.size = queries->size;
        KnnReduced<T> r;
        r.values = Buffer<T>(targets.size);
        with_masses(what, r.values.data(), targets.dim, masses.data(), [&](auto const& object) {
            r.stats = visit_knn_at(sources, queries, object, options, where...);
        });
        settle_densities<T>(r.values);
        return r;
    };
    return at_place(f, sources, where...);
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

/// The same where points have masses: mass per volume instead of points per volume, or the SPH density of these masses
/// (reduce.hpp: BallMass, SphDensity).
/// @param points  rows, or an index, on threads of this process
/// @param masses  by row of the points, > 0: what a std::span<T const> is made from
/// @throws as knn_reduce(); InputError: masses that aren't finite and above 0, or not as many as points; Reduction::radius
template <class Source, class Masses, class... Where>
auto knn_mass_density(Source const& points, Masses const& masses, Reduction what,
                      KnnOptions const& options = {}, Where const&... where) {
    return detail::mass_density_at(points, nullptr, masses, what, options, where...);
}
/// knn_mass_density() at every query, of its k nearest sources.
template <class Source, class Queries, class Masses, class... Where>
auto knn_mass_density(Source const& sources, Queries const& queries, Masses const& masses,
                      Reduction what, KnnOptions const& options = {}, Where const&... where) {
    auto const asked = detail::others_of(queries);
    return detail::mass_density_at(sources, &asked, masses, what, options, where...);
}

}}  // namespace zwalk::v0
