// Points of all ranks into z-order: each rank gets a contiguous range of it.
#pragma once
#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/detail/ranks.hpp"
#include "zwalk/ranks/travel.hpp"

namespace zwalk { inline namespace v0 {

/// A rank's range of the z-order of all points: n points, at positions from ranks.positions_before(rank) on.
template <class T>
struct SortedPoints {
    Buffer<T> rows;  ///< shape (n, dim), in z-order
    int dim = 0;
    Buffer<index_t> input_index;  ///< of each point: its row among the input rows of all ranks
    Ranks ranks;
    Travel travel;

    [[nodiscard]] Points<T> points() const { return {rows.data(), rows.size() / std::size_t(dim), dim}; }
};

/// Sorts the points of all ranks, of which this one has those of shape (rows of this rank, dim): the order is that of
/// z_sort() (zorder/sort.hpp) of all of them in one array, equal points by input row, for any number of ranks. Cut
/// anywhere, also inside runs of equal points. With N points in all no rank gets more than
/// N / P + (P + 2) ceil(N / S) of them, where S is the number of samples: 64 P^2, but no more than a quarter of
/// N / P, or 64 P.
/// The points have been checked (check_points(comm, ...)). Collective.
///
/// How: sample sort with regular samples (H. Shi and J. Schaeffer, Parallel sorting by regular sampling, 1992). No
/// keys travel: splitters are points, told from equal ones by rank and position. Time O((n + S) log(n + S)), each
/// point travels once, with 4 bytes more. Memory beside input and result: that of the received points, and
/// z_sort()'s 16 bytes per point.
/// @throws InputError  a rank would get more than max_points (on all ranks)
template <class T>
SortedPoints<T> z_sort(Comm& comm, Cpu const& cpu, Points<T> local);

}}  // namespace zwalk::v0
