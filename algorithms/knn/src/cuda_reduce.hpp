// The reductions as visitors of runs on a GPU (compiled apart, by nvcc).
#pragma once
#include "zwalk/knn/device_visit.hpp"
#include "zwalk/knn/knn_cuda.hpp"

namespace zwalk::inline v0::detail {

/// @param value  in device memory, by row
template <class T>
CudaRunVisitor<T> cuda_reduction(Reduction what, int dim, index_t k, T* value);

}  // namespace zwalk::inline v0::detail
