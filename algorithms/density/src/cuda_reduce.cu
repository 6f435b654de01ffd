// Reductions on a GPU: device_reduce.hpp for CudaDevice, compiled once for all dimensions.
#include "device_reduce.hpp"
#include "zwalk/exec/cuda_device.cuh"

namespace zwalk { inline namespace v0 { namespace detail {

template void device_reduce(CudaDevice&, NeighbourChunk<float> const&, Reduction, int, index_t, float*);
template void device_reduce(CudaDevice&, NeighbourChunk<double> const&, Reduction, int, index_t,
                            double*);

}}}  // namespace zwalk::v0::detail
