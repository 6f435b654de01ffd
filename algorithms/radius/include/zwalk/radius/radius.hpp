// Radius search: all points within a distance, counted, listed, or shown to an object of the user's. The public interface.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/lists/writers.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/run/where.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

struct RadiusOptions {
    /// Sources no further away than this are found; >= 0 and finite, in the unit of the points. It is rounded to their
    /// precision: a source is found if the distance that is reported is <= radius, as friends-of-friends have it.
    double radius = 0;
    /// Instead of `radius` one for each query, or for each point where these are their own queries: in the order of the input,
    /// on the host. Empty: one for all. What a search costs follows what is found: a node has the largest radius in it. A view: it
    /// must live until the call returns.
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

/// What is within the radius of each query, in the memory of a place P (exec/place.hpp). On MPI ranks (P = Mpi) each has the lists of
/// its rows.
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
    /// Only for Order::z: input index of each row, and of each source that `indices` refers to. On ranks `indices` are positions in
    /// the z-order of all sources then, and source_order, which there is for queries alone, is that of this rank's range of it.
    ArrayOn<P, RowOn<P>> row_order, source_order;
    Stats stats;
};

namespace detail {
/// What is made of the sources within the radius.
enum class RadiusWork { count, search, visit };

/// A user's object that looks at lists of either precision; the other one is empty.
struct RadiusVisitor {
    ListVisitor<float> of_float{};
    ListVisitor<double> of_double{};

    template <class T>
    [[nodiscard]] ListVisitor<T> get() const {
        if constexpr (std::is_same_v<T, float>) return of_float;
        else return of_double;
    }
};
struct RadiusAsked : RadiusOptions {
    RadiusWork work = RadiusWork::search;
    /// Of a visit of points among themselves, with one radius and not on ranks: each pair comes in the list of either of its points,
    /// no point in its own, and lists are in no order.
    bool once = false;
    /// Of a visit, on threads. False: lists may come in any order, which saves their sort.
    bool in_order = true;
    RadiusVisitor visitor{};  ///< of a visit, on threads
};

struct RadiusAlgorithm;
struct RadiusCall {
    using Algorithm = RadiusAlgorithm;
    using Options = RadiusAsked;
    template <class T, class P>
    using Result = RadiusResult<T, P>;
    template <class T, class P>
    using OthersOfIndex = Points<T>;
    static constexpr bool result_of_index_on_host = true;
};

/// The search with RadiusOptions::images.
/// @param queries  null: the points are their own
template <class T, class Where>
RadiusResult<T> find_images(Points<T> sources, Points<T> const* queries, RadiusAsked const& asked,
                            Where const& where);
/// Rows that find more are no longer few.
inline constexpr index_t few_found = 512;
/// The search for few queries, where each of them finds little; else nothing, and it has to be made otherwise. The same bits either way.
template <class T>
std::optional<RadiusResult<T>> search_few(Index<T> const& index, Points<T> queries,
                                          RadiusAsked const& asked);
/// Throws InputError for images in a search in `where`, which finds the nearest one only.
void refuse_images(RadiusOptions const& options, char const* where);

/// @param queries  a view, or nullptr: points are their own
/// @param visit    a user's object, or nullptr
template <class Source, class Queries, class F, class... Where>
auto find_radius_at(Source const& sources, Queries queries, [[maybe_unused]] F const& visit,
                    RadiusAsked asked, Where const&... where) {
    auto const f = [&]<class S, class Place>(S const& source, Place const& place) {
        constexpr SourceKind kind = kind_of<S>;
        using T = RealIn<S>;
        static_assert(
            can_meet<S, Queries>(),
            "zwalk: queries have the precision of the points, and are where these are: on the host, or "
            "DevicePoints for DevicePoints");
        if constexpr (!std::is_null_pointer_v<F>) {
            constexpr bool fits = std::is_invocable_v<F const&, index_t, NearestFirst<T> const&>;
            static_assert(fits,
                          "zwalk: radius_visit() calls f(row, list): f needs `void operator()(index_t "
                          "row, NearestFirst<T> const& list) const`, T being that of the points");
            if constexpr (fits && std::is_same_v<T, float>)
                asked.visitor.of_float = make_list_visitor<T>(visit);
            else if constexpr (fits) asked.visitor.of_double = make_list_visitor<T>(visit);
        }
        if constexpr (can_meet<S, Queries>()) {
            if constexpr (kind == SourceKind::index) refuse_images(asked, "an index");
            // One condition at a time: clang looks into what depends on S before it knows S.
            if constexpr (!std::is_null_pointer_v<Queries>)
                if constexpr (std::is_same_v<S, Index<T>>)
                    if (auto few = search_few<T>(source, *queries, asked)) return std::move(*few);
            if constexpr (kind == SourceKind::device)
                refuse_images(asked, "a search for points that are on a device");
            if constexpr (kind == SourceKind::rows)
                if (asked.images) return find_images<T, Place>(source, queries, asked, place);
            return Called<RadiusCall, S, Place>::run(source, queries, asked, place);
        }
    };
    return at_place(f, sources, where...);
}
/// Shows lists to a user's object.
template <class Source, class Queries, class F, class... Where>
auto visit_radius_at(Source const& sources, Queries queries, F const& visit,
                     RadiusOptions const& options, Where const&... where) {
    constexpr bool on_gpu = walks_on_gpu<Source, Where...>;
    static_assert(
        !on_gpu,
        "zwalk: radius_visit() calls its function on threads: give no Cuda, nor what is on a GPU");
    if constexpr (!on_gpu) {
        auto r = find_radius_at(sources, queries, visit, {options, RadiusWork::visit}, where...);
        if constexpr ((std::is_same_v<Where, Mpi> || ...) || kind_of<Source> == SourceKind::rank_index)
            return r;
        else return std::move(r.stats);
    }
}
}  // namespace detail

