// A GPU for each rank.
#pragma once
#include "zwalk/exec/cuda.hpp"
#include "zwalk/ranks/comm.hpp"

namespace zwalk { inline namespace v0 {

/// One of the GPUs that this rank sees: they go round among the ranks of a machine. Ranks that share a GPU divide its free
/// memory among them (Cuda::processes), also where a launcher has shown each rank some of the GPUs only. Collective.
/// @throws InputError  on all ranks: one of them sees no GPU, or the build has no CUDA
Cuda rank_cuda(Comm& comm);
/// The GPU that has this number on this rank; the number may differ from rank to rank. Collective.
/// @throws InputError  on all ranks: one of them has no such GPU, or the build has no CUDA
Cuda rank_cuda(Comm& comm, int device);

namespace detail {
/// How many ranks have this GPU. Collective.
/// @throws what an attempt has failed by
int ranks_with(Comm& comm, CudaDeviceId const& id);
}  // namespace detail

}}  // namespace zwalk::v0
