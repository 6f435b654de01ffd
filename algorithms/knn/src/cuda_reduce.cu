#include "cuda_reduce.hpp"

#include "zwalk/knn/knn_visit.cuh"
#include "zwalk/knn/reduce.hpp"

namespace zwalk::inline v0::detail {

template <class T>
CudaRunVisitor<T> cuda_reduction(Reduction what, int dim, index_t k, T* value) {
    if (what == Reduction::radius) return cuda_run_visitor<T>(KthDistance<T>{value, k});
    if (what == Reduction::density) return cuda_run_visitor<T>(BallDensity<T>{value, dim});
    return cuda_run_visitor<T>(SphDensity<T>{value, dim});
}
template CudaRunVisitor<float> cuda_reduction(Reduction, int, index_t, float*);
template CudaRunVisitor<double> cuda_reduction(Reduction, int, index_t, double*);

}  // namespace zwalk::inline v0::detail
