#include "cuda_reduce.cuh"

namespace zwalk::inline v0::detail {

ZWALK_CUDA_REDUCE(, float)
ZWALK_CUDA_REDUCE(, double)

}  // namespace zwalk::inline v0::detail
