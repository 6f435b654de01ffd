// Memory of a device that fails.
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>

#include "zwalk/exec/device_memory_error.hpp"
#include "zwalk/exec/host_device.hpp"

namespace test {

/// Memory of the host that fails after so many allocations, from then on or once, in each of the ways in which memory may.
class FailingMemory final : public zwalk::DeviceMemory {
  public:
    static constexpr std::uint64_t never = ~std::uint64_t(0);
    std::uint64_t left = never, asked = 0;
    bool as_standard = false, once = false;
    char const* words = "no memory left";

    void* allocate(std::size_t bytes, void* stream) override {
        ++asked;
        if (left == 0) {
            if (once) left = never;
            if (as_standard) throw std::bad_alloc();
            throw zwalk::DeviceMemoryError(words);
        }
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
