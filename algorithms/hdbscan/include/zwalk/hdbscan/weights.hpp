// HDBSCAN* of points with weights: a point of weight w counts as w points at its place.
//
//   zwalk::hdbscan(points, {.min_cluster_size = 15, .weights = weights});   // or by its steps:
//   auto tree = zwalk::emst_with_weights(index, weights, 5);
//   auto linkage = zwalk::with_weights(zwalk::single_linkage(index.size(), tree), weights, tree.core_distances);
#pragma once
#include <span>

#include "zwalk/emst/emst.hpp"
#include "zwalk/hdbscan/linkage.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk { inline namespace v0 {

/// The minimum spanning tree of mutual reachability where points have weights. The core distance of a point is the least one within which
/// the weights of points, its own included, sum to min_samples; where those of all don't, all are counted: it is that to the furthest one.
///
/// On the index's place; the result is on the host. As for min_samples / (the lightest weights) neighbours: weights far below 1 cost time and memory.
/// @throws InputError  min_samples < 1; another number of weights, one that isn't a positive number
template <class T, class P>
EmstResult<T> emst_with_weights(Index<T, P> const& index, std::span<double const> weights,
                                int min_samples);

/// The hierarchy with weights: condense() and persistent_sizes() count them instead of points. In a row `size` is still a number of points.
///
/// Merges of equal distance are brought into the order that they have for weights: the heaviest part first. The w points that a point stands
/// for come together at its core distance, so at that distance it is w parts, and above it one of weight w. O(N log N) at most.
/// @param core_distances  of the points, in the unit of the hierarchy's distances
/// @throws InputError  another number of weights or core distances; a weight that isn't a positive number, a core distance that is negative
///                     or NaN
Linkage with_weights(Linkage linkage, std::span<double const> weights,
                     std::span<double const> core_distances, Cpu const& cpu = Cpu());

extern template EmstResult<float> emst_with_weights(Index<float> const&, std::span<double const>, int);
extern template EmstResult<double> emst_with_weights(Index<double> const&, std::span<double const>, int);
extern template EmstResult<float> emst_with_weights(CudaIndex<float> const&, std::span<double const>,
                                                    int);
extern template EmstResult<double> emst_with_weights(CudaIndex<double> const&, std::span<double const>,
                                                     int);

}}  // namespace zwalk::v0
