// Drivers that are text: written once over the verbs of CallPoints (call_points.hpp) and of RankCallPoints
// (rank_call_points.hpp), over walks that were compiled elsewhere (compiled_walk.hpp).
//
// Such an algorithm A is a struct of types and functions:
//
//   static constexpr char const* name                       begins a sentence: "DBSCAN"
//   using Options = ...;                                    the public ones, with a member box
//   template <class T, class P> using Result = ...;         of a call on a place P, on ranks Mpi; has a member Stats stats
//   template <class Points>                                 the driver, on any place and on ranks
//   static ResultOf<A, Points> run(Points&, Options const&)
//   static void check<T>(Options const&, CallSets const&)   refuses mistakes that options and the shape of points show
//   static std::array<Option, n> agreed(Options const&, Option const& place)
//                                                           what ranks have to agree on, but for the box: some of the options,
//                                                           and the place
//   static TreeOptions tree_options<P>(Options const&)      how to cut the tree
//   static std::uint64_t device_bytes(CallSets const&, int columns, std::size_t item_bytes, Options const&)
//                                                           what the points need on a device beside themselves; or, to say more of
//                                                           it, CallNeed device_need(CallShape const&, Options const&)
//
// It may have
//
//   template <class P> using DimsOn = Dims<...>             the dimensions that its walks are compiled for there, if not all
//   static LengthUnit<T> unit_for<T>(T largest, Options const&)
//                                                           the unit for coordinates of up to `largest`, if it isn't the usual one
//   static void check_on<P>(Options const&)                 refuses what there are no kernels for on that place
//
// Where other points may meet these, which where.hpp calls TakesOthers, it has in place of those functions, and beside them
//
//   static ResultOf<A, Points> run(Points&, Points* others, Options const&)
//                                                           others are in the unit of the points; null: there are none
//   static std::array<Option, n> agreed(Options const&, Option const& place, bool with_others)
//   static constexpr char const* others_name                what they are called in refusals: "second points"
//   static constexpr OthersAre others_are                   what becomes of them on one place; on ranks they are targets, or points
//
// Where they are queries, run() takes Points* or, on one place, Queries<T, P>*, and there is
//
//   static bool answers_here(CallSets const&, int columns, Options const&)
//                                                           so few that the calling thread answers them in an index on CPUs
#pragma once
#include "zwalk/run/algorithm.hpp"
#include "zwalk/run/dims.hpp"
#include "zwalk/run/queries.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The result of A for such points.
template <class A, class Points>
using ResultOf = typename Points::template ResultOf<A>;

/// An algorithm whose driver is such a text.
template <class A>
concept DrivenAnywhere = !requires {
    typename A::template Task<float, Cpu>;
};

/// The dimensions that A is compiled for on a place P: its own, DimsOn<P>, or those of all walks.
template <class A, class T, class P>
struct DimsOfAlgorithm : DimsFor<T, P> {};
template <class A, class T, class P>
requires requires { typename A::template DimsOn<P>; }
struct DimsOfAlgorithm<A, T, P> {
    using type = typename A::template DimsOn<P>;
};
template <class A, class T, class P>
using CompiledDims = typename DimsOfAlgorithm<A, T, P>::type;

/// What other points of a call on one place become.
enum class OthersAre {
    points,   ///< they get a tree of their own
    targets,  ///< their tree is cut to fit that of the points
    queries,  ///< they get none: that is for the driver to decide
};
/// An algorithm whose other points are queries.
template <class A>
concept Queried = A::others_are == OthersAre::queries;
/// The other points of A as a driver gets them.
template <class A, class T, class P>
struct OthersHere {
    using type = Brought<T, P> const;
};
template <Queried A, class T, class P>
struct OthersHere<A, T, P> {
    using type = Queries<T, P>;
};
template <class A, class T, class P>
using OthersOn = typename OthersHere<A, T, P>::type;

/// Whether the tree of points is needed after a walk: ranks give its memory back before, if not.
enum class TreeAfter { stays, goes };

/// The driver of A for one place. Defined by ZWALK_DRIVER (call_points.hpp) in a file of its own: on GPUs its small kernels are nvcc's.
template <class A, class T, class P>
struct Driver {
    /// @param others  in the unit of the points; null: none
    static typename A::template Result<T, P> run(P& place, RunPoints<T, P>& points,
                                                 OthersOn<A, T, P>* others,
                                                 typename A::Options const& options);
};

}}}  // namespace zwalk::v0::detail
