// The k nearest among what a rank has imported, where it walks.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "zwalk/knn/search.hpp"
#include "zwalk/run/rank_place.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

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

/// body(asked, run) on each rank: run() is a search for what is asked then, in the unit of the points, with rows in z-order, of positions
/// in the sources that were imported. Collective.
/// @param queries  in z-order; null: the targets of `all`, which are own points, are the queries
/// @param visited  the body has a visitor see the neighbours
/// @param beside   bytes that the caller will have on the device meanwhile
template <int D, class T, class P, class Body>
void search_imported(Comm& comm, P& place, RankPoints<T>& sources,
                     std::type_identity_t<Points<T>> const* queries, ImportedPoints<T>& all,
                     NearestSearch const& search, bool visited, Body const& body,
                     std::uint64_t beside = 0) {
    auto const check = [&](std::uint64_t available) {
        if constexpr (is_device<P>) {
            // As if own points were queries, since there may be many more sources.
            CallShape const shape{.points = all.tree.size(),
                                  .others = queries ? queries->size : sources.size_here(),
                                  .columns = D,
                                  .item_bytes = sizeof(T),
                                  .tree = sources.options(),
                                  .memory_budget = Preparation<T, P>::memory_budget(place)};
            CallNeed const need = nearest_need(shape, search.k, Order::z, visited);
            check_device_memory(need.what, std::max(need.build, need.most) + beside, available);
        }
    };
    run_on(comm, place, sources, all.tree, D, check, [&](RunPoints<T, P>& kept) {
        NearestAsked<T, P> asked{search};
        auto sorted = queries ? sorted_queries<T>(place, *queries) : Queries<T, P>{};
        if (queries) asked.queries = &sorted;
        else asked.search.targets = all.targets;
        body(asked, [&] { return Instance<NearestSearching, D, T, P>::run(place, kept, asked); });
    });
}

}}}  // namespace zwalk::v0::detail
