// Density peaks on any place, and on ranks: how far the k-th neighbour of each point is, and then the nearest point where that is
// nearer.
#pragma once
#include <utility>

#include "algorithm.hpp"
#include "zwalk/density/kth_distance.hpp"
#include "zwalk/peaks/trait.hpp"
#include "zwalk/run/call_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class Points>
ResultOf<PeaksAlgorithm, Points> PeaksAlgorithm::run(Points& points, PeaksOptions const& o) {
    using T = typename Points::real;
    ResultOf<PeaksAlgorithm, Points> r;
    r.radius = kth_distances(points, o.k);
    points.end_phase("density");
    auto found = points.nearest_by(r.radius, [&]<int D>(pos_t* denser, T* distance2) {
        NearestDenser<D, T> trait;
        trait.denser = denser;
        trait.distance2 = distance2;
        return trait;
    });
    r.delta = std::move(found.distances);
    r.nearest_denser = std::move(found.rows);
    points.end_phase("walk");
    points.in_order(r.radius, o.order);
    points.in_order(r.delta, o.order);
    points.in_order(r.nearest_denser, o.order);
    points.finish(r, o.order);
    return r;
}

}}}  // namespace zwalk::v0::detail
