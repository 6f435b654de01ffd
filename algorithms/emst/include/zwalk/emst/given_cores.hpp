// Spanning trees by mutual reachability with core distances of the caller's.
#pragma once
#include <span>

#include "zwalk/emst/emst.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk { inline namespace v0 {

/// The minimum spanning tree of mutual reachability, the largest of the distance of two points and their core distances, which are given:
/// for definitions of density that emst() doesn't have. On the index's place; the result is on the host.
///
/// Exact and unique, as emst(); of two equal points the core distances have to be equal. Time and memory are those of emst() where core
/// distances are about as large as those to the 8th neighbour; far larger ones take longer.
///
/// @param core_distances  one for each point, in the order of the input
/// @throws InputError  another number of core distances; one that is negative or not finite
/// @throws Error       the memory of a GPU doesn't suffice
template <class T, class P>
EmstResult<T> emst_with_cores(Index<T, P> const& index, std::span<T const> core_distances);

namespace detail {
/// The same on MPI ranks, each of which passes the core distances of its rows: good ones. Of `options` min_samples isn't read.
template <class T>
EmstResult<T, Mpi> tree_with_cores(RankInput<T> const& local, std::span<T const> core_distances,
                                   EmstOptions options, RankCall const& call);
}  // namespace detail

extern template EmstResult<float> emst_with_cores(Index<float> const&, std::span<float const>);
extern template EmstResult<double> emst_with_cores(Index<double> const&, std::span<double const>);
extern template EmstResult<float> emst_with_cores(CudaIndex<float> const&, std::span<float const>);
extern template EmstResult<double> emst_with_cores(CudaIndex<double> const&, std::span<double const>);

}}  // namespace zwalk::v0
