#include "zwalk/exec/cuda_sort.cuh"
// Behind it: device code finds the functions beside CudaDevice where it is written.
#include "cuda_forest.cuh"

namespace zwalk { inline namespace v0 { namespace detail {

ZWALK_CUDA_FOREST(, float)
ZWALK_CUDA_FOREST(, double)

}}}  // namespace zwalk::v0::detail
