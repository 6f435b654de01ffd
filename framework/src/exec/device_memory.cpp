#include "zwalk/exec/device_memory.hpp"

#include <new>

namespace zwalk { inline namespace v0 {

DeviceBytes::DeviceBytes(std::shared_ptr<DeviceMemory> const& memory, void* stream, std::size_t n,
                         std::size_t bytes_each)
    : memory_(memory), stream_(stream), n_(n), bytes_(n * bytes_each) {
    if (n > static_cast<std::size_t>(-1) / 2 / bytes_each) throw std::bad_array_new_length();
    if (n) data_ = memory_->allocate(bytes_, stream);
}

DeviceBytes::DeviceBytes(std::shared_ptr<CountedMemory> const& memory, void* stream, std::size_t n,
                         std::size_t bytes_each)
    : DeviceBytes(std::shared_ptr<DeviceMemory>(memory), stream, n, bytes_each) {}

DeviceBytes::DeviceBytes(DeviceBytes&& other) noexcept { *this = std::move(other); }

DeviceBytes& DeviceBytes::operator=(DeviceBytes&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(stream_, other.stream_);
    std::swap(data_, other.data_);
    std::swap(n_, other.n_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

DeviceBytes::~DeviceBytes() {
    if (data_) memory_->deallocate(data_, bytes_, stream_);
}

}}  // namespace zwalk::v0