/// How many points are within the radius of each point (itself included unless exclude_self), without listing them: groups
/// of points that are all near enough are counted as a whole.
///
/// Exact: equal to brute force in the precision of the points with the distance of core/space.hpp. The same bits for
/// every number of threads and every tree option. O(N log N) to sort; the walk takes O(N) for a radius of a few mean
/// spacings, and grows with the surface of the balls, not with what they hold. O(N) memory.
///
/// Points that an index keeps aren't sorted again; results are on the host then, also those of a CudaIndex. Any number of threads may
/// search one index at once, but not on a GPU. With Order::z, `source_order` stays empty on CPUs: it is index.z_order().
///
/// On MPI ranks each passes its own rows (any number, also none), and the same options: the counts are those of one process. Nodes of
/// other ranks that are within the radius as a whole travel as the number of their points, so what a rank imports follows the
/// surface of the balls.
///
/// @param points  rows, DevicePoints, or an index, and `where` they are searched: run/where.hpp has the combinations. The result is a
///                RadiusResult<T> on the host, a RadiusResult<T, CudaDevice> of DevicePoints, a RadiusResult<T, Mpi> on ranks
/// @throws InputError  a radius that is negative or not finite (of several, its row is named), radii of another number than
///                     there are queries, beside `radius`, or `larger` without radii or with queries, coordinates that are not
///                     finite (row and column are named), a dimension other than 1..64, a box smaller than the data's extent, too
///                     many points for one device; no CUDA device, or a build without CUDA; more columns than it was compiled for;
///                     an index, and a box in the options. On ranks, on all of them: rows are named by their number through all
///                     ranks; ranks disagree on an option, or some have GPUs, others threads
/// @throws Error       the device's memory doesn't suffice, or CUDA failed; on all ranks: what failed on one of them
template <class Source, class... Where>
auto radius_count(Source const& points, RadiusOptions const& options, Where const&... where) {
    return detail::find_radius_at(points, nullptr, nullptr, {options, detail::RadiusWork::count},
                                  where...);
}
/// How many sources are within the radius of every query. `exclude_self` must be off. Queries are on the host, or on the device of
/// DevicePoints; on ranks each passes its own, and they are spread evenly. The cost of queries of an index follows their number, not
/// that of the sources.
/// @throws InputError  also: another number of columns, queries that don't fit into the box together with the sources
template <class Source, class Queries, class... Where>
requires(!std::is_convertible_v<Queries const&, RadiusOptions const&>) auto radius_count(
    Source const& sources, Queries const& queries, RadiusOptions const& options, Where const&... where) {
    auto const asked = detail::others_of(queries);
    return detail::find_radius_at(sources, &asked, nullptr, {options, detail::RadiusWork::count},
                                  where...);
}

