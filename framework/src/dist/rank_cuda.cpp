#include "zwalk/dist/rank_cuda.hpp"

#include <algorithm>
#include <span>

namespace zwalk::inline v0 {

int detail::ranks_with(Comm& comm, CudaDeviceId const& id) {
    auto const all = comm.gather_all(std::span<CudaDeviceId const>(&id, 1));
    return int(std::count(all.records.begin(), all.records.end(), id));
}

Cuda rank_cuda(Comm& comm) {
    Cuda cuda;
    auto const id = comm.attempt([&] {
        check_cuda(cuda);
        cuda.device = comm.host_rank() % cuda_devices();
        return cuda_device_id(cuda.device);
    });
    cuda.processes = detail::ranks_with(comm, id);
    return cuda;
}

}  // namespace zwalk::inline v0
