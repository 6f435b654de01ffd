// The nearest point of a set for each of some points, as drivers ask for it, on one place or on ranks (run/call_points.hpp).
#pragma once
#include <cstdint>
#include <utility>

#include "zwalk/knn/algorithm.hpp"
#include "zwalk/run/call_points.hpp"
#include "zwalk/run/prepared_points.hpp"

namespace zwalk::inline v0::detail {

/// Which one of `sources` is nearest to each of the points at positions `at`, ascending; of equally near ones the first in z-order.
/// Numbers are positions in `sources`, of which there is one at least; on ranks those among the points of all ranks.
template <class T, class P>
ArrayOn<P, index_t> nearest_point(CallPoints<T, P>& points, ArrayOn<P, pos_t> const& at,
                                  CallPoints<T, P>& sources) {
    P& place = points.place();
    auto const rows = rows_of(place, points.prepared(), at);
    Queries<T, P> asked;
    asked.points = PointsOn<T, P>(rows.data(), at.size(), points.prepared().dim);
    KnnSearch<T, P> search;
    search.options.k = 1;
    search.queries = &asked;
    return points.template with_columns<ArrayOn<P, index_t>>([&]<int D>() {
        if constexpr (!is_device<P>) {
            search.way = index_way(at.size(), sources.size_here(), D);
            // They are in z-order.
            asked.order = place.template buffer<pos_t>(at.size());
            place.for_each(at.size(), Iota{asked.order.data()});
        }
        RunPoints<T, P> kept(sources.prepared());
        return std::move(Instance<KnnAlgorithm, D, T, P>::run(place, kept, search).indices);
    });
}

}  // namespace zwalk::inline v0::detail
