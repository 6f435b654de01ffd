// A machine that runs nothing, for tests of what is asked of CUDA: two devices, memory of the host, and a record of every
// call that depends on the current device. What CUDA itself does in a call is not imitated.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

#include "cuda/fake_machine.hpp"

namespace fake_cuda {

inline constexpr int devices = 2;

/// What was called since the last time, in any thread. Calls that name their device, or need none, are left out.
std::vector<Call> take_calls();

/// What cudaMemGetInfo says is free.
std::size_t free_bytes(int device);
/// Major number of a device's compute capability; the minor one is 0.
int capability(int device);

/// Whether devices read pageable memory by the page tables of the host (at first they do), or by some other way.
void set_host_tables(bool yes);
void set_reads_pageable(bool yes);
/// Whether there is page-locked memory (at first there is).
void set_pinned_memory(bool yes);

/// The next launch of a kernel fails so.
void fail_launch(cudaError_t result);

}  // namespace fake_cuda
