// knn_visit on the GPUs of MPI ranks: for nvcc, with the include directories of MPI (zwalk::mpi brings them). knn_mpi.hpp has what
// host compilers can call.
#pragma once
#include "zwalk/exec/cuda_device.cuh"
#include "zwalk/knn/detail/rank_visit.hpp"
#include "zwalk/knn/knn_mpi.hpp"

namespace zwalk::inline v0 {

/// Calls f(row, neighbours) once for every point, on the GPU of the rank that has got it; collective. Neither lists of neighbours
/// travel, nor does what f makes of them.
///
/// f: as for knn_visit() on a GPU (knn_visit.cuh), each rank's with pointers to the memory of its GPU; `row` and
/// neighbours.index(i): as for knn_visit() on ranks (knn_mpi.hpp). With Order::z `row` is below the result's `rows`: of N
/// points and P ranks N / P, and some more (z_sort() in ranks/sort.hpp has a bound); so is the size of an output. With Order::input
/// it is a row of the input of all ranks.
/// Memory of a GPU beside that of knn(): 8 bytes for each point that it has got or imported, and with Order::input another 8
/// for each point (or query) that it has got.
/// @param cuda  of this rank (rank_cuda())
/// @param cpu   the threads of this rank, which sort and import
/// @throws as knn(points, options, mpi, cuda)
template <class T, class F>
KnnVisitedOnRanks knn_visit(Points<T> local, F const& f, KnnOptions const& options, Mpi const& mpi,
                            Cuda const& cuda, Cpu const& cpu = Cpu()) {
    return detail::visit_knn<T>(local, nullptr, detail::rank_run_visitor<T, CudaDevice>(f), options,
                                {mpi, cuda, cpu});
}
/// Calls f(row, neighbours) once for every query, on the GPU of the rank that has got it.
template <class T, class F>
KnnVisitedOnRanks knn_visit(Points<T> local_sources, std::type_identity_t<Points<T>> local_queries,
                            F const& f, KnnOptions const& options, Mpi const& mpi, Cuda const& cuda,
                            Cpu const& cpu = Cpu()) {
    return detail::visit_knn<T>(local_sources, &local_queries,
                                detail::rank_run_visitor<T, CudaDevice>(f), options, {mpi, cuda, cpu});
}
template <class T, class F>
KnnVisitedOnRanks knn_visit(RankIndex<T> const& index, F const& f, KnnOptions const& options,
                            Cuda const& cuda) {
    return detail::visit_knn<T>(index, nullptr, detail::rank_run_visitor<T, CudaDevice>(f), options,
                                {index.mpi(), cuda, index.cpu()});
}
template <class T, class F>
KnnVisitedOnRanks knn_visit(RankIndex<T> const& index, std::type_identity_t<Points<T>> local_queries,
                            F const& f, KnnOptions const& options, Cuda const& cuda) {
    return detail::visit_knn<T>(index, &local_queries, detail::rank_run_visitor<T, CudaDevice>(f),
                                options, {index.mpi(), cuda, index.cpu()});
}

}  // namespace zwalk::inline v0
