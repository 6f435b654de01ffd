#include "zwalk/ranks/rank_cuda.hpp"

#include <algorithm>
#include <span>

namespace zwalk { inline namespace v0 {

int detail::ranks_with(Comm& comm, CudaDeviceId const& id) {
    auto const all = comm.gather_all(std::span<CudaDeviceId const>(&id, 1));
    return int(std::count(all.records.begin(), all.records.end(), id));
}

namespace {

/// @param device  device() is the number of this rank's GPU
template <class Device>
Cuda cuda_of_rank(Comm& comm, Device const& device) {
    Cuda cuda;
    auto const id = comm.attempt([&] {
        cuda.device = device();
        check_cuda(cuda);
        return cuda_device_id(cuda.device);
    });
    cuda.processes = detail::ranks_with(comm, id);
    return cuda;
}

}  // namespace

Cuda rank_cuda(Comm& comm) {
    return cuda_of_rank(comm, [&] { return comm.host_rank() % std::max(1, cuda_devices()); });
}
Cuda rank_cuda(Comm& comm, int device) {
    return cuda_of_rank(comm, [&] { return device; });
}

}}  // namespace zwalk::v0
