// Exact k-nearest neighbours: the public interface, for any place.
#pragma once
#include <any>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/nearest/device_visit.hpp"
#include "zwalk/nearest/neighbours.hpp"
#include "zwalk/run/where.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

struct KnnOptions {
    index_t k = 16;             ///< neighbours per query, >= 1; may exceed the number of sources
    bool exclude_self = false;  ///< self query only: a point is no neighbour of itself
    /// The k nearest of those whose distance, as it is reported, is at most this. Sources further away aren't looked at.
    double within = infinity<double>;
    std::vector<double> box{};  ///< empty: open. One period for all axes, or one each; 0 = open axis
    Order order = Order::input;
    TreeOptions tree{};
};

/// Neighbours, in the memory of a place P (exec/place.hpp); on MPI ranks (P = Mpi) of this rank's rows.
template <class T, class P = Cpu>
struct KnnResult {
    std::size_t rows = 0;     ///< queries
    std::size_t columns = 0;  ///< k
    /// Neighbours of row i at [i * columns, (i + 1) * columns), nearest first; ties go to the
    /// source that is first in z-order. -1 where there are fewer than k sources, or fewer are near enough.
    ArrayOn<P, index_t> indices;
    ArrayOn<P, T> distances;  ///< Euclidean distances to them; infinity where there is none
    /// Only for Order::z: input index of each row, and of each source that `indices` refers to. On ranks `indices` are positions in
    /// the z-order of all sources then, and source_order, which there is for queries alone, is that of this rank's range of it.
    ArrayOn<P, RowOn<P>> row_order, source_order;
    Stats stats;
};

