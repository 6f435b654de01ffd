// Gravity of masses that are spread over MPI ranks: the public interface, of the library zwalk::mpi.
#pragma once
#include <cstddef>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/mpi.hpp"

namespace zwalk::inline v0 {

/// What a rank has of the accelerations and potentials of all points.
template <class T>
struct GravityOnRanks {
    std::size_t rows = 0, columns = 0;  ///< of this rank; their dimension
    Buffer<T> accelerations;            ///< that of row i at [i * columns, (i + 1) * columns)
    Buffer<T> potentials;               ///< one for each row
    /// With Order::z, whose rows are those of this rank's range of the z-order of all points: the row of the input that
    /// each belongs to. With Order::input empty: rows are those that the rank passed.
    Buffer<index_t> row_order;
    int expansion_order = 0;  ///< that was used
    double opening = 0;       ///< that was used
    Stats stats;
    std::vector<StepStats> steps;  ///< what was sent, step by step
};

/// gravity() of the points of all ranks, of which each passes its own rows (any number, also none) and their masses. All
/// ranks call it, with the same options.
///
/// As accurate as in one process, but not the same bits: ranks cut nodes where their ranges of the z-order end, so other nodes
/// act as a whole. The same bits for every number of threads, and for the same number of ranks.
///
/// How: ranks/sort.hpp; nodes of other ranks' trees come with their moments, and points where own leaves meet them
/// (ranks/import.hpp). In a periodic box they come for all images at once, and each rank moves them for itself. Memory of a
/// rank: its points twice, what it imports, and as gravity_memory() of one process.
/// @param cpu  the threads of this rank
/// @throws InputError  on all ranks, as gravity(); rows are named by their number through all ranks; ranks disagree on an
///                     option, or one of them has no masses
/// @throws Error       on all ranks: what failed on one of them
template <class T>
GravityOnRanks<T> gravity(Points<T> local, GravityOptions const& options, Mpi const& mpi,
                          Cpu const& cpu = Cpu());

/// gravity() with a GPU for each rank, where own and imported points and nodes are copied to and walked on; all else is done by
/// threads of the rank. Expansions of order 4 or 5, as on one GPU.
/// @param cuda  rank_cuda() (ranks/rank_cuda.hpp)
/// @throws as without GPUs, on all ranks; InputError: expansions of order 1 to 3; a rank has no such GPU, a build without CUDA,
/// some ranks have GPUs, others threads; Error: a device's memory doesn't suffice, or CUDA failed
template <class T>
GravityOnRanks<T> gravity(Points<T> local, GravityOptions const& options, Mpi const& mpi,
                          Cuda const& cuda, Cpu const& cpu = Cpu());

extern template GravityOnRanks<float> gravity(Points<float>, GravityOptions const&, Mpi const&,
                                              Cpu const&);
extern template GravityOnRanks<double> gravity(Points<double>, GravityOptions const&, Mpi const&,
                                               Cpu const&);
extern template GravityOnRanks<float> gravity(Points<float>, GravityOptions const&, Mpi const&,
                                              Cuda const&, Cpu const&);
extern template GravityOnRanks<double> gravity(Points<double>, GravityOptions const&, Mpi const&,
                                               Cuda const&, Cpu const&);

}  // namespace zwalk::inline v0
