// What knn_visit() needs where it calls a function on a GPU: for nvcc, and on ranks with the include directories of MPI (zwalk::mpi
// brings them).
//
//   knn_visit(points, f, options, Cuda{})         points on the host, DevicePoints, or a CudaIndex without a place
//   knn_visit(own, f, options, Mpi{}, rank_cuda())     on the GPU of the rank that has got the point
//
// It calls f(row, neighbours) there once for every point (query), in any order. No list of N k neighbours: some are kept at a time,
// 64 MB or a quarter of the memory budget.
//
// f: a trivially copyable struct with `template <class N> ZWALK_HD void operator()(index_t row, N const& neighbours) const`, whose
// pointers point to device memory (on ranks to that of the rank's GPU); neighbours as Neighbours has them, the squared distances with
// the same bits as on CPUs. So one struct serves both (density/reduce.hpp).
//
// On ranks, with Order::z `row` is below the result's `rows`: of N points and P ranks N / P, and some more (z_sort() in ranks/sort.hpp
// has a bound); so is the size of an output. With Order::input it is a row of the input of all ranks. Neither lists of neighbours
// travel, nor does what f makes of them. Memory of a GPU beside that of knn(): 8 bytes for each point that it has got or imported, and
// with Order::input another 8 for each point (or query) that it has got.
#pragma once
#include "zwalk/exec/cuda_device.cuh"
#include "zwalk/knn/detail/rank_visit.hpp"
#include "zwalk/knn/knn.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
struct VisitOnGpu {
    template <class F>
    static CudaChunkVisitor<T> here(F const& f) {
        return [f](CudaDevice& device, NeighbourChunk<T> const& chunk) { visit_rows(device, chunk, f); };
    }
    template <class F>
    static RankChunkVisitor<T, CudaDevice> on_ranks(F const& f) {
        return rank_chunk_visitor<T, CudaDevice>(f);
    }
};

}}}  // namespace zwalk::v0::detail
