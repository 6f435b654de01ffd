// DBSCAN of points that are spread over MPI ranks: the public interface, of the library zwalk::mpi.
#pragma once
#include <cstdint>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/dist/comm.hpp"
#include "zwalk/dist/mpi.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk::inline v0 {

/// What a rank has of the clusters of all points. Rows of the input are numbered through all ranks: those of lower ranks come
/// first.
struct DbscanOnRanks {
    /// Of each of this rank's rows: the smallest row in its cluster, border points included; of noise -1.
    Buffer<index_t> labels;
    Buffer<std::uint8_t> core;  ///< of each: 1 if it is a core point, else 0
    /// How many there are in all; the same on all ranks.
    std::uint64_t clusters = 0, core_points = 0, noise = 0;
    /// With Order::z, whose rows are those of this rank's range of the z-order of all points: the row of the input that
    /// each belongs to. With Order::input empty.
    Buffer<index_t> row_order;
    Stats stats;
    std::vector<StepStats> steps;  ///< what was sent, step by step
};

/// dbscan() of the points of all ranks, of which each passes its own rows (any number, also none): the same clusters, core
/// points and noise as in one process. All ranks call it, with the same options.
///
/// How: dist/sort.hpp; three walks over what is brought in from other ranks, for core points, for groups of these, and for
/// border points (dist/import.hpp; nodes that lie within epsilon as a whole come as numbers); links between groups of ranks
/// (dist/detail/links.hpp). The number of collective steps doesn't depend on that of points. Border points go to the ranks of their
/// nearest core points once, 16 bytes each.
/// Memory of a rank: its points twice, what it imports, and as dbscan_memory() of one process.
/// @param cpu  the threads of this rank
/// @throws InputError  on all ranks, as dbscan(); rows are named by their number through all ranks; ranks disagree on an option
/// @throws Error       on all ranks: what failed on one of them
template <class T>
DbscanOnRanks dbscan(Points<T> local, DbscanOptions const& options, Mpi const& mpi,
                     Cpu const& cpu = Cpu());
/// Of points that an index keeps, and its box: nothing is sorted.
/// @throws InputError  on all ranks: options have a box
template <class T>
DbscanOnRanks dbscan(RankIndex<T> const& index, DbscanOptions const& options);

extern template DbscanOnRanks dbscan(Points<float>, DbscanOptions const&, Mpi const&, Cpu const&);
extern template DbscanOnRanks dbscan(Points<double>, DbscanOptions const&, Mpi const&, Cpu const&);
extern template DbscanOnRanks dbscan(RankIndex<float> const&, DbscanOptions const&);
extern template DbscanOnRanks dbscan(RankIndex<double> const&, DbscanOptions const&);

}  // namespace zwalk::inline v0
