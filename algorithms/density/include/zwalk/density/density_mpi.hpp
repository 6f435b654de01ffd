// One number for every point from its neighbours, on MPI ranks: the public interface, of the library zwalk::mpi.
#pragma once
#include <vector>

#include "zwalk/density/reduce.hpp"
#include "zwalk/knn/knn_mpi.hpp"

namespace zwalk::inline v0 {

/// The numbers that a rank has, each made of the neighbours of a row.
template <class T>
struct KnnReducedOnRanks {
    Buffer<T> values;           ///< one for each row (query), as KnnOnRanks has rows
    Buffer<index_t> row_order;  ///< with Order::z: the rows of the input that these are
    Stats stats;
    std::vector<StepStats> steps;
};

namespace detail {
// The functions that those below call. Without queries the points are their own queries.
template <class T>
KnnReducedOnRanks<T> reduce_knn(RankInput<T> const& sources,
                                std::type_identity_t<Points<T>> const* queries, Reduction what,
                                KnnOptions const& options, RankCall const& call);
}  // namespace detail

/// One number for every point (or query) from its neighbours, with the bits that knn_visit() of one process with the object
/// of reduce.hpp gives (no masses). 4 or 8 bytes of each go home.
/// @throws InputError  on all ranks, as knn(); sph in more than three dimensions
template <class T>
KnnReducedOnRanks<T> knn_reduce(Points<T> local, Reduction what, KnnOptions const& options,
                                Mpi const& mpi, Cpu const& cpu = Cpu()) {
    return detail::reduce_knn<T>(local, nullptr, what, options, {mpi, cpu});
}
template <class T>
KnnReducedOnRanks<T> knn_reduce(Points<T> local_sources, std::type_identity_t<Points<T>> local_queries,
                                Reduction what, KnnOptions const& options, Mpi const& mpi,
                                Cpu const& cpu = Cpu()) {
    return detail::reduce_knn<T>(local_sources, &local_queries, what, options, {mpi, cpu});
}

template <class T>
KnnReducedOnRanks<T> knn_reduce(RankIndex<T> const& index, Reduction what, KnnOptions const& options) {
    return detail::reduce_knn<T>(index, nullptr, what, options, {index.mpi(), index.cpu()});
}
template <class T>
KnnReducedOnRanks<T> knn_reduce(RankIndex<T> const& index, std::type_identity_t<Points<T>> local_queries,
                                Reduction what, KnnOptions const& options) {
    return detail::reduce_knn<T>(index, &local_queries, what, options, {index.mpi(), index.cpu()});
}

/// knn_reduce() with a GPU for each rank, where points are copied to, neighbours are found, and the numbers are made of them; all
/// else is done by threads of the rank.
/// @param cuda  rank_cuda() (ranks/rank_cuda.hpp)
/// @throws as without GPUs, on all ranks; InputError: a rank has no such GPU, a build without CUDA, more columns than it was
/// compiled for, some ranks have GPUs, others threads; Error: a device's memory doesn't suffice, or CUDA failed
template <class T>
KnnReducedOnRanks<T> knn_reduce(Points<T> local, Reduction what, KnnOptions const& options,
                                Mpi const& mpi, Cuda const& cuda, Cpu const& cpu = Cpu()) {
    return detail::reduce_knn<T>(local, nullptr, what, options, {mpi, cuda, cpu});
}
template <class T>
KnnReducedOnRanks<T> knn_reduce(Points<T> local_sources, std::type_identity_t<Points<T>> local_queries,
                                Reduction what, KnnOptions const& options, Mpi const& mpi,
                                Cuda const& cuda, Cpu const& cpu = Cpu()) {
    return detail::reduce_knn<T>(local_sources, &local_queries, what, options, {mpi, cuda, cpu});
}
template <class T>
KnnReducedOnRanks<T> knn_reduce(RankIndex<T> const& index, Reduction what, KnnOptions const& options,
                                Cuda const& cuda) {
    return detail::reduce_knn<T>(index, nullptr, what, options, {index.mpi(), cuda, index.cpu()});
}
template <class T>
KnnReducedOnRanks<T> knn_reduce(RankIndex<T> const& index, std::type_identity_t<Points<T>> local_queries,
                                Reduction what, KnnOptions const& options, Cuda const& cuda) {
    return detail::reduce_knn<T>(index, &local_queries, what, options, {index.mpi(), cuda, index.cpu()});
}

}  // namespace zwalk::inline v0