namespace detail {
/// A user's object on the threads of ranks, and how it is called.
template <class T>
struct RankVisitor {
    void const* object = nullptr;
    void (*call)(void const* object, index_t row, NeighbourRow<T> const& neighbours) = nullptr;
};
/// Is handed chunk after chunk, on the device of a rank, and the row of the input of all ranks that each target is, in the device's
/// memory; null: rows are numbers of targets.
template <class T, class Device>
using RankChunkVisitor = std::function<void(Device&, NeighbourChunk<T> const&, index_t const* row_of)>;

/// A user's object that neighbours are shown to instead of being listed: a pointer to what sees them on that place (NeighboursOf), or
/// nothing. So one call is that of all types and places.
struct KnnAsked : KnnOptions {
    std::any visitor{};
};
struct KnnAlgorithm;
struct KnnCall {
    using Algorithm = KnnAlgorithm;
    using Options = KnnAsked;
    template <class T, class P>
    using Result = KnnResult<T, P>;
    template <class T, class P>
    using OthersOfIndex = Points<T>;
    static constexpr bool result_of_index_on_host = true;
    template <bool fit>
    static void expect_others() {
        static_assert(
            fit,
            "zwalk: queries have the precision of the points, and are where these are: on the host, or "
            "DevicePoints for DevicePoints; those of an index on a GPU may be either");
    }
};
/// The call for queries that are on the GPU of an index, where results stay, too.
struct KnnThereCall : KnnCall {
    template <class T, class P>
    using OthersOfIndex = DevicePoints<T>;
    static constexpr bool result_of_index_on_host = false;
};

/// Calls C, which begins with such a search.
/// @param queries  a view, or nullptr
template <class C, class S, class Queries, class Place>
auto search_at(S const& sources, Queries queries, typename C::Options const& asked, Place const& place) {
    constexpr bool fits = std::is_null_pointer_v<Queries> || std::is_same_v<Queries, OthersIn<C, S>>;
    C::template expect_others<fits>();
    if constexpr (fits) return Called<C, S, Place>::run(sources, queries, asked, place);
}
template <class S, class Queries, class Place>
auto search_at(S const& sources, Queries queries, KnnAsked const& asked, Place const& place) {
    constexpr bool there = std::is_same_v<S, CudaIndex<RealIn<S>>> &&
                           std::is_same_v<Queries, DevicePoints<RealIn<S>> const*>;
    using C = std::conditional_t<there, KnnThereCall, KnnCall>;
    return search_at<C>(sources, queries, asked, place);
}
template <class Source, class Queries, class... Where>
auto find_knn_at(Source const& sources, Queries queries, KnnOptions const& options,
                 Where const&... where) {
    auto const f = [&](auto const& source, auto const& place) {
        return search_at(source, queries, KnnAsked{options}, place);
    };
    return at_place(f, sources, where...);
}

/// A user's object as it is called where points are walked on a GPU. Defined by knn_visit.cuh, for nvcc.
template <class T>
struct VisitOnGpu;

/// What calls a user's object, for points of type T: on a GPU, on threads of ranks, or of this process.
template <class T, bool on_gpu, bool on_ranks, class F>
auto visitor_of(F const& visit) {
    if constexpr (on_gpu) {
        // Nothing is known of VisitOnGpu<T> where its header isn't included.
        constexpr bool compiled = requires { sizeof(VisitOnGpu<T>); };
        static_assert(compiled,
                      "zwalk: what is called on a GPU is compiled by nvcc: include knn/knn_visit.cuh");
        if constexpr (!compiled) return;
        else if constexpr (on_ranks) return VisitOnGpu<T>::on_ranks(visit);
        else return VisitOnGpu<T>::here(visit);
    } else {
        using Shown = std::conditional_t<on_ranks, NeighbourRow<T>, Neighbours<T>>;
        constexpr bool fits = std::is_invocable_v<F const&, index_t, Shown const&>;
        static_assert(
            fits,
            "zwalk: knn_visit() calls f(row, neighbours): f needs `void operator()(index_t "
            "row, Neighbours<T> const& neighbours) const`, on ranks NeighbourRow<T>; T is that "
            "of the points");
        if constexpr (!fits) return;
        else if constexpr (on_ranks)
            return RankVisitor<T>{
                &visit, [](void const* object, index_t row, NeighbourRow<T> const& neighbours) {
                    (*static_cast<F const*>(object))(row, neighbours);
                }};
        else return make_visitor<T>(visit);
    }
}
template <class Source, class Queries, class F, class... Where>
auto visit_knn_at(Source const& sources, Queries queries, F const& visit, KnnOptions const& options,
                  Where const&... where) {
    constexpr bool on_gpu = walks_on_gpu<Source, Where...>,
                   on_ranks =
                       (std::is_same_v<Where, Mpi> || ...) || kind_of<Source> == SourceKind::rank_index;
    auto const f = [&]<class S, class Place>(S const& source, Place const& place) {
        using T = RealIn<S>;
        using Visitor = decltype(visitor_of<T, on_gpu, on_ranks>(visit));
        if constexpr (!std::is_void_v<Visitor>) {
            Visitor const visitor = visitor_of<T, on_gpu, on_ranks>(visit);
            auto r = search_at(source, queries, KnnAsked{options, &visitor}, place);
            if constexpr (on_ranks) return r;
            else return std::move(r.stats);
        }
    };
    return at_place(f, sources, where...);
}
}  // namespace detail

