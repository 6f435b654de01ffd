// A device for each rank, as far as that can be had on a host.
#pragma once
#include <memory>

#include "compiled_dims.hpp"
#include "device/dims.hpp"
#include "ranks/limit.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/run/host_device.hpp"
#include "zwalk/run/rank_place.hpp"

namespace zwalk::test {

template <class T>
using DeviceDims = detail::TestDims<T>;

/// Where the ranks of a test walk.
template <class T>
auto rank_place_of(HostDevice<>& device) {
    return detail::rank_place(&device, DeviceDims<T>{}, detail::CpuDims{});
}
template <class T>
auto rank_place_of(Cpu& threads) {
    return detail::rank_place(&threads, detail::CpuDims{});
}

/// Memory of a device, which is there until Limit<OfDevice> says no.
struct OfDevice {};
inline constexpr auto* device_memory_words = "the device has no more memory";
class LimitedMemory final : public DeviceMemory {
  public:
    void* allocate(std::size_t bytes, void* stream) override {
        if (!Limit<OfDevice>::attempt()) throw Error(device_memory_words);
        return memory_.allocate(bytes, stream);
    }
    void deallocate(void* memory, std::size_t bytes, void* stream) noexcept override {
        memory_.deallocate(memory, bytes, stream);
    }

  private:
    HostMemory memory_;
};

}  // namespace zwalk::test
