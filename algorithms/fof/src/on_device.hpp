// Groups that stay on the GPU that finds them, for what goes on with them there.
#pragma once
#include "zwalk/fof/fof.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// As fof() of points on the host, or on this GPU. Not there in builds without CUDA.
template <class Source>
FofResult<CudaDevice> fof_on(CudaDevice& device, Source const& points, FofOptions const& options);

}}}  // namespace zwalk::v0::detail
