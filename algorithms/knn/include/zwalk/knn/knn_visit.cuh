// knn_visit on a GPU: for nvcc. knn_cuda.hpp has what host compilers can call.
#pragma once
#include "zwalk/exec/cuda_device.cuh"
#include "zwalk/knn/knn_cuda.hpp"
#include "zwalk/nearest/device_visit.hpp"

namespace zwalk::inline v0 {
namespace detail {

template <class T, class F>
CudaRunVisitor<T> cuda_run_visitor(F const& f) {
    return [f](CudaDevice& device, NeighbourRun<T> const& run) { visit_rows(device, run, f); };
}

}  // namespace detail

/// knn_visit() on a GPU: calls f(row, neighbours) there once for every point, in any order. No list of N k
/// neighbours: some are kept at a time, 64 MB or a quarter of the memory budget.
///
/// f: a trivially copyable struct with `template <class N> ZWALK_HD void operator()(index_t row, N const&
/// neighbours) const`, whose pointers point to device memory; neighbours as Neighbours has them, the squared
/// distances with the same bits as on CPUs. So one struct serves both (reduce.hpp).
/// @throws as knn(points, options, cuda)
template <class T, class F>
Stats knn_visit(DevicePoints<T> points, F const& f, KnnOptions const& options, Cuda const& cuda) {
    return detail::find_knn(points, nullptr, options, cuda, detail::cuda_run_visitor<T>(f)).stats;
}
template <class T, class F>
Stats knn_visit(DevicePoints<T> sources, DevicePoints<T> queries, F const& f, KnnOptions const& options,
                Cuda const& cuda) {
    return detail::find_knn(sources, &queries, options, cuda, detail::cuda_run_visitor<T>(f)).stats;
}

}  // namespace zwalk::inline v0
