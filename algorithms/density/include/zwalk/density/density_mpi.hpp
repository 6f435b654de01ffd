// One number for every point from its neighbours, on MPI ranks: the public interface, of the library zwalk::mpi.
#pragma once
#include "zwalk/density/reduce.hpp"
#include "zwalk/knn/knn_mpi.hpp"

namespace zwalk::inline v0 {
namespace detail {
template <class T>
KnnReducedOnRanks<T> reduce_knn(RankInput<T> const& sources,
                                std::type_identity_t<Points<T>> const* queries, Reduction what,
                                KnnOptions const& options, Mpi const& mpi, Cpu const& cpu);
}  // namespace detail

/// One number for every point (or query) from its neighbours, with the bits that knn_visit() of one process with the object
/// of reduce.hpp gives (no masses). 4 or 8 bytes of each go home.
/// @throws InputError  on all ranks, as knn(); sph in more than three dimensions
template <class T>
KnnReducedOnRanks<T> knn_reduce(Points<T> local, Reduction what, KnnOptions const& options,
                                Mpi const& mpi, Cpu const& cpu = Cpu()) {
    return detail::reduce_knn<T>(local, nullptr, what, options, mpi, cpu);
}
template <class T>
KnnReducedOnRanks<T> knn_reduce(Points<T> local_sources, std::type_identity_t<Points<T>> local_queries,
                                Reduction what, KnnOptions const& options, Mpi const& mpi,
                                Cpu const& cpu = Cpu()) {
    return detail::reduce_knn<T>(local_sources, &local_queries, what, options, mpi, cpu);
}

template <class T>
KnnReducedOnRanks<T> knn_reduce(RankIndex<T> const& index, Reduction what, KnnOptions const& options) {
    return detail::reduce_knn<T>(index, nullptr, what, options, index.mpi(), index.cpu());
}
template <class T>
KnnReducedOnRanks<T> knn_reduce(RankIndex<T> const& index, std::type_identity_t<Points<T>> local_queries,
                                Reduction what, KnnOptions const& options) {
    return detail::reduce_knn<T>(index, &local_queries, what, options, index.mpi(), index.cpu());
}

}  // namespace zwalk::inline v0
