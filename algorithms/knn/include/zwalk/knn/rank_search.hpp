// Neighbours among what a rank has imported, for algorithms on MPI ranks that begin with neighbours.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "zwalk/knn/algorithm.hpp"
#include "zwalk/run/rank_place.hpp"

namespace zwalk::inline v0::detail {

/// This rank's queries, which are in z-order.
template <class T, class P>
Queries<T, P> sorted_queries(P& place, Points<T> queries) {
    Queries<T, P> sorted{bring_queries(place, queries)};
    if constexpr (!is_device<P>) {
        sorted.order = Buffer<pos_t>(sorted.points.size);
        place.for_each(sorted.points.size, Iota{sorted.order.data()});
    }
    return sorted;
}

/// Rows on the host, wherever they were found.
template <class T, class P>
KnnResult<T> rows_here(P& place, KnnResult<T, P>&& found) {
    KnnResult<T> here;
    here.rows = found.rows;
    here.stats = std::move(found.stats);
    download(place, here.indices, std::move(found.indices));
    download(place, here.distances, std::move(found.distances));
    return here;
}

/// take(result), a KnnResult<T, P>, on each rank: rows in z-order, of positions in the sources that were imported; no rows
/// if a visitor sees the neighbours, which prepare(search) puts there. Collective.
/// @param queries  in z-order; null: the targets of `all`, which are own points, are the queries
/// @param beside   bytes that the caller will have on the device meanwhile
template <int D, class T, class P, class Prepare, class Take>
void search_imported(Comm& comm, P& place, RankPoints<T>& sources,
                     std::type_identity_t<Points<T>> const* queries, ImportedPoints<T>& all,
                     KnnOptions const& o, bool visited, Prepare const& prepare, Take const& take,
                     std::uint64_t beside = 0) {
    KnnSearch<T, P> search{
        {.k = o.k, .exclude_self = o.exclude_self, .within = o.within, .order = Order::z}};
    auto const check = [&](std::uint64_t available) {
        if constexpr (is_device<P>) {
            // As if own points were queries, since there may be many more sources.
            SearchShape const shape{.points = all.tree.size(),
                                    .queries = queries ? queries->size : sources.size_here(),
                                    .columns = D,
                                    .item_bytes = sizeof(T),
                                    .tree = sources.options(),
                                    .memory_budget = Preparation<T, P>::memory_budget(place)};
            SearchNeed const need = knn_need(shape, search.options, visited);
            check_device_memory(need.what, std::max(need.build, need.most) + beside, available);
        }
    };
    run_on(comm, place, sources, all.tree, D, check, [&](RunPoints<T, P>& kept) {
        prepare(search);
        auto sorted = queries ? sorted_queries<T>(place, *queries) : Queries<T, P>{};
        if (queries) search.queries = &sorted;
        else search.targets = all.targets;
        take(in_unit<KnnAlgorithm>(place, sources.unit(), search, [&](auto const& asked) {
            return Instance<KnnAlgorithm, D, T, P>::run(place, kept, asked);
        }));
    });
}

}  // namespace zwalk::inline v0::detail
