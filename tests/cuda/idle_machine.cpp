#include "cuda/idle_machine.hpp"

#include <cstdlib>
#include <utility>

namespace fake_cuda {
namespace {

struct Idle final : Machine {
    [[nodiscard]] int devices() const override { return fake_cuda::devices; }
    [[nodiscard]] std::string name() const override { return "made up"; }
    [[nodiscard]] int attribute(cudaDeviceAttr which, int device) override {
        switch (which) {
            case cudaDevAttrComputeCapabilityMajor:
                return capability(device);
            case cudaDevAttrComputeCapabilityMinor:
                return 0;
            case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
                return host_tables;
            case cudaDevAttrPageableMemoryAccess:
                return reads_pageable || host_tables;
            default:
                return 1 << 16;  // many, and yes
        }
    }
    [[nodiscard]] std::size_t free_bytes(int device) const override {
        return fake_cuda::free_bytes(device);
    }
    [[nodiscard]] char const* words(cudaError_t) const override { return "made up"; }

    void* allocate(std::size_t bytes, Owner owner) override {
        return owner == Owner::host && !pinned_memory ? nullptr : std::calloc(bytes, 1);
    }
    void deallocate(void* memory) override { std::free(memory); }

    cudaError_t attributes(cudaFuncAttributes& attributes, void const*) override {
        attributes.ptxVersion = attributes.binaryVersion = 80;
        return cudaSuccess;
    }
    cudaError_t launch(Launch const&) override { return std::exchange(next_launch, cudaSuccess); }

    void note(Call call) override { calls.push_back(std::move(call)); }

    std::vector<Call> calls{};
    cudaError_t next_launch = cudaSuccess;
    bool host_tables = true, reads_pageable = true, pinned_memory = true;
};

Idle& idle() {
    static Idle machine;
    return machine;
}

}  // namespace

Machine& machine() { return idle(); }

std::vector<Call> take_calls() { return std::exchange(idle().calls, {}); }
std::size_t free_bytes(int device) { return std::size_t(device + 1) << 30; }
int capability(int device) { return 8 + device; }
void set_host_tables(bool yes) { idle().host_tables = yes; }
void set_reads_pageable(bool yes) { idle().reads_pageable = yes; }
void set_pinned_memory(bool yes) { idle().pinned_memory = yes; }
void fail_launch(cudaError_t result) { idle().next_launch = result; }

}  // namespace fake_cuda
