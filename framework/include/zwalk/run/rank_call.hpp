// The ranks that make a call.
#pragma once
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/ranks/mpi.hpp"

namespace zwalk::inline v0::detail {

/// The ranks of a call and where each of them walks: on its threads, or on a GPU. Refers to objects of the caller.
struct RankCall {
    RankCall(Mpi const& ranks, Cpu const& threads) : mpi(ranks), cpu(threads) {}
    RankCall(Mpi const& ranks, Cuda const& device, Cpu const& threads)
        : mpi(ranks), cpu(threads), cuda(&device) {}

    Mpi const& mpi;
    Cpu const& cpu;              ///< threads of this rank, for all that isn't walking, too
    Cuda const* cuda = nullptr;  ///< null: threads walk
};

}  // namespace zwalk::inline v0::detail