/// The k nearest neighbours of every point among all points (each point is its own first
/// neighbour unless exclude_self).
///
/// Exact: equal to brute force in the precision of the points with the distance of core/space.hpp. The same
/// bits on every place, for every number of threads and every tree option. O(N log N) to sort, O(N k) to write,
/// close to O(N) in between for D <= 4.
///
/// The memory budget of the place: where it is small, separate queries are answered in batches. At least the points
/// must be sorted and held (16 bytes each, then 10 and a copy of the coordinates), with 4 bytes per query and a small
/// batch. A budget below that is exceeded. knn/memory.hpp predicts all of it. On a GPU it bounds the lists of the walk, beside the
/// trees and the result.
///
/// Points that an index keeps aren't sorted again; results are on the host then, also those of a CudaIndex (but for queries that are
/// DevicePoints). With Order::z, `source_order` stays empty on CPUs: it is index.z_order(), and copying it would take O(N). Any number
/// of threads may search one index at once; not so on a GPU.
///
/// On MPI ranks each passes its own rows (any number, also none), and the same options: neighbours are those of one process. How:
/// ranks/sort.hpp, then ranks/import.hpp. The number of collective steps doesn't depend on that of points. With Order::z nothing goes
/// home: k indices and distances of each point are most of all that travels. Memory of a rank: its points twice, what it imports (some
/// tenths of its own points; more in many dimensions, or where it has few points), 12 k bytes per point for results (16 k for
/// doubles), twice with Order::input. With a GPU for each rank own and imported points are copied there and walked on; all else is done
/// by threads of the rank. For more neighbours than ranks have memory for: knn/knn_in_batches.hpp.
///
/// @param points  rows, DevicePoints, or an index, and `where` they are searched: run/where.hpp has the combinations. The result is a
///                KnnResult<T> on the host, a KnnResult<T, CudaDevice> of DevicePoints, a KnnResult<T, Mpi> on ranks
/// @throws InputError  k < 1, within < 0, coordinates that are not finite (row and column are named), a
///                     dimension other than 1..64, a box smaller than the data's extent, too many
///                     points for one device; no CUDA device, or a build without CUDA; more columns than it was compiled for; an index,
///                     and a box in the options. On ranks, on all of them: rows are named by their number through all ranks; ranks
///                     disagree on an option, or some have GPUs, others threads
/// @throws Error       the device's memory doesn't suffice (refused before work where device_knn_memory() predicts so), or CUDA
///                     failed; on all ranks: what failed on one of them
template <class Source, class... Where>
auto knn(Source const& points, KnnOptions const& options = {}, Where const&... where) {
    return detail::find_knn_at(points, nullptr, options, where...);
}
/// The k nearest sources of every query. `exclude_self` must be off. Queries are on the host, or on the device of DevicePoints or of a
/// CudaIndex; on ranks each passes its own, and they are spread evenly, wherever they are dense: so a rank imports sources as much as
/// its queries lie elsewhere.
///
/// The cost of queries of an index follows their number n, not the number N of sources: O(n (log N + k)) for few, O(n log n + n k)
/// for many. A single one takes a microsecond or a few and needs no threads, many run on all of them.
/// @throws InputError  also: another number of columns, queries that don't fit into the box together with the sources
template <class Source, class Queries, class... Where>
requires(!std::is_convertible_v<Queries const&, KnnOptions const&>) auto knn(
    Source const& sources, Queries const& queries, KnnOptions const& options = {},
    Where const&... where) {
    auto const asked = detail::others_of(queries);
    return detail::find_knn_at(sources, &asked, options, where...);
}

/// Calls f(row, neighbours) once for every point, with its k nearest among all points: for sums over
/// neighbours, densities, counts, histograms, without an array of N k neighbours.
///
/// f: `void operator()(index_t row, Neighbours<T> const& neighbours) const`. It is called by several
/// threads at once, in no particular order, each row once; row is that of the point in the input (or in
/// z-order, with Order::z). Writing to element `row` of an array needs no lock. If it throws, so does
/// knn_visit, and some rows stay unvisited.
///
/// On a GPU f is called there: knn/knn_visit.cuh, which such a call needs, has what f must be.
///
/// On ranks f is called on the rank that has got the point, with a NeighbourRow<T>: lists don't travel. row: that of the point in the
/// input of all ranks or, with Order::z, its number 0, 1, ... among those that this rank has (it is row row_order[number] of the
/// input). neighbours.index(i): as KnnResult::indices. What f throws on one rank is an Error on all.
///
/// The same neighbours as knn(), the same errors, O(N) memory for any k.
/// @returns  Stats; on ranks a KnnResult<T, Mpi> without neighbours: how many rows this rank has shown, and which
template <class Source, class F, class... Where>
auto knn_visit(Source const& points, F const& f, KnnOptions const& options = {}, Where const&... where) {
    return detail::visit_knn_at(points, nullptr, f, options, where...);
}
/// Calls f(row, neighbours) once for every query, with its k nearest sources.
template <class Source, class Queries, class F, class... Where>
requires(!std::is_convertible_v<F const&, KnnOptions const&>) auto knn_visit(
    Source const& sources, Queries const& queries, F const& f, KnnOptions const& options = {},
    Where const&... where) {
    auto const asked = detail::others_of(queries);
    return detail::visit_knn_at(sources, &asked, f, options, where...);
}

}}  // namespace zwalk::v0
