// Exact k-nearest neighbours of points that are spread over MPI ranks: the public interface, of the library zwalk::mpi.
#pragma once
#include "zwalk/core/buffer.hpp"
#include "zwalk/dist/comm.hpp"
#include "zwalk/dist/mpi.hpp"
#include "zwalk/knn/knn.hpp"

namespace zwalk::inline v0 {

/// What a rank has of the neighbours of all points. Rows of the input are numbered through all ranks: those of lower ranks
/// come first.
template <class T>
struct KnnOnRanks {
    std::size_t rows = 0, columns = 0;  ///< of this rank; k
    /// Shape (rows, columns): the neighbours of each row, nearest first, as rows of the input of all ranks or, with
    /// Order::z, as positions in the z-order of all points; -1 where there are fewer than k.
    Buffer<index_t> indices;
    Buffer<T> distances;  ///< to them; infinity where there is none
    /// With Order::z, whose rows are those of this rank's range of the z-order of all points: the row of the input that
    /// each belongs to. With Order::input empty: rows are those that the rank passed.
    Buffer<index_t> row_order;
    Stats stats;  ///< of this rank: seconds of phases, points that were brought in, bytes sent
    std::vector<StepStats> steps;  ///< what was sent, step by step
};

/// knn() of the points of all ranks, of which each passes its own rows (any number, also none): the same neighbours, bit
/// for bit, as in one process. All ranks call it, with the same options.
///
/// How: dist/sort.hpp, then dist/import.hpp. The number of collective steps doesn't depend on that of points. With
/// Order::z nothing goes home: k indices and distances of each point are most of all that travels.
/// Memory of a rank: its points twice, what it imports (some tenths of its own points; more in many dimensions, or where
/// it has few points), 12 k bytes per point for results (16 k for doubles), twice with Order::input.
/// @param cpu  the threads of this rank
/// @throws InputError  on all ranks, as knn(); rows are named by their number through all ranks; ranks disagree on an option
/// @throws Error       on all ranks: what failed on one of them
template <class T>
KnnOnRanks<T> knn(Points<T> local, KnnOptions const& options, Mpi const& mpi, Cpu const& cpu = Cpu());

extern template KnnOnRanks<float> knn(Points<float>, KnnOptions const&, Mpi const&, Cpu const&);
extern template KnnOnRanks<double> knn(Points<double>, KnnOptions const&, Mpi const&, Cpu const&);

}  // namespace zwalk::inline v0
