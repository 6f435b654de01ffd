#include "zwalk/exec/cuda_sort.cuh"
// Behind it: device code finds the functions beside CudaDevice where it is written.
#include "zwalk/tree/cuda_build.cuh"

namespace zwalk { inline namespace v0 {

ZWALK_CUDA_BUILD(, float)
ZWALK_CUDA_BUILD(, double)

}}  // namespace zwalk::v0