/// All points within the radius of each point, in CSR form: nearest first, ties by row, with distances.
///
/// They are counted first; then the memory of the result is allocated once, and lists are filled: 12 bytes for each
/// entry (float; 16 for double), 8 without distances. O(m log m) for a row of m on top of the count. On a GPU it takes 16 bytes for
/// each entry while lists are sorted (32 for double).
///
/// On ranks the lists are those of one process, entry by entry. Memory of a rank: its points twice, those of other ranks that are
/// within the radius, and the lists, with Order::input four times while they travel to the ranks of their rows. Each entry travels
/// once, with Order::z not at all.
/// @throws as radius_count()
/// @throws Error  the result needs more memory than is free, or than the memory budget of the place; reported before it is made
template <class Source, class... Where>
auto radius_search(Source const& points, RadiusOptions const& options, Where const&... where) {
    return detail::find_radius_at(points, nullptr, nullptr, {options, detail::RadiusWork::search},
                                  where...);
}
/// radius_search() of every query: all sources within its radius. `exclude_self` must be off.
template <class Source, class Queries, class... Where>
requires(!std::is_convertible_v<Queries const&, RadiusOptions const&>) auto radius_search(
    Source const& sources, Queries const& queries, RadiusOptions const& options, Where const&... where) {
    auto const asked = detail::others_of(queries);
    return detail::find_radius_at(sources, &asked, nullptr, {options, detail::RadiusWork::search},
                                  where...);
}

/// Calls f(row, list) once for every point, with all points within the radius, nearest first: for sums over neighbours
/// without an array of them. There is no count before, and no memory but for some lists per thread. Not on GPUs.
///
/// f: `void operator()(index_t row, NearestFirst<T> const& list) const`. It is called by several threads at once, in no
/// particular order, each row once. Writing to element `row` of an array needs no lock. If it throws, so does
/// radius_visit, and some rows stay unvisited.
///
/// On ranks it is called on the rank that has got the point; lists don't travel. row: that of the point in the input of all ranks or,
/// with Order::z, its number 0, 1, ... among those that this rank has (it is row row_order[number] of the input). list.index(i): as
/// RadiusResult::indices. What f throws on one rank is an Error on all.
/// @returns  Stats; on ranks a RadiusResult<T, Mpi> with row_order and stats
/// @throws as radius_count()
template <class Source, class F, class... Where>
auto radius_visit(Source const& points, F const& f, RadiusOptions const& options,
                  Where const&... where) {
    return detail::visit_radius_at(points, nullptr, f, options, where...);
}
/// Calls f(row, list) once for every query, with all sources within its radius.
template <class Source, class Queries, class F, class... Where>
requires(!std::is_convertible_v<F const&, RadiusOptions const&>) auto radius_visit(
    Source const& sources, Queries const& queries, F const& f, RadiusOptions const& options,
    Where const&... where) {
    auto const asked = detail::others_of(queries);
    return detail::visit_radius_at(sources, &asked, f, options, where...);
}

}}  // namespace zwalk::v0
