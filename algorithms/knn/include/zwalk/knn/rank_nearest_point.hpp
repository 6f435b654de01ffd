// nearest_point() on ranks.
#pragma once
#include <span>
#include <utility>

#include "zwalk/knn/rank_search.hpp"
#include "zwalk/run/rank_call_points.hpp"
#include "zwalk/run/rank_nearest.hpp"

namespace zwalk::inline v0::detail {

template <class T, class Where>
Buffer<index_t> nearest_point(RankCallPoints<T, Where>& points, Buffer<pos_t> const& at,
                              RankCallPoints<T, Where>& sources) {
    RankPoints<T> asking(points.points(), std::span<pos_t const>(at), &sources.points());
    auto all = import_for_nearest(asking, sources.points(), 1, false);
    auto const queries = asking.own().points.points();
    Buffer<index_t> nearest;
    points.template with_columns<void>([&]<int D>() {
        auto& walks = *points.walks().place;
        search_imported<D>(
            points.comm(), walks, sources.points(), &queries, all, {.k = 1}, false, [](auto&) {},
            [&](auto&& found) {
                nearest = rows_here(walks, std::move(found)).indices;
                for (index_t& source : nearest) source = all.input_index[std::size_t(source)];
            });
    });
    return nearest;
}

}  // namespace zwalk::inline v0::detail
