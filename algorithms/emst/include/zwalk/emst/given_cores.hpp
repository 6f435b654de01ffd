// Spanning trees by mutual reachability with core distances of the caller's.
#pragma once
#include <span>

#include "zwalk/emst/emst.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk { inline namespace v0 {

/// The minimum spanning tree of mutual reachability, the largest of the distance of two points and their core distances, which are given:
/// for definitions of density that emst() doesn't have. On the threads of the index's place.
///
/// Exact and unique, as emst(); of two equal points the core distances have to be equal. Time and memory are those of emst() where core
/// distances are about as large as those to the 8th neighbour; far larger ones take longer.
///
/// @param core_distances  one for each point, in the order of the input
/// @throws InputError  another number of core distances; one that is negative or not finite
template <class T>
EmstResult<T> emst_with_cores(Index<T> const& index, std::span<T const> core_distances);

extern template EmstResult<float> emst_with_cores(Index<float> const&, std::span<float const>);
extern template EmstResult<double> emst_with_cores(Index<double> const&, std::span<double const>);

}}  // namespace zwalk::v0
