// Where device tests run.
#pragma once
#include <cstdlib>

#include "zwalk/exec/cuda.hpp"

namespace test {

/// Whether ZWALK_TEST_PLAIN_MEMORY asks for buffers by cudaMalloc. Under compute-sanitizer these show a kernel that
/// reads beside its buffer, or what nobody has written: in a pool both lie in memory that was in use before.
inline bool plain_memory() { return std::getenv("ZWALK_TEST_PLAIN_MEMORY") != nullptr; }

/// The first GPU. Tests that don't test Cuda itself have theirs from here.
inline zwalk::Cuda on_gpu(void* stream = nullptr, std::uint64_t memory_budget = 0) {
    return {.stream = stream,
            .memory = plain_memory() ? zwalk::cuda_plain_memory() : nullptr,
            .memory_budget = memory_budget};
}

}  // namespace test
