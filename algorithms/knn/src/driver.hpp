// Nearest neighbours on any place, and on ranks: in rows, or shown to a visitor.
#pragma once
#include <any>
#include <utility>

#include "algorithm.hpp"
#include "zwalk/knn/neighbours_of.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class Points, class Queries>
ResultOf<KnnAlgorithm, Points> KnnAlgorithm::run(Points& sources, Queries* queries, KnnAsked const& o) {
    using Neighbours = NeighboursOf<Points>;
    ResultOf<KnnAlgorithm, Points> r;
    NearestSearch const search{o.k, o.exclude_self, scaled_within(o.within, sources.unit())};
    Neighbours found(sources, queries, search, o.order, true);
    if (o.visitor.has_value()) {
        r.rows = found.show(*std::any_cast<typename Neighbours::Visitor const*>(o.visitor));
    } else {
        auto rows = found.rows();
        r.rows = rows.rows;
        r.columns = std::size_t(o.k);
        r.indices = std::move(rows.indices);
        r.distances = std::move(rows.distances);
    }
    found.finish(r);
    return r;
}

}}}  // namespace zwalk::v0::detail
