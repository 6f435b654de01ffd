// What emst() hands to a device (device_run.hpp; compiled apart).
#pragma once
#include <vector>

#include "../../common/cuda_session.hpp"
#include "zwalk/emst/emst_cuda.hpp"

namespace zwalk::inline v0::detail {

/// Arguments, valid but for what only the device can see. `period` holds one length per data axis,
/// +infinity on open ones, and is empty in open space.
template <class T>
struct DeviceEmstJob {
    DevicePoints<T> points;
    std::vector<T> period;
    EmstOptions const& options;
};

/// One compiled dimension on a GPU.
template <int D, class T>
DeviceEmstResult<T> run_cuda_emst(CudaDevice& device, DeviceEmstJob<T> const& job);

}  // namespace zwalk::inline v0::detail
