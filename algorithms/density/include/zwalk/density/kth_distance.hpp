// The distance to the k-th neighbour of each point, as drivers ask for it, on one place or on ranks (run/call_points.hpp).
#pragma once
#include "zwalk/density/detail/reduce_run.hpp"
#include "zwalk/knn/algorithm.hpp"
#include "zwalk/run/call_points.hpp"

namespace zwalk::inline v0::detail {

/// What writes such distances of targets, by their numbers in z-order, into value[number].
/// @param kept  on threads it must outlive the visitor
template <class T, class P>
VisitorOn<T, P> kth_visitor(KthDistance<T> const& kept) {
    if constexpr (is_device<P>) {
        return [value = kept.value, k = kept.k](P& device, NeighbourRun<T> const& run) {
            device_reduce(device, run, Reduction::radius, 0, k, value);
        };
    } else {
        return make_visitor<T>(kept);
    }
}

/// The distance to the k-th neighbour of each point, itself included, in the unit of the input. Infinite where there are fewer.
template <class T, class P>
ArrayOn<P, T> kth_distances(CallPoints<T, P>& points, index_t k) {
    P& place = points.place();
    auto distances = place.template buffer<T>(points.size_here());
    KthDistance<T> const kept{distances.data(), k};
    KnnSearch<T, P> search;
    search.options.k = k;
    search.options.order = Order::z;
    search.visitor = in_unit<T, P>(kth_visitor<T, P>(kept), points.prepared().unit);
    points.template with_columns<void>([&]<int D>() {
        RunPoints<T, P> all(points.prepared());
        (void)Instance<KnnAlgorithm, D, T, P>::run(place, all, search);
    });
    return distances;
}

}  // namespace zwalk::inline v0::detail
