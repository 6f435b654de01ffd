// kth_distances() on ranks.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

#include "zwalk/density/kth_distance.hpp"
#include "zwalk/knn/rank_search.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/run/rank_call_points.hpp"
#include "zwalk/run/rank_nearest.hpp"

namespace zwalk::inline v0::detail {

template <class T, class Where>
Buffer<T> kth_distances(RankCallPoints<T, Where>& points, index_t k) {
    using P = typename Where::Type;
    RankPoints<T>& own = points.points();
    auto const n = pos_t(std::min<std::uint64_t>(own.size(), max_points));
    auto all = import_for_nearest(own, own, attainable_k(std::size_t(k), n), false);
    P& walks = *points.walks().place;
    ArrayOn<P, T> there;
    KthDistance<T> kept{nullptr, k};
    auto const prepare = [&](KnnSearch<T, P>& search) {
        there = new_array<T>(walks, own.size_here());
        kept.value = there.data();
        search.visitor = kth_visitor<T, P>(kept);
    };
    Buffer<T> distances;
    points.template with_columns<void>([&]<int D>() {
        search_imported<D>(points.comm(), walks, own, nullptr, all, {.k = k}, true, prepare,
                           [&](auto const&) { download(walks, distances, std::move(there)); });
    });
    return distances;
}

}  // namespace zwalk::inline v0::detail
