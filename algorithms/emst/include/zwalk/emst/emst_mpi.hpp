// Minimum spanning trees of points that are spread over MPI ranks: the public interface, of the library zwalk::mpi.
#pragma once
#include <cstdint>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/dist/comm.hpp"
#include "zwalk/dist/mpi.hpp"
#include "zwalk/emst/emst.hpp"
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
    Buffer<T> core_distances;      ///< of each of this rank's rows; empty for min_samples 1
    Stats stats;  ///< of this rank: seconds of phases, points that were brought in, rounds
    std::vector<StepStats> steps;  ///< what was sent, step by step
};

/// emst() of the points of all ranks, of which each passes its own rows (any number, also none): the same tree as in one
/// process, bit for bit. All ranks call it, with the same options; min_samples may be as many as there are points in all.
///
/// How: dist/sort.hpp, and the tree of each rank's own points. No other edges than these join two points of one rank in
/// the tree of all. Those that are shorter than what leads to other ranks from one of the parts that they join are surely
/// in it: what is left are parts, some n^(2/3) of n points per rank. Borůvka's rounds join them, in which ranks search for
/// edges between them only; all ranks have a list of all parts, some 100 bytes each.
/// Memory: see emst_rank_memory.
/// @param cpu  the threads of this rank
/// @throws InputError  on all ranks, as emst(); rows are named by their number through all ranks; ranks disagree on an option
/// @throws Error       on all ranks: what failed on one of them
template <class T>
EmstOnRanks<T> emst(Points<T> local, EmstOptions const& options, Mpi const& mpi, Cpu const& cpu = Cpu());
/// Of points that an index keeps, and its box: nothing is sorted.
/// @throws InputError  on all ranks: options have a box
template <class T>
EmstOnRanks<T> emst(RankIndex<T> const& index, EmstOptions const& options = {});

extern template EmstOnRanks<float> emst(Points<float>, EmstOptions const&, Mpi const&, Cpu const&);
extern template EmstOnRanks<double> emst(Points<double>, EmstOptions const&, Mpi const&, Cpu const&);
extern template EmstOnRanks<float> emst(RankIndex<float> const&, EmstOptions const&);
extern template EmstOnRanks<double> emst(RankIndex<double> const&, EmstOptions const&);

/// Bytes that emst() needs beside the input, as emst_memory(), on a rank that has `points` rows and imports half as many
/// points. (Of many points in three dimensions it is some tenths; of clustered ones, or few per rank, it has been more:
/// docs/performance.md.) Parts, 100 bytes for each of all ranks, aren't counted.
/// @throws InputError  as emst_memory()
EmstMemory emst_rank_memory(std::uint64_t points, int dim, std::size_t item_bytes, int min_samples = 1);

}  // namespace zwalk::inline v0
