// Spanning trees of points of the host that stay on the GPU that finds them, for what goes on with them there.
#pragma once
#include "zwalk/emst/emst.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// As emst() on a GPU, with the tree in its memory. Not there in builds without CUDA.
template <class T>
EmstResult<T, CudaDevice> emst_on(CudaDevice& device, Points<T> points, EmstOptions const& options);

}}}  // namespace zwalk::v0::detail
