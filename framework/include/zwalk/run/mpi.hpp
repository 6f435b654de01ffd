// MPI ranks as a place for traits: the trait concept, points to trees, the walk. In the library zwalk::mpi.
//
//   zwalk::MpiRanks place(zwalk::Mpi{});                       // all of MPI_COMM_WORLD, each walking on its threads
//   auto const tree = zwalk::make_tree<3>(place, own_points);  // each rank passes its own rows, any number
//   ...                                                        // and on as in point_tree.hpp
//
// Each with a GPU, in sources for nvcc that include run/cuda.cuh, too:
//
//   zwalk::CudaDevice device(zwalk::rank_cuda(comm));          // ranks/rank_cuda.hpp
//   zwalk::MpiRanksOn place(zwalk::Mpi{}, device);
//
// What is imported is decided on the host, by hooks of the trait: decide(), summarize(), merge(), and those of reach and state. They read
// what is in the trait, in payloads, and in tables that tree.shared() made, for which the trait must be an aggregate of at most
// eight members, numbers, Vec of numbers and pointers, that is derived from Types and nothing else.
//
// Calls are collective: all ranks make them, in the same order; an error on one rank is thrown on all.
#pragma once
#include "zwalk/ranks/mpi.hpp"
#ifndef __CUDACC__
#include "zwalk/run/cpu.hpp"
#endif
#include "zwalk/run/detail/rank_point_set.hpp"
#include "zwalk/run/point_tree.hpp"

namespace zwalk { inline namespace v0 {

/// Points of at most D columns that are spread over ranks, of which each passes its own rows (any number, also none), ready
/// to be walked over. They are copied: the input may go. All ranks call it, with the same box.
///
/// O(N log N) in all; each point travels once (ranks/sort.hpp). Ranks have equally many afterwards, give or take little.
/// @throws InputError  as make_tree() of one process, on all ranks, with rows numbered through all ranks; ranks disagree on
///                     the box
template <int D, class P, class T>
PointTree<D, T, MpiRanksOn<P>> make_tree(MpiRanksOn<P>& place, Points<T> const& local,
                                         PointTreeOptions const& options = {}) {
    return detail::PointSet<D, T, MpiRanksOn<P>>(place, local, options.box, options.tree);
}
/// The points of an index on these ranks, which lends its trees; it must stay as long as this tree and what it has made.
/// @throws InputError  on all ranks: D as for make_tree() of an index of one process; another number of ranks
template <int D, class P, class T>
PointTree<D, T, MpiRanksOn<P>> make_tree(MpiRanksOn<P>& place, RankIndex<T> const& index) {
    return detail::PointSet<D, T, MpiRanksOn<P>>(place, index);
}
template <int D, class P, class T>
void make_tree(MpiRanksOn<P>&, RankIndex<T> const&&) {
    static_assert(sizeof(T) == 0, "zwalk: the index must live as long as the tree: give it a name");
}
template <int D, class P, class Rows>
requires requires(Rows const& r) { Points(r); }
auto make_tree(MpiRanksOn<P>& place, Rows const& local, PointTreeOptions const& options = {}) {
    return make_tree<D>(place, Points(local), options);
}

}}  // namespace zwalk::v0
