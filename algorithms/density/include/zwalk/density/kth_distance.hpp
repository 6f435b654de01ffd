// One number of the neighbours of each point, as drivers ask for it, on any place and on ranks.
#pragma once
#include "zwalk/density/detail/reduce_chunk.hpp"
#include "zwalk/knn/neighbours_of.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// For NeighboursOf::each(): visitors that write what a reduction makes of neighbours.
template <class T>
struct Reducing {
    Reduction what;
    int axes;  ///< columns that the data has
    index_t k;

    template <class P, class F>
    void operator()(T* value, F const& f) const {
        if constexpr (is_device<P>)
            f(ChunkVisitor<T, P>([of = *this, value](P& device, NeighbourChunk<T> const& chunk) {
                device_reduce(device, chunk, of.what, of.axes, of.k, value);
            }));
        else
            with_reduction(what, value, axes, k,
                           [&](auto const& object) { f(make_visitor<T>(object)); });
    }
};

/// The distance to the k-th neighbour of each point, itself included, in the unit of the input. Infinite where there are fewer.
template <class Points>
auto kth_distances(Points& points, index_t k) {
    using T = typename Points::real;
    NeighboursOf<Points> found(points, nullptr, {.k = k}, Order::z);
    return found.template each<T>(Reducing<T>{Reduction::radius, points.dim(), k});
}

}}}  // namespace zwalk::v0::detail
