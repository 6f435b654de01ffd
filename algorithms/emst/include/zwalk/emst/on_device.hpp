// Spanning trees that stay on the GPU that finds them, for what goes on with them there.
#pragma once
#include "zwalk/emst/emst.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// As emst() on a GPU that is open already, with the tree in its memory.
template <class T>
EmstResult<T, CudaDevice> emst_on(CudaDevice& device, Points<T> points, EmstOptions const& options);
template <class T>
EmstResult<T, CudaDevice> emst_on(CudaDevice& device, DevicePoints<T> points,
                                  EmstOptions const& options);

}}}  // namespace zwalk::v0::detail
