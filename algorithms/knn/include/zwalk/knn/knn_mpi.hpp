// Exact k-nearest neighbours of points that are spread over MPI ranks: the public interface, of the library zwalk::mpi.
#pragma once
#include <type_traits>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/knn/detail/rank_visit.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/ranks/comm.hpp"
#include "zwalk/ranks/mpi.hpp"
#include "zwalk/run/rank_call.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk::inline v0 {

/// What a rank has of the neighbours of all points. Rows of the input are numbered through all ranks: those of lower ranks
/// come first.
template <class T>
struct KnnOnRanks {
    std::size_t rows = 0, columns = 0;  ///< of this rank; k
    /// Shape (rows, columns): the neighbours of each row, nearest first, as rows of the input (of the sources) of all ranks
    /// or, with Order::z, as positions in the z-order of all sources; -1 where there are fewer than k.
    Buffer<index_t> indices;
    Buffer<T> distances;  ///< to them; infinity where there is none
    /// With Order::z, whose rows are those of this rank's range of the z-order of all points (queries): the row of the input
    /// that each belongs to. With Order::input empty: rows are those that the rank passed.
    Buffer<index_t> row_order;
    /// With Order::z and queries: the rows of the input that this rank's range of the z-order of all sources has.
    Buffer<index_t> source_order;
    Stats stats;  ///< of this rank: seconds of phases, points that were imported, bytes sent
    std::vector<StepStats> steps;  ///< what was sent, step by step
};

/// What knn_visit() leaves on a rank.
struct KnnVisitedOnRanks {
    std::size_t rows = 0;       ///< that were visited on this rank
    Buffer<index_t> row_order;  ///< with Order::z: the rows of the input that these are
    Stats stats;
    std::vector<StepStats> steps;
};

namespace detail {
/// A user's object and how it is called.
template <class T>
struct RankVisitor {
    void const* object = nullptr;
    void (*call)(void const* object, index_t row, NeighbourRow<T> const& neighbours) = nullptr;
};
template <class T, class F>
RankVisitor<T> rank_visitor(F const& f) {
    return {&f, [](void const* object, index_t row, NeighbourRow<T> const& neighbours) {
                (*static_cast<F const*>(object))(row, neighbours);
            }};
}
// The functions that those below call. Without queries the points are their own queries.
template <class T>
KnnOnRanks<T> find_knn(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                       KnnOptions const& options, RankCall const& call);
template <class T>
KnnVisitedOnRanks visit_knn(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                            RankVisitor<T> const& visitor, KnnOptions const& options,
                            RankCall const& call);
template <class T>
KnnVisitedOnRanks visit_knn(RankInput<T> const& sources, std::type_identity_t<Points<T>> const* queries,
                            RankRunVisitor<T, CudaDevice> const& visitor, KnnOptions const& options,
                            RankCall const& call);
}  // namespace detail

/// knn() of the points of all ranks, of which each passes its own rows (any number, also none): the same neighbours, bit
/// for bit, as in one process. All ranks call it, with the same options.
///
/// How: ranks/sort.hpp, then ranks/import.hpp. The number of collective steps doesn't depend on that of points. With
/// Order::z nothing goes home: k indices and distances of each point are most of all that travels.
/// Memory of a rank: its points twice, what it imports (some tenths of its own points; more in many dimensions, or where
/// it has few points), 12 k bytes per point for results (16 k for doubles), twice with Order::input.
/// @param cpu  the threads of this rank
/// @throws InputError  on all ranks, as knn(); rows are named by their number through all ranks; ranks disagree on an option
/// @throws Error       on all ranks: what failed on one of them
template <class T>
KnnOnRanks<T> knn(Points<T> local, KnnOptions const& options, Mpi const& mpi, Cpu const& cpu = Cpu()) {
    return detail::find_knn<T>(local, nullptr, options, {mpi, cpu});
}
/// The k nearest of the sources of all ranks for every query, of which each rank passes its own rows, too. Queries are
/// spread evenly over the ranks, wherever they are dense: so a rank imports sources as much as its queries lie elsewhere.
template <class T>
KnnOnRanks<T> knn(Points<T> local_sources, std::type_identity_t<Points<T>> local_queries,
                  KnnOptions const& options, Mpi const& mpi, Cpu const& cpu = Cpu()) {
    return detail::find_knn<T>(local_sources, &local_queries, options, {mpi, cpu});
}

