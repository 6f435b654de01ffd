// Radius search: all points within a distance, counted, listed, or shown to an object of the user's. The public interface.
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/lists/writers.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk::inline v0 {

struct RadiusOptions {
    /// Sources no further away than this are found; >= 0 and finite, in the unit of the points. It is rounded to their
    /// precision: a source is found if the distance that is reported is <= radius, as friends-of-friends have it.
    double radius = 0;
    /// Instead of `radius` one for each query, or for each point where these are their own queries: in the order of the input,
    /// on the host. Empty: one for all. What a search costs follows what is found: a node has the largest radius in it.
    std::span<double const> radii{};
    /// With radii, and without queries: a pair is found, from both sides, if its distance is at most the larger of its radii.
    bool larger = false;
    bool exclude_self =
        false;  ///< self query only: a point doesn't find itself (others at the same place it does)
    bool distances = true;      ///< radius_search: also keep the distances
    std::vector<double> box{};  ///< empty: open. One period for all axes, or one each; 0 = open axis
    /// In a periodic box: all images of a source within the radius are found, not only the nearest one; each is an entry of its
    /// own, and a point's own images are found by itself, too. For radii beyond half of the box. Points on the host, in one call of
    /// radius_search() or radius_count(), which makes the copies: as many bytes as the points around them take.
    bool images = false;
    Order order = Order::input;
    TreeOptions tree{};
};

/// What is within the radius of each query, in the memory of a place P (exec/place.hpp).
template <class T, class P = Cpu>
struct RadiusResult {
    /// radius_count() only: how many sources each query has.
    ArrayOn<P, index_t> counts;
    /// radius_search() only: row i of the result is [offsets[i], offsets[i + 1]) of the arrays below. One more than there
    /// are queries.
    ArrayOn<P, size_type> offsets;
    /// Rows of the sources, nearest first; ties in ascending order. In a periodic box a source is found once, by its
    /// nearest image, unless RadiusOptions::images.
    ArrayOn<P, index_t> indices;
    ArrayOn<P, T> distances;  ///< Euclidean distances to them, if asked for
    size_type found = 0;      ///< sources in all; of a visit 0
    /// Only for Order::z: input index of each row, and of each source that `indices` refers to.
    ArrayOn<P, pos_t> row_order, source_order;
    Stats stats;
};

namespace detail {
/// What is made of the sources within the radius.
enum class RadiusWork { count, search, visit };

// The functions that those below call. Without queries the points are their own queries.
template <class T>
RadiusResult<T> find_radius(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& options, Cpu const& cpu, RadiusWork work,
                            ListVisitor<T> const& visitor = {});
template <class T>
RadiusResult<T> find_radius(Index<T> const& index, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& options, RadiusWork work,
                            ListVisitor<T> const& visitor = {});
template <class T>
RadiusResult<T> find_radius(CudaIndex<T> const& index, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& options, RadiusWork work);
}  // namespace detail

/// How many points are within the radius of each point (itself included unless exclude_self), without listing them: groups
/// of points that are all near enough are counted as a whole.
///
/// Exact: equal to brute force in the precision of the points with the distance of core/space.hpp. The same bits for
/// every number of threads and every tree option. O(N log N) to sort; the walk takes O(N) for a radius of a few mean
/// spacings, and grows with the surface of the balls, not with what they hold. O(N) memory.
/// @throws InputError  a radius that is negative or not finite (of several, its row is named), radii of another number than
///                     there are queries, beside `radius`, or `larger` without radii or with queries, coordinates that are not finite (row and column are
///                     named), a dimension other than 1..64, a box smaller than the data's extent, too many points for one
///                     device
template <PointRows Rows>
RadiusResult<RealOf<Rows>> radius_count(Rows const& points, RadiusOptions const& options,
                                        Cpu const& cpu = Cpu()) {
    return detail::find_radius(Points(points), nullptr, options, cpu, detail::RadiusWork::count);
}
/// How many sources are within the radius of every query. `exclude_self` must be off.
template <PointRows Sources, PointRows Queries>
RadiusResult<RealOf<Sources>> radius_count(Sources const& sources, Queries const& queries,
                                           RadiusOptions const& options, Cpu const& cpu = Cpu()) {
    Points const asked(queries);
    return detail::find_radius(Points(sources), &asked, options, cpu, detail::RadiusWork::count);
}

/// All points within the radius of each point, in CSR form: nearest first, ties by row, with distances.
///
/// They are counted first; then the memory of the result is allocated once, and lists are filled: 12 bytes for each
/// entry (float; 16 for double), 8 without distances. O(m log m) for a row of m on top of the count.
/// @throws as radius_count()
/// @throws Error  the result needs more memory than is free, or than the memory budget of the place; reported before it is made
template <PointRows Rows>
RadiusResult<RealOf<Rows>> radius_search(Rows const& points, RadiusOptions const& options,
                                         Cpu const& cpu = Cpu()) {
    return detail::find_radius(Points(points), nullptr, options, cpu, detail::RadiusWork::search);
}
/// radius_search() of every query: all sources within its radius. `exclude_self` must be off.
template <PointRows Sources, PointRows Queries>
RadiusResult<RealOf<Sources>> radius_search(Sources const& sources, Queries const& queries,
                                            RadiusOptions const& options, Cpu const& cpu = Cpu()) {
    Points const asked(queries);
    return detail::find_radius(Points(sources), &asked, options, cpu, detail::RadiusWork::search);
}

/// Searches points that an index keeps (run/index.hpp), with equal bits: for each of them, or for each query. Results are on the
/// host, also those of a CudaIndex. Box, tree options and place are the index's.
///
/// The cost of queries follows their number, not that of the sources. Any number of threads may search one index at once;
/// not so on a GPU. With Order::z, `source_order` stays empty on CPUs: it is index.z_order().
/// @throws InputError  as radius_count(); another number of columns, queries that don't fit into the box together with the
///                     sources, exclude_self with queries, or the options have a box
template <class T, class P>
RadiusResult<T> radius_count(Index<T, P> const& index, RadiusOptions const& options) {
    return detail::find_radius(index, nullptr, options, detail::RadiusWork::count);
}
template <class T, class P, PointRows Queries = Points<T>>
RadiusResult<T> radius_count(Index<T, P> const& index, Queries const& queries,
                             RadiusOptions const& options) {
    Points<T> const asked(queries);
    return detail::find_radius(index, &asked, options, detail::RadiusWork::count);
}
template <class T, class P>
RadiusResult<T> radius_search(Index<T, P> const& index, RadiusOptions const& options) {
    return detail::find_radius(index, nullptr, options, detail::RadiusWork::search);
}
template <class T, class P, PointRows Queries = Points<T>>
RadiusResult<T> radius_search(Index<T, P> const& index, Queries const& queries,
                              RadiusOptions const& options) {
    Points<T> const asked(queries);
    return detail::find_radius(index, &asked, options, detail::RadiusWork::search);
}

/// Calls f(row, list) once for every point, with all points within the radius, nearest first: for sums over neighbours
/// without an array of them. There is no count before, and no memory but for some lists per thread.
///
/// f: `void operator()(index_t row, NearestFirst<T> const& list) const`. It is called by several threads at once, in no
/// particular order, each row once. Writing to element `row` of an array needs no lock. If it throws, so does
/// radius_visit, and some rows stay unvisited.
/// @throws as radius_count()
template <PointRows Rows, class F>
Stats radius_visit(Rows const& points, F const& f, RadiusOptions const& options,
                   Cpu const& cpu = Cpu()) {
    auto const visitor = make_list_visitor<RealOf<Rows>>(f);
    return detail::find_radius(Points(points), nullptr, options, cpu, detail::RadiusWork::visit, visitor)
        .stats;
}
/// Calls f(row, list) once for every query, with all sources within its radius.
template <PointRows Sources, PointRows Queries, class F>
Stats radius_visit(Sources const& sources, Queries const& queries, F const& f,
                   RadiusOptions const& options, Cpu const& cpu = Cpu()) {
    Points const asked(queries);
    auto const visitor = make_list_visitor<RealOf<Sources>>(f);
    return detail::find_radius(Points(sources), &asked, options, cpu, detail::RadiusWork::visit, visitor)
        .stats;
}
/// radius_visit() of points that an index keeps, each of them or queries.
template <class T, class F>
Stats radius_visit(Index<T> const& index, F const& f, RadiusOptions const& options) {
    return detail::find_radius(index, nullptr, options, detail::RadiusWork::visit,
                               make_list_visitor<T>(f))
        .stats;
}
template <class T, PointRows Queries = Points<T>, class F>
Stats radius_visit(Index<T> const& index, Queries const& queries, F const& f,
                   RadiusOptions const& options) {
    Points<T> const asked(queries);
    return detail::find_radius(index, &asked, options, detail::RadiusWork::visit,
                               make_list_visitor<T>(f))
        .stats;
}

}  // namespace zwalk::inline v0
