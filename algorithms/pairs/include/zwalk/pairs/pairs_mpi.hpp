// Pair counts of points that are spread over MPI ranks: the public interface, of the library zwalk::mpi.
#pragma once
#include <type_traits>
#include <vector>

#include "zwalk/exec/cuda.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/mpi.hpp"
#include "zwalk/run/rank_call.hpp"

namespace zwalk::inline v0 {

/// The counts of all pairs of all ranks, on each of them.
struct PairCountsOnRanks : PairCounts {
    std::vector<StepStats> steps;  ///< what was sent, step by step
};

namespace detail {
// The functions that those below call.
template <class T>
PairCountsOnRanks count_pairs(Points<T> points, std::type_identity_t<Points<T>> const* second,
                              PairOptions const& options, RankCall const& call);
}  // namespace detail

/// pair_counts() of the points of all ranks, of which each passes its own rows (any number, also none), and their weights
/// if there are such: the same counts and weighted sums as in one process, bit for bit. All ranks call it, with the same
/// options.
///
/// How: ranks/sort.hpp; for each walk (64 bins, or 512 of two numbers) points within the largest separation of other ranks'
/// points are imported (ranks/import.hpp): nodes that lie in one bin as a whole as numbers. Each pair is met on one rank.
/// Memory of a rank: its points twice, what it imports, 8 bytes per point for weights.
/// @param cpu  the threads of this rank
/// @throws InputError  on all ranks, as pair_counts(); rows are named by their number through all ranks; ranks disagree on an
///                     option, or one of them has no weights; more pairs than 64 bits can count
/// @throws Error       on all ranks: what failed on one of them
template <class T>
PairCountsOnRanks pair_counts(Points<T> local, PairOptions const& options, Mpi const& mpi,
                              Cpu const& cpu = Cpu()) {
    return detail::count_pairs(local, nullptr, options, {mpi, cpu});
}
/// Counts the pairs of a point of one set and a point of another one, of which each rank passes its own rows, too.
template <class T>
PairCountsOnRanks pair_counts(Points<T> local, std::type_identity_t<Points<T>> local_second,
                              PairOptions const& options, Mpi const& mpi, Cpu const& cpu = Cpu()) {
    return detail::count_pairs(local, &local_second, options, {mpi, cpu});
}

/// pair_counts() with a GPU for each rank, where own and imported points and nodes are copied to and walked on; all else is done
/// by threads of the rank.
/// @param cuda  rank_cuda() (ranks/rank_cuda.hpp)
/// @throws as without GPUs, on all ranks; InputError: a rank has no such GPU, a build without CUDA, more columns than
/// it was compiled for, some ranks have GPUs, others threads; Error: a device's memory doesn't suffice, or CUDA failed
template <class T>
PairCountsOnRanks pair_counts(Points<T> local, PairOptions const& options, Mpi const& mpi,
                              Cuda const& cuda, Cpu const& cpu = Cpu()) {
    return detail::count_pairs(local, nullptr, options, {mpi, cuda, cpu});
}
template <class T>
PairCountsOnRanks pair_counts(Points<T> local, std::type_identity_t<Points<T>> local_second,
                              PairOptions const& options, Mpi const& mpi, Cuda const& cuda,
                              Cpu const& cpu = Cpu()) {
    return detail::count_pairs(local, &local_second, options, {mpi, cuda, cpu});
}

}  // namespace zwalk::inline v0
