// What searches read of a model's points, brought to where its index is.
#pragma once
#include <utility>

#include "zwalk/hdbscan/model.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// @param squares  by position, the others by row
template <class T>
ModelColumns<T, Cpu> columns_on(Cpu const&, Buffer<T>&& squares, Buffer<T> const&,
                                Buffer<double> const&) {
    return {std::move(squares), {}, {}};
}
/// Defined for nvcc, in cuda_model.cu.
template <class T>
ModelColumns<T, CudaDevice> columns_on(CudaDevice& device, Buffer<T>&& squares, Buffer<T> const& core,
                                       Buffer<double> const& weights);

}}}  // namespace zwalk::v0::detail
