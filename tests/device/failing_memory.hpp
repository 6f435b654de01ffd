// Memory of a device that fails.
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>

#include "zwalk/exec/device_memory_error.hpp"
#include "zwalk/exec/host_device.hpp"

namespace test {

/// Memory of the host that fails after so many allocations, in each of the ways in which memory may.
class FailingMemory final : public zwalk::DeviceMemory {
  public:
    std::uint64_t left = ~std::uint64_t(0);
    bool as_standard = false;

    void* allocate(std::size_t bytes, void* stream) override {
        if (left == 0 && as_standard) throw std::bad_alloc();
        if (left == 0) throw zwalk::DeviceMemoryError("no memory left");
        --left;
        return memory_.allocate(bytes, stream);
    }
    void deallocate(void* memory, std::size_t bytes, void* stream) noexcept override {
        memory_.deallocate(memory, bytes, stream);
    }

  private:
    zwalk::HostMemory memory_;
};

}  // namespace test
