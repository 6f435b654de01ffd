// From the edges of a tree, by z-order positions, to those of a result.
#pragma once
#include <cmath>

#include "zwalk/core/clock.hpp"
#include "zwalk/emst/detail/fragments.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/device.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Brings edges, of which no two are equal, into ascending order. O(N) where lengths differ, else O(N log N).
void sort_edges(Cpu const& cpu, Buffer<Edge<float>>& edges);
void sort_edges(Cpu const& cpu, Buffer<Edge<double>>& edges);

/// A tree: its edges by z-order positions, in any order, and core distances if there are any (squared, by position).
template <class T, class P>
struct GrownTree {
    ArrayOn<P, Edge<T>> edges;
    ArrayOn<P, T> core2;
};

/// Why not std::less: it isn't for device code.
template <class T>
struct EdgeBefore {
    ZWALK_HD bool operator()(Edge<T> const& a, Edge<T> const& b) const { return a < b; }
};
template <class T, class Device>
requires is_device<Device>
void sort_edges(Device& device, DeviceBuffer<Edge<T>>& edges) {
    merge_sort(device, edges.data(), edges.size(), EdgeBefore<T>{});
}

/// Edges by rows of the input instead of z-order positions.
template <class T>
struct WriteEdges {
    Edge<T> const* edges;
    pos_t const* input;
    index_t* rows;
    T* lengths;
    ZWALK_HD void operator()(std::size_t e) const {
        index_t const i = input[edges[e].a], j = input[edges[e].b];
        rows[2 * e] = min_of(i, j);
        rows[2 * e + 1] = max_of(i, j);
        lengths[e] = std::sqrt(edges[e].w2);
    }
};
/// Core distances in the order of the input.
template <class T>
struct WriteCores {
    T const* core2;
    pos_t const* input;
    T* core_distances;
    ZWALK_HD void operator()(std::size_t i) const { core_distances[input[i]] = std::sqrt(core2[i]); }
};

/// The result of a tree: edges in order, and core distances if there are any (squared, by position).
/// @param input  the input row of each z-order position
template <class T, class P>
void write_result(P& place, ArrayOn<P, Edge<T>>&& edges, ArrayOn<P, T> const& core2,
                  ArrayOn<P, pos_t> const& input, EmstResult<T, PlaceOf<P>>& r) {
    double const start = now_seconds();
    sort_edges(place, edges);
    r.edges = place.template buffer<index_t>(2 * edges.size());
    r.lengths = place.template buffer<T>(edges.size());
    place.for_each(edges.size(),
                   WriteEdges<T>{edges.data(), input.data(), r.edges.data(), r.lengths.data()});
    r.core_distances = place.template buffer<T>(core2.size());
    place.for_each(core2.size(), WriteCores<T>{core2.data(), input.data(), r.core_distances.data()});
    place.synchronize();
    r.stats.seconds.emplace_back("order", now_seconds() - start);
}

}}}  // namespace zwalk::v0::detail
