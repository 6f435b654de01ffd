// Exact k-nearest neighbours of points that are spread over MPI ranks, batch by batch: for more of them than ranks have memory for.
// Part of the library zwalk::mpi.
#pragma once
#include <cstdint>
#include <functional>

#include "zwalk/knn/knn_mpi.hpp"

namespace zwalk::inline v0 {

/// Consecutive rows of a rank, with their neighbours.
template <class T>
struct KnnBatch {
    std::size_t first = 0;         ///< among the rows of this rank
    std::size_t rows = 0;          ///< in this batch
    std::size_t columns = 0;       ///< k
    std::size_t rows_of_rank = 0;  ///< in all batches
    std::uint64_t batches = 1;     ///< how many there are, the same on all ranks
    Buffer<index_t> indices;       ///< as KnnOnRanks::indices, of these rows
    Buffer<T> distances;
};
/// A function that sees batches, and may take their arrays. It is called on all ranks alike; so it may be collective, over
/// another communicator.
template <class T>
using TakeKnnBatch = std::function<void(KnnBatch<T>&)>;

namespace detail {
// The functions that those below call.
template <class T>
KnnOnRanks<T> find_knn_in_batches(RankInput<T> const& sources,
                                  std::type_identity_t<Points<T>> const* queries,
                                  KnnOptions const& options, std::uint64_t bytes,
                                  std::type_identity_t<TakeKnnBatch<T>> const& take,
                                  RankCall const& call);
}  // namespace detail

/// knn() of the points of all ranks, or of queries: the same neighbours, bit for bit, in as few batches as keep those of a batch
/// on each rank at about `bytes`, their way home included. All are imported for at once. With Order::input
/// a batch has consecutive rows of each rank, wherever these lie: where a batch's rows have their points on few ranks, these need more.
/// @param local_queries  null: the points are their own queries
/// @param bytes          of this rank; the rank with least decides
/// @param take           called for one batch after the other, in order
/// @return as knn(), without indices and distances
/// @throws InputError  on all ranks, as knn()
/// @throws Error       on all ranks: what failed on one of them, or what `take` threw there
template <class T>
KnnOnRanks<T> knn_in_batches(Points<T> local, std::type_identity_t<Points<T>> const* local_queries,
                             KnnOptions const& options, std::uint64_t bytes,
                             std::type_identity_t<TakeKnnBatch<T>> const& take, Mpi const& mpi,
                             Cpu const& cpu = Cpu()) {
    return detail::find_knn_in_batches<T>(local, local_queries, options, bytes, take, {mpi, cpu});
}
template <class T>
KnnOnRanks<T> knn_in_batches(Points<T> local, std::type_identity_t<Points<T>> const* local_queries,
                             KnnOptions const& options, std::uint64_t bytes,
                             std::type_identity_t<TakeKnnBatch<T>> const& take, Mpi const& mpi,
                             Cuda const& cuda, Cpu const& cpu = Cpu()) {
    return detail::find_knn_in_batches<T>(local, local_queries, options, bytes, take, {mpi, cuda, cpu});
}
/// knn_in_batches() of points that an index keeps.
template <class T>
KnnOnRanks<T> knn_in_batches(RankIndex<T> const& index,
                             std::type_identity_t<Points<T>> const* local_queries,
                             KnnOptions const& options, std::uint64_t bytes,
                             std::type_identity_t<TakeKnnBatch<T>> const& take) {
    return detail::find_knn_in_batches<T>(index, local_queries, options, bytes, take,
                                          {index.mpi(), index.cpu()});
}
template <class T>
KnnOnRanks<T> knn_in_batches(RankIndex<T> const& index,
                             std::type_identity_t<Points<T>> const* local_queries,
                             KnnOptions const& options, std::uint64_t bytes,
                             std::type_identity_t<TakeKnnBatch<T>> const& take, Cuda const& cuda) {
    return detail::find_knn_in_batches<T>(index, local_queries, options, bytes, take,
                                          {index.mpi(), cuda, index.cpu()});
}

}  // namespace zwalk::inline v0
