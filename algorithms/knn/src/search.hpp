// From the public functions of kNN to its driver, on any place.
#pragma once
#include "zwalk/knn/algorithm.hpp"
#include "zwalk/knn/memory.hpp"
#include "zwalk/run/call.hpp"

namespace zwalk::inline v0::detail {

/// Throws InputError for a k that is no number of neighbours, and for exclude_self with queries.
void check_options(KnnOptions const& options, bool with_queries);
/// Throws Error unless so many bytes of a device's memory are enough for a search. `before`: bytes of points that are
/// there until their tree is; `beside`: of others, that are there all the time.
void check_knn_memory(KnnTask const& task, int columns, TreeOptions const& options, std::uint64_t before,
                      std::uint64_t beside, std::uint64_t available);

/// Refuses what a device has no memory for, before anything gets there.
/// @param sources  bytes of points that have to get there
template <class T, class P, class AnyPoints>
void check_memory(P& device, KnnTask task, AnyPoints const* queries, int columns,
                  TreeOptions const& options, std::uint64_t sources) {
    if (queries) task.queries = queries->size;
    task.item_bytes = sizeof(T);
    task.memory_budget = Preparation<T, P>::memory_budget(device);
    check_knn_memory(task, columns, options, sources, queries ? brought_bytes(*queries) : 0,
                     Preparation<T, P>::available(device));
}

/// Neighbours in points that are brought to a place for this.
template <class T, int... D, class P, class AnyPoints>
KnnResult<T, P> search(Dims<D...> dims, P& place, AnyPoints sources, AnyPoints const* queries,
                       KnnOptions const& o, VisitorOn<T, P> const& visitor = {}) {
    check_options(o, bool(queries));
    if (queries) check_query_columns(queries->dim, sources.dim);
    if constexpr (is_device<P>)
        check_memory<T>(place,
                        {.points = sources.size, .k = o.k, .order = o.order, .visited = bool(visitor)},
                        queries, compiled_columns<P>(dims, sources.dim), o.tree, brought_bytes(sources));
    Queries<T, P> asked;
    return ask_once<KnnAlgorithm>(dims, place, sources, o.box, o.tree, [&](Extent<T>& extent) {
        if (!queries) return KnnSearch<T, P>{o, nullptr, visitor};
        asked = {Preparation<T, P>::bring(place, *queries, "queries", !o.box.empty())};
        extent.add(asked.extent);
        // Before there is a tree: sorting takes memory.
        if constexpr (!is_device<P>) sort_queries(place, asked);
        return KnnSearch<T, P>{o, &asked, visitor};
    });
}

/// Neighbours in points that are kept on a place.
template <class T, int... D, class P, class AnyPoints>
KnnResult<T, P> search_kept(Dims<D...> dims, P& place, PreparedPoints<T, P> const& kept,
                            AnyPoints const* queries, KnnOptions const& o,
                            VisitorOn<T, P> const& visitor = {}, IndexWay way = IndexWay::walk) {
    if constexpr (is_device<P>)
        check_memory<T>(place,
                        {.points = kept.tree.size(),
                         .k = o.k,
                         .order = o.order,
                         .indexed = true,
                         .visited = bool(visitor)},
                        queries, compiled_columns<P>(dims, kept.dim), kept.options, 0);
    RunPoints<T, P> points(kept);
    if (!queries) return ask<KnnAlgorithm>(dims, place, points, {o, nullptr, visitor});
    Queries<T, P> asked{Preparation<T, P>::bring(place, *queries, "queries", !kept.period.empty())};
    check_fit(kept, asked.extent);
    if constexpr (!is_device<P>)
        if (way != IndexWay::here) sort_queries(place, asked);
    return ask<KnnAlgorithm>(dims, place, points, {o, &asked, visitor, way});
}

/// Neighbours in the points of an index.
template <class T, int... D, class P, class AnyPoints>
KnnResult<T, P> search(Dims<D...> dims, Index<T, P> const& index, AnyPoints const* queries,
                       KnnOptions const& o, VisitorOn<T, P> const& visitor = {}) {
    check_for_index(o.box);
    check_options(o, bool(queries));
    if (queries) check_query_columns(queries->dim, index.dim());
    auto way = IndexWay::walk;
    auto const find = [&](auto& place) {
        return search_kept<T>(dims, place, index.points(), queries, o, visitor, way);
    };
    if constexpr (!is_device<P>)
        if (queries) {
            way = index_way(queries->size, index.size(), compiled_columns<P>(dims, index.dim()));
            // Rows in z-order want a sort.
            if (way == IndexWay::here && o.order == Order::z) way = IndexWay::descents;
            if (way == IndexWay::here) return find(index.place());
        }
    return on_index<KnnResult<T, P>>(dims, index, find);
}

}  // namespace zwalk::inline v0::detail
