// From the public functions of a search to its driver, on any place: queries that a call brings along, or none, meet points
// of the call or of an index. For host compilers.
//
// A search A is an algorithm (algorithm.hpp) whose Task has
//
//   options                                                 the public ones, with members box and tree
//
// and that has
//
//   static void check<T>(Options const&, bool with_queries) refuses mistakes that options alone show
//   static SearchNeed device_need(SearchShape const&, Task<T, P> const&)
//                                                           the memory that it needs on a device
//   static void take_queries(P& place, Queries<T, P>& queries, Task<T, P>& task)
//                                                           queries are there, checked; the tree of points that come with the
//                                                           call isn't yet
#pragma once
#include <algorithm>
#include <cstdint>

#include "zwalk/run/call.hpp"
#include "zwalk/run/queries.hpp"

namespace zwalk::inline v0::detail {

/// Refuses a search that a device has no memory for, before anything gets there.
/// @param before  bytes of points that have to get there
template <class A, class T, class P, class AnyPoints>
void check_search_memory(P& device, SearchShape shape, AnyPoints const* queries, std::uint64_t before,
                         typename A::template Task<T, P> const& task) {
    if (queries) shape.queries = queries->size;
    shape.item_bytes = sizeof(T);
    shape.memory_budget = Preparation<T, P>::memory_budget(device);
    SearchNeed const need = A::template device_need<T>(shape, task);
    check_device_memory(
        need.what, std::max(before + need.build, need.most) + (queries ? brought_bytes(*queries) : 0),
        Preparation<T, P>::available(device));
}

/// Searches in points that are brought to a place for this.
template <class A, class T, int... D, class P, class AnyPoints>
typename A::template Result<T, P> search(Dims<D...> dims, P& place, AnyPoints sources,
                                         AnyPoints const* queries,
                                         typename A::template Task<T, P> task) {
    auto const& o = task.options;
    A::template check<T>(o, bool(queries));
    if (queries) check_query_columns(queries->dim, sources.dim);
    if constexpr (is_device<P>)
        check_search_memory<A, T>(
            place,
            {.points = sources.size, .columns = compiled_columns<P>(dims, sources.dim), .tree = o.tree},
            queries, brought_bytes(sources), task);
    Queries<T, P> asked;
    return ask_once<A>(
        dims, place, sources, o.box, o.tree, [&](Together<T, P> & all) -> auto const& {
            if (!queries) return task;
            asked = {Preparation<T, P>::bring(place, *queries, "queries", !o.box.empty())};
            checked_period(o.box, asked.extent, "queries");
            all.add(asked);
            A::take_queries(place, asked, task);
            return task;
        });
}

/// Searches in points that are kept on a place; options and columns have been checked.
template <class A, class T, int... D, class P, class AnyPoints>
typename A::template Result<T, P> search_kept(Dims<D...> dims, P& place,
                                              PreparedPoints<T, P> const& kept, AnyPoints const* queries,
                                              typename A::template Task<T, P> task) {
    if constexpr (is_device<P>)
        check_search_memory<A, T>(place,
                                  {.points = kept.tree.size(),
                                   .kept = true,
                                   .columns = compiled_columns<P>(dims, kept.dim),
                                   .tree = kept.options},
                                  queries, 0, task);
    RunPoints<T, P> points(kept);
    Queries<T, P> asked;
    if (queries) {
        asked = {Preparation<T, P>::bring(place, *queries, "queries", !kept.period.empty())};
        join(place, kept, asked, "queries");
        A::take_queries(place, asked, task);
    }
    return ask<A>(dims, place, points, task);
}

/// Searches in the points of an index.
/// @param here  on the calling thread alone: so little that threads would cost more
template <class A, class T, int... D, class P, class AnyPoints>
typename A::template Result<T, P> search(Dims<D...> dims, Index<T, P> const& index,
                                         AnyPoints const* queries,
                                         typename A::template Task<T, P> const& task,
                                         bool here = false) {
    check_for_index(task.options.box);
    A::template check<T>(task.options, bool(queries));
    if (queries) check_query_columns(queries->dim, index.dim());
    auto const find = [&](auto& place) {
        return search_kept<A, T>(dims, place, index.points(), queries, task);
    };
    if constexpr (!is_device<P>)
        if (here) return find(index.place());
    return on_index<typename A::template Result<T, P>>(dims, index, find);
}

}  // namespace zwalk::inline v0::detail