/// knn() with a GPU for each rank, where own and imported points are copied to and walked on; all else is done by threads of the
/// rank, as without GPUs.
/// @param cuda  of this rank: rank_cuda() (ranks/rank_cuda.hpp)
/// @throws InputError  on all ranks, as without GPUs; a rank has no such GPU, a build without CUDA; more columns than it was
///                     compiled for; some ranks have GPUs, others threads
/// @throws Error       on all ranks: a device's memory doesn't suffice, or CUDA failed
template <class T>
KnnOnRanks<T> knn(Points<T> local, KnnOptions const& options, Mpi const& mpi, Cuda const& cuda,
                  Cpu const& cpu = Cpu()) {
    return detail::find_knn<T>(local, nullptr, options, {mpi, cuda, cpu});
}
template <class T>
KnnOnRanks<T> knn(Points<T> local_sources, std::type_identity_t<Points<T>> local_queries,
                  KnnOptions const& options, Mpi const& mpi, Cuda const& cuda, Cpu const& cpu = Cpu()) {
    return detail::find_knn<T>(local_sources, &local_queries, options, {mpi, cuda, cpu});
}

/// knn() of points that an index keeps: nothing is sorted but queries. Rows are those that ranks passed, or pass, of the
/// index. The box is that of the index.
/// @throws InputError  on all ranks: options have a box
template <class T>
KnnOnRanks<T> knn(RankIndex<T> const& index, KnnOptions const& options) {
    return detail::find_knn<T>(index, nullptr, options, {index.mpi(), index.cpu()});
}
template <class T>
KnnOnRanks<T> knn(RankIndex<T> const& index, std::type_identity_t<Points<T>> local_queries,
                  KnnOptions const& options) {
    return detail::find_knn<T>(index, &local_queries, options, {index.mpi(), index.cpu()});
}
template <class T>
KnnOnRanks<T> knn(RankIndex<T> const& index, KnnOptions const& options, Cuda const& cuda) {
    return detail::find_knn<T>(index, nullptr, options, {index.mpi(), cuda, index.cpu()});
}
template <class T>
KnnOnRanks<T> knn(RankIndex<T> const& index, std::type_identity_t<Points<T>> local_queries,
                  KnnOptions const& options, Cuda const& cuda) {
    return detail::find_knn<T>(index, &local_queries, options, {index.mpi(), cuda, index.cpu()});
}

/// Calls f(row, neighbours) once for every point, on the rank that has got it: for sums over neighbours without lists of
/// these, which don't travel either.
///
/// f: `void operator()(index_t row, NeighbourRow<T> const& neighbours) const`, as knn_visit() of one process has it. row:
/// that of the point in the input of all ranks or, with Order::z, its number 0, 1, ... among those that this rank has (it is
/// row row_order[number] of the input). neighbours.index(i): as KnnOnRanks::indices.
/// @throws Error  on all ranks, with the words of what f throws on one of them
template <class T, class F>
KnnVisitedOnRanks knn_visit(Points<T> local, F const& f, KnnOptions const& options, Mpi const& mpi,
                            Cpu const& cpu = Cpu()) {
    return detail::visit_knn<T>(local, nullptr, detail::rank_visitor<T>(f), options, {mpi, cpu});
}
/// Calls f(row, neighbours) once for every query, on the rank that has got it.
template <class T, class F>
KnnVisitedOnRanks knn_visit(Points<T> local_sources, std::type_identity_t<Points<T>> local_queries,
                            F const& f, KnnOptions const& options, Mpi const& mpi,
                            Cpu const& cpu = Cpu()) {
    return detail::visit_knn<T>(local_sources, &local_queries, detail::rank_visitor<T>(f), options,
                                {mpi, cpu});
}

template <class T, class F>
KnnVisitedOnRanks knn_visit(RankIndex<T> const& index, F const& f, KnnOptions const& options) {
    return detail::visit_knn<T>(index, nullptr, detail::rank_visitor<T>(f), options,
                                {index.mpi(), index.cpu()});
}
template <class T, class F>
KnnVisitedOnRanks knn_visit(RankIndex<T> const& index, std::type_identity_t<Points<T>> local_queries,
                            F const& f, KnnOptions const& options) {
    return detail::visit_knn<T>(index, &local_queries, detail::rank_visitor<T>(f), options,
                                {index.mpi(), index.cpu()});
}

}  // namespace zwalk::inline v0
