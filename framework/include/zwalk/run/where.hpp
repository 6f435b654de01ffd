// Where a call runs. An algorithm has one public function, f(points, options, where...), and where it takes other points, too,
// f(points, others, options, where...).
//
//   f(points, options)                      on threads of the CPU, all that there are
//   f(points, options, Cpu(4))              on so many
//   f(points, options, Cuda{})              on a GPU; the result comes back
//   f(device_points, options, Cuda{})       on the GPU that has the points; the result stays there
//   f(index, options)                       where the index has them; on a GPU the result stays there, unless f says otherwise
//   f(own, options, Mpi{})                  on MPI ranks, of which each passes its own rows; also Mpi{}, Cpu(2)
//   f(own, options, Mpi{}, Cuda{})          the same, each with a GPU; also Mpi{}, Cuda{}, Cpu(2)
//   f(rank_index, options)                  on the ranks that the index is on; also with Cuda{}
//
// A result is the same struct everywhere, in the memory of the place: of P = Cpu, CudaDevice, or Mpi on ranks. There each rank gets what
// its rows have, and its own statistics, with what was sent (Stats::steps). Rows of the input are numbered through all ranks, those of
// lower ranks first. With Order::input a rank's rows are those that it has passed; with Order::z those of its range of the z-order of
// all points, and `z_order` (`row_order`, where queries have one of their own) says which row of the input each is.
//
// For ranks include ranks/mpi.hpp, which has Mpi, for an index on them run/rank_index.hpp, and link zwalk::mpi. What ranks get is
// declared in the algorithm's header.
#pragma once
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "zwalk/core/device_points.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/run/detail/rank_call.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk { inline namespace v0 {

template <class T>
class RankIndex;

