// One number of the neighbours of each point (query), on any place and on ranks.
#pragma once
#include <type_traits>
#include <utility>

#include "algorithm.hpp"
#include "zwalk/density/kth_distance.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class Points, class Queries>
ResultOf<ReduceAlgorithm, Points> ReduceAlgorithm::run(Points& sources, Queries* queries,
                                                       ReduceAsked const& o) {
    using T = typename Points::real;
    ResultOf<ReduceAlgorithm, Points> r;
    NearestSearch const search{o.k, o.exclude_self, scaled_within(o.within, sources.unit())};
    NeighboursOf<Points> found(sources, queries, search, o.order, true);
    auto values = found.template each<T>(Reducing<T>{o.what, sources.dim(), o.k});
    if constexpr (std::is_same_v<decltype(values), Buffer<T>>) {
        r.values = std::move(values);
    } else {
        r.values = Buffer<T>(values.size());
        sources.place().download(r.values.data(), values.data(), values.size());
    }
    auto const own = lost_densities<T>(r.values);
    LostDensities const all{sources.total(own.lost), sources.total(own.all)};
    sources.here([&] { settle_densities<T>(r.values, all); });
    found.finish(r);
    return r;
}

}}}  // namespace zwalk::v0::detail
