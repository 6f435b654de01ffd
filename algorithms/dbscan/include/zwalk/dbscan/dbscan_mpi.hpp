// DBSCAN of points that are spread over MPI ranks: the public interface, of the library zwalk::mpi.
#pragma once
#include <cstdint>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/mpi.hpp"
#include "zwalk/run/rank_call.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk::inline v0 {

/// What a rank has of the clusters of all points. Rows of the input are numbered through all ranks: those of lower ranks come
/// first.
struct DbscanOnRanks {
    /// The label of each of this rank's rows: the smallest row in its cluster, border points included; -1 for noise.
    Buffer<index_t> labels;
    Buffer<std::uint8_t> core;  ///< for each row: 1 if it is a core point, else 0
    /// How many there are in all; the same on all ranks.
    std::uint64_t clusters = 0, core_points = 0, noise = 0;
    /// With Order::z, whose rows are those of this rank's range of the z-order of all points: the row of the input that
    /// each belongs to. With Order::input empty.
    Buffer<index_t> row_order;
    Stats stats;
    std::vector<StepStats> steps;  ///< what was sent, step by step
};

namespace detail {
// The functions that those below call.
template <class T>
DbscanOnRanks find_clusters(RankInput<T> const& local, DbscanOptions const& options,
                            RankCall const& call);
}  // namespace detail

/// dbscan() of the points of all ranks, of which each passes its own rows (any number, also none): the same clusters, core
/// points and noise as in one process. All ranks call it, with the same options.
///
/// How: ranks/sort.hpp; three walks over points imported from other ranks, for core points, for groups of these, and for
/// border points (ranks/import.hpp; nodes that lie within epsilon as a whole come as numbers); links between groups of ranks
/// (ranks/detail/links.hpp). The number of collective steps doesn't depend on that of points. Border points go to the ranks of their
/// nearest core points once, 16 bytes each.
/// Memory of a rank: its points twice, what it imports, and as dbscan_memory() of one process.
/// @param cpu  the threads of this rank
/// @throws InputError  on all ranks, as dbscan(); rows are named by their number through all ranks; ranks disagree on an option
/// @throws Error       on all ranks: what failed on one of them
template <class T>
DbscanOnRanks dbscan(Points<T> local, DbscanOptions const& options, Mpi const& mpi,
                     Cpu const& cpu = Cpu()) {
    return detail::find_clusters<T>(local, options, {mpi, cpu});
}
/// dbscan() of points that an index keeps, in its box: nothing is sorted.
/// @throws InputError  on all ranks: options have a box
template <class T>
DbscanOnRanks dbscan(RankIndex<T> const& index, DbscanOptions const& options) {
    return detail::find_clusters<T>(index, options, {index.mpi(), index.cpu()});
}

/// dbscan() with a GPU for each rank, where the three walks are; all else is done by threads of the rank.
/// @param cuda  rank_cuda() (ranks/rank_cuda.hpp)
/// @throws as without GPUs, on all ranks; InputError: a rank has no such GPU, a build without CUDA, more columns than it was
/// compiled for, some ranks have GPUs, others threads; Error: a device's memory doesn't suffice, or CUDA failed
template <class T>
DbscanOnRanks dbscan(Points<T> local, DbscanOptions const& options, Mpi const& mpi, Cuda const& cuda,
                     Cpu const& cpu = Cpu()) {
    return detail::find_clusters<T>(local, options, {mpi, cuda, cpu});
}
template <class T>
DbscanOnRanks dbscan(RankIndex<T> const& index, DbscanOptions const& options, Cuda const& cuda) {
    return detail::find_clusters<T>(index, options, {index.mpi(), cuda, index.cpu()});
}

}  // namespace zwalk::inline v0
