// Minimum spanning trees of points that are spread over MPI ranks: the public interface, of the library zwalk::mpi.
#pragma once
#include <cstdint>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/mpi.hpp"
#include "zwalk/run/rank_call.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk::inline v0 {

/// What a rank has of the tree of all points. Rows of the input are numbered through all ranks: those of lower ranks come
/// first.
template <class T>
struct EmstOnRanks {
    /// A range of the tree's edges in the order of EmstResult::edges, of about (N - 1) / P edges: those of lower ranks come
    /// first. Shape (edges, 2), row after row: rows of the input i < j.
    Buffer<index_t> edges;
    Buffer<T> lengths;             ///< of each edge
    std::uint64_t first_edge = 0;  ///< number of the first of these among all edges
    Buffer<T> core_distances;  ///< of each of this rank's rows; empty for min_samples 1, or one point
    Stats stats;               ///< of this rank: seconds of phases, points that were imported, rounds
    std::vector<StepStats> steps;  ///< what was sent, step by step
};

namespace detail {
// The functions that those below call.
template <class T>
EmstOnRanks<T> find_tree(RankInput<T> const& local, EmstOptions const& options, RankCall const& call);
}  // namespace detail

/// emst() of the points of all ranks, of which each passes its own rows (any number, also none): the same tree as in one
/// process, bit for bit. All ranks call it, with the same options.
///
/// How: ranks/sort.hpp, and the tree of each rank's own points. No other edges than these join two points of one rank in
/// the tree of all. Those that are shorter than every edge to other ranks from one of the parts that they join are surely
/// in it. What is left are parts, some n^(2/3) of n points per rank. Borůvka's rounds join them, in which ranks search for
/// edges between them only; all ranks have a list of all parts, some 100 bytes each.
/// Memory: see emst_rank_memory.
/// @param cpu  the threads of this rank
/// @throws InputError  on all ranks, as emst(); rows are named by their number through all ranks; ranks disagree on an option
/// @throws Error       on all ranks: what failed on one of them
template <class T>
EmstOnRanks<T> emst(Points<T> local, EmstOptions const& options, Mpi const& mpi,
                    Cpu const& cpu = Cpu()) {
    return detail::find_tree<T>(local, options, {mpi, cpu});
}
/// emst() of points that an index keeps, in its box: nothing is sorted.
/// @throws InputError  on all ranks: options have a box
template <class T>
EmstOnRanks<T> emst(RankIndex<T> const& index, EmstOptions const& options = {}) {
    return detail::find_tree<T>(index, options, {index.mpi(), index.cpu()});
}

/// emst() with a GPU for each rank, where core distances, the trees of the ranks' own points and the searches are; parts are
/// joined by threads of the rank, as without GPUs.
/// @param cuda  rank_cuda() (ranks/rank_cuda.hpp)
/// @throws as without GPUs, on all ranks; InputError: a rank has no such GPU, a build without CUDA, more columns than it was
/// compiled for, some ranks have GPUs, others threads; Error: a device's memory doesn't suffice, or CUDA failed
template <class T>
EmstOnRanks<T> emst(Points<T> local, EmstOptions const& options, Mpi const& mpi, Cuda const& cuda,
                    Cpu const& cpu = Cpu()) {
    return detail::find_tree<T>(local, options, {mpi, cuda, cpu});
}
template <class T>
EmstOnRanks<T> emst(RankIndex<T> const& index, EmstOptions const& options, Cuda const& cuda) {
    return detail::find_tree<T>(index, options, {index.mpi(), cuda, index.cpu()});
}

/// Bytes that emst() needs beside the input, as emst_memory(), on a rank that has `points` rows and imports half as many
/// points. (For many points in three dimensions it is some tenths; for clustered ones, or few per rank, it has been more:
/// docs/performance.md.) Parts, 100 bytes for each of all ranks, aren't counted.
/// @throws InputError  as emst_memory()
Need emst_rank_memory(std::uint64_t points, int dim, std::size_t item_bytes, int min_samples = 1);

}  // namespace zwalk::inline v0
