// What searches read of a model's points, on a GPU.
#include <span>

#include "model_columns.hpp"
#include "zwalk/exec/cuda_device.cuh"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
ModelColumns<T, CudaDevice> columns_on(CudaDevice& device, Buffer<T>&& squares, Buffer<T> const& core,
                                       Buffer<double> const& weights) {
    return {copy_to(device, std::span<T const>(squares)), copy_to(device, std::span<T const>(core)),
            copy_to(device, std::span<double const>(weights))};
}

template ModelColumns<float, CudaDevice> columns_on(CudaDevice&, Buffer<float>&&, Buffer<float> const&,
                                                    Buffer<double> const&);
template ModelColumns<double, CudaDevice> columns_on(CudaDevice&, Buffer<double>&&,
                                                     Buffer<double> const&, Buffer<double> const&);

}}}  // namespace zwalk::v0::detail
