// What fof() hands to a device (device_run.hpp; compiled apart).
#pragma once
#include <vector>

#include "../../common/cuda_session.hpp"
#include "zwalk/fof/fof_cuda.hpp"

namespace zwalk::inline v0::detail {

/// Arguments, valid but for what only the device can see. `period` holds one length per data axis,
/// +infinity on open ones, and is empty in open space.
template <class T>
struct DeviceFofJob {
    DevicePoints<T> points;
    T linking_length;
    std::vector<T> period;
    FofOptions const& options;
};

/// One compiled dimension on a GPU.
template <int D, class T>
DeviceFofResult run_cuda_fof(CudaDevice& device, DeviceFofJob<T> const& job);

}  // namespace zwalk::inline v0::detail
