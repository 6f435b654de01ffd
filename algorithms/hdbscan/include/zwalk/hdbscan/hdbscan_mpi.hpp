// HDBSCAN* clusters of points that are spread over MPI ranks: the public interface, of the library zwalk::mpi.
#pragma once
#include <cstdint>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/mpi.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk::inline v0 {

/// What a rank has of the clusters of all points. Rows of the input are numbered through all ranks: those of lower ranks
/// come first.
template <class T>
struct HdbscanOnRanks {
    /// Results for each of this rank's rows, as in HdbscanResult.
    Buffer<index_t> labels;
    Buffer<double> probabilities;
    Buffer<double> outlier_scores;
    Buffer<T> core_distances;

    std::uint64_t clusters = 0;  ///< how many there are in all; the same on all ranks

    /// Results for each cluster, and for all points: on rank 0, and empty on the others.
    std::vector<double> persistence;
    std::vector<index_t> ids;
    Linkage linkage;
    CondensedTree condensed_tree;

    Stats stats;                   ///< of this rank
    std::vector<StepStats> steps;  ///< what was sent, step by step
};

/// hdbscan() of the points of all ranks, of which each passes its own rows (any number, also none): the same clusters as in
/// one process, bit for bit. All ranks call it, with the same options.
///
/// How: emst() on ranks; rank 0 gets the tree, makes hierarchy and clusters as one process does, with its threads, and sends
/// all ranks the labels, probabilities and scores of their rows. So there are at most 2^31 - 256 points, and rank 0 needs memory
/// for all of them: some 100 bytes each.
/// Memory: see hdbscan_rank_memory.
/// @param cpu  the threads of this rank
/// @throws InputError  on all ranks, as hdbscan(); rows are named by their number through all ranks; ranks disagree on an
///                     option; too many points
/// @throws Error       on all ranks: rank 0 has no memory for the clusters, which is reported before any work; what failed on
///                     one of them
template <class T>
HdbscanOnRanks<T> hdbscan(Points<T> local, HdbscanOptions const& options, Mpi const& mpi,
                          Cpu const& cpu = Cpu());
/// hdbscan() of points that an index keeps, in its box: nothing is sorted.
/// @throws InputError  on all ranks: options have a box
template <class T>
HdbscanOnRanks<T> hdbscan(RankIndex<T> const& index, HdbscanOptions const& options);

/// hdbscan() with a GPU for each rank, where the tree is grown (emst.hpp).
/// @param cuda  rank_cuda() (ranks/rank_cuda.hpp)
/// @throws as without GPUs, and as emst() on GPUs, on all ranks
template <class T>
HdbscanOnRanks<T> hdbscan(Points<T> local, HdbscanOptions const& options, Mpi const& mpi,
                          Cuda const& cuda, Cpu const& cpu = Cpu());
template <class T>
HdbscanOnRanks<T> hdbscan(RankIndex<T> const& index, HdbscanOptions const& options, Cuda const& cuda);

extern template HdbscanOnRanks<float> hdbscan(Points<float>, HdbscanOptions const&, Mpi const&,
                                              Cpu const&);
extern template HdbscanOnRanks<double> hdbscan(Points<double>, HdbscanOptions const&, Mpi const&,
                                               Cpu const&);
extern template HdbscanOnRanks<float> hdbscan(RankIndex<float> const&, HdbscanOptions const&);
extern template HdbscanOnRanks<double> hdbscan(RankIndex<double> const&, HdbscanOptions const&);

/// Bytes that hdbscan() needs on ranks beside the input: for the tree as emst_rank_memory() on a rank with `points` rows,
/// and then for the clusters of all `total` points, on rank 0 alone.
/// @param makes_clusters  it is rank 0
/// @throws InputError  as emst_memory()
Need hdbscan_rank_memory(std::uint64_t points, std::uint64_t total, int dim, std::size_t item_bytes,
                         HdbscanOptions const& options, bool makes_clusters);

}  // namespace zwalk::inline v0