namespace detail {

/// Where an index has its points.
struct Kept {};

/// What C returns for points of this kind in such a place. C is what a public function says of itself: types Options,
/// Result<T, P>, P being Mpi on ranks, and its Algorithm (run/driver.hpp), which needn't be complete.
template <class C, class Source, class Where>
struct Returned;
template <class C, class T, class Where>
struct Returned<C, Points<T>, Where> {  // on a device, too
    using type = typename C::template Result<T, Cpu>;
};
template <class C, class T>
struct Returned<C, DevicePoints<T>, Cuda> {
    using type = typename C::template Result<T, CudaDevice>;
};
/// A call whose result for an index of a GPU goes to the host: it says so by a constant result_of_index_on_host.
template <class C>
concept ResultOfIndexOnHost = requires {
    requires C::result_of_index_on_host;
};
template <class C, class T, class P>
struct Returned<C, Index<T, P>, Kept> {
    using type = typename C::template Result<T, std::conditional_t<ResultOfIndexOnHost<C>, Cpu, P>>;
};
template <class C, class T>
struct Returned<C, RankInput<T>, RankCall> {
    using type = typename C::template Result<T, Mpi>;
};

/// A call in which other points may meet those of the source. It says which others an index takes, OthersOfIndex<T, P>: Points or
/// PointsOn<T, P>; all else takes them where it is itself. And it has a function expect_others<fits>(), which stops compilation by
/// a sentence where others don't fit.
template <class C>
concept TakesOthers = requires {
    typename C::template OthersOfIndex<float, Cpu>;
};

/// The other points of a call: a pointer to a view, null where there are none. Of calls that take none it is nullptr.
template <class C, class Source>
struct OthersFor {
    using type = std::nullptr_t;
};
template <TakesOthers C, class T>
struct OthersFor<C, Points<T>> {
    using type = Points<T> const*;
};
template <TakesOthers C, class T>
struct OthersFor<C, DevicePoints<T>> {
    using type = DevicePoints<T> const*;
};
template <TakesOthers C, class T, class P>
struct OthersFor<C, Index<T, P>> {
    using type = typename C::template OthersOfIndex<T, P> const*;
};
template <TakesOthers C, class T>
struct OthersFor<C, RankInput<T>> {
    using type = Points<T> const*;
};
template <class C, class Source>
using OthersIn = typename OthersFor<C, Source>::type;

/// The call itself, compiled in files of the algorithm's: run/calls.hpp, and for ranks run/rank_calls.hpp.
template <class C, class Source, class Where>
struct Called {
    static typename Returned<C, Source, Where>::type run(Source const& source,
                                                         OthersIn<C, Source> others,
                                                         typename C::Options const& options,
                                                         Where const& where);
};

enum class SourceKind { none, rows, device, index, rank_index };
template <class S>
inline constexpr SourceKind kind_of = PointRows<S> ? SourceKind::rows : SourceKind::none;
template <class T>
inline constexpr SourceKind kind_of<DevicePoints<T>> = SourceKind::device;
template <class T, class P>
inline constexpr SourceKind kind_of<Index<T, P>> = SourceKind::index;
template <class T>
inline constexpr SourceKind kind_of<RankIndex<T>> = SourceKind::rank_index;

/// Whether a call with these arguments walks on a GPU.
template <class Source, class... Where>
inline constexpr bool walks_on_gpu =
    (std::is_same_v<Where, Cuda> || ...) || kind_of<Source> == SourceKind::device
    || std::is_same_v<Source, CudaIndex<float>> || std::is_same_v<Source, CudaIndex<double>>;

/// Whether the arguments are of these types.
template <class Arguments, class... Types>
inline constexpr bool are = std::is_same_v<Arguments, std::tuple<Types...>>;

/// f(source, where) for whatever the arguments are: with Points and Cpu or Cuda, DevicePoints and Cuda, an Index and Kept, or a
/// RankInput and a RankCall.
template <class F, class S, class... Where>
auto at_place(F const& f, S const& source, Where const&... where) {
    constexpr SourceKind kind = kind_of<S>;
    using Given = std::tuple<Where...>;
    constexpr bool none = are<Given>, on_gpu = are<Given, Cuda>,
                   on_ranks = are<Given, Mpi> || are<Given, Mpi, Cpu> || are<Given, Mpi, Cuda> ||
                              are<Given, Mpi, Cuda, Cpu>;
    static_assert(
        kind != SourceKind::none,
        "zwalk: these are no points: give rows of numbers, Points(x.data(), n, 3), DevicePoints, "
        "an Index or a RankIndex");
    if constexpr (kind == SourceKind::index) {
        static_assert(none, "zwalk: an index has its place already: give none");
        return f(source, Kept{});
    } else if constexpr (kind == SourceKind::rank_index) {
        static_assert(none || on_gpu, "zwalk: an index on ranks has these already: give none, or Cuda");
        using T = typename S::real;
        if constexpr (none || on_gpu)
            return f(RankInput<T>(source), RankCall(source.mpi(), where..., source.cpu()));
    } else if constexpr (kind == SourceKind::device) {
        static_assert(on_gpu, "zwalk: points of a device are for the GPU that has them: give Cuda");
        if constexpr (on_gpu) return f(source, where...);
    } else if constexpr (kind == SourceKind::rows) {
        using T = RealOf<S>;
        constexpr bool on_threads = none || are<Given, Cpu>;
        static_assert(on_threads || on_gpu || on_ranks,
                      "zwalk: give no place, Cpu, Cuda, or Mpi, and behind Mpi Cuda, Cpu or both; other "
                      "points come before the options");
        if constexpr (on_ranks) return f(RankInput<T>(Points<T>(source)), RankCall(where...));
        else if constexpr (on_gpu) return f(Points<T>(source), where...);
        else if constexpr (on_threads) return f(Points<T>(source), Cpu(where...));
    }
}

/// Calls C for whatever the arguments are.
template <class C, class S, class... Where>
auto call_of(S const& source, typename C::Options const& options, Where const&... where) {
    auto const f = [&]<class Source, class Place>(Source const& points, Place const& place) {
        return Called<C, Source, Place>::run(points, nullptr, options, place);
    };
    return at_place(f, source, where...);
}

template <class T>
std::type_identity<T> real_in(Points<T> const&);
template <class T>
std::type_identity<T> real_in(DevicePoints<T> const&);
template <class T, class P>
std::type_identity<T> real_in(Index<T, P> const&);
template <class T>
std::type_identity<T> real_in(RankInput<T> const&);
/// The T of what at_place() hands on.
template <class Source>
using RealIn = typename decltype(real_in(std::declval<Source>()))::type;

/// Whether such other points (nullptr: none) can meet those of a source. They are where these are: on the host, but for
/// DevicePoints.
template <class Source, class Others>
constexpr bool can_meet() {
    using Seen = std::remove_cv_t<std::remove_pointer_t<Others>>;
    if constexpr (std::is_null_pointer_v<Others>) return true;
    else if constexpr (std::is_same_v<Source, DevicePoints<RealIn<Source>>>)
        return std::is_same_v<Seen, DevicePoints<RealIn<Source>>>;
    else return std::is_same_v<Seen, Points<RealIn<Source>>>;
}

/// Other points of a call, as a view: rows as Points, those of a device as they are.
template <class S>
auto others_of(S const& others) {
    static_assert(
        kind_of<S> == SourceKind::rows || kind_of<S> == SourceKind::device,
        "zwalk: these are no points to meet others: give rows of numbers, Points(x.data(), n, 3), or "
        "DevicePoints; a place comes behind the options");
    if constexpr (kind_of<S> == SourceKind::device) return others;
    else if constexpr (kind_of<S> == SourceKind::rows) return Points<RealOf<S>>(others);
    else return Points<float>();  // so that there is one sentence
}

/// call_of() with other points.
template <class C, class S, class Others, class... Where>
auto call_with(S const& source, Others const& others, typename C::Options const& options,
               Where const&... where) {
    auto const seen = others_of(others);
    auto const f = [&]<class Source, class Place>(Source const& points, Place const& place) {
        constexpr bool fits = std::is_same_v<decltype(&seen), OthersIn<C, Source>>;
        C::template expect_others<fits>();
        if constexpr (fits) return Called<C, Source, Place>::run(points, &seen, options, place);
    };
    return at_place(f, source, where...);
}

}  // namespace detail
}}  // namespace zwalk::v0
