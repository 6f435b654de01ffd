// The work that a GPU was given, for code without CUDA headers.
#pragma once
#include "zwalk/exec/cuda.hpp"
#include "zwalk/exec/device.hpp"

namespace zwalk { inline namespace v0 {

/// As device.stats(). Not there in builds without CUDA.
DeviceStats cuda_stats(CudaDevice const& device);

}}  // namespace zwalk::v0
