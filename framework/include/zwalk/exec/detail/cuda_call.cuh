// CUB's protocol: one call for the size of its temporary memory, and one that runs with it.
#pragma once
#include "zwalk/exec/cuda_device.cuh"

namespace zwalk { inline namespace v0 { namespace detail {

/// call(temporary memory, its size) -> cudaError_t, twice.
template <class Call>
void with_temporary(CudaDevice& device, char const* what, Call const& call) {
    CurrentDevice const current(device.number());
    std::size_t bytes = 0;
    check_cuda_call(call(nullptr, bytes), what);
    auto memory = device.buffer<unsigned char>(std::max<std::size_t>(bytes, 1));
    check_cuda_call(call(memory.data(), bytes), what);
}

}}}  // namespace zwalk::v0::detail
