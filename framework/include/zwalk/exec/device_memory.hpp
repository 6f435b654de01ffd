// Memory of a device: one buffer type over one allocator interface.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace zwalk { inline namespace v0 {

/// Where buffers on a device come from. Replace it to share a pool with other libraries.
///
/// `stream` is a cudaStream_t (null: the default stream): memory is used by work on that stream only,
/// and given back when all of it so far has been put into the stream, not when it has ended.
class DeviceMemory {
  public:
    virtual ~DeviceMemory() = default;
    /// At least `bytes` > 0, aligned to 256. @throws Error (or std::bad_alloc) if there is not so much
    virtual void* allocate(std::size_t bytes, void* stream) = 0;
    virtual void deallocate(void* memory, std::size_t bytes, void* stream) noexcept = 0;
    /// Bytes that it keeps for the next buffers: they are unused, and the driver counts them as taken.
    [[nodiscard]] virtual std::uint64_t kept() const { return 0; }
};

/// Passes calls on to another memory, and counts.
class CountedMemory final : public DeviceMemory {
  public:
    explicit CountedMemory(std::shared_ptr<DeviceMemory> upstream) : upstream_(std::move(upstream)) {}
    void* allocate(std::size_t bytes, void* stream) override {
        void* const memory = upstream_->allocate(bytes, stream);
        in_use_ += bytes;
        peak_ = std::max(peak_, in_use_);
        return memory;
    }
    void deallocate(void* memory, std::size_t bytes, void* stream) noexcept override {
        in_use_ -= bytes;
        upstream_->deallocate(memory, bytes, stream);
    }
    [[nodiscard]] std::uint64_t kept() const override { return upstream_->kept(); }
    [[nodiscard]] std::uint64_t in_use() const { return in_use_; }
    [[nodiscard]] std::uint64_t peak() const { return peak_; }

  private:
    std::shared_ptr<DeviceMemory> upstream_;
    std::uint64_t in_use_ = 0, peak_ = 0;
};

/// Bytes of device memory, as DeviceBuffer has them. Neither a template nor inline: the host's half of each walk has a dozen buffers.
class DeviceBytes {
  public:
    DeviceBytes() = default;
    /// n elements of so many bytes.
    DeviceBytes(std::shared_ptr<DeviceMemory> const& memory, void* stream, std::size_t n,
                std::size_t bytes_each);
    DeviceBytes(std::shared_ptr<CountedMemory> const& memory, void* stream, std::size_t n,
                std::size_t bytes_each);
    DeviceBytes(DeviceBytes&& other) noexcept;
    DeviceBytes& operator=(DeviceBytes&& other) noexcept;
    ~DeviceBytes();

    [[nodiscard]] std::size_t elements() const { return n_; }
    [[nodiscard]] void* data() const { return data_; }

  private:
    std::shared_ptr<DeviceMemory> memory_;
    void* stream_ = nullptr;
    void* data_ = nullptr;
    std::size_t n_ = 0, bytes_ = 0;
};

/// n elements of device memory, uninitialised. Moves only; outlives the device it was made on.
template <class T>
class DeviceBuffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    DeviceBuffer() = default;
    template <class Memory>
    DeviceBuffer(std::shared_ptr<Memory> const& memory, void* stream, std::size_t n)
        : bytes_(memory, stream, n, sizeof(T)) {}

    [[nodiscard]] std::size_t size() const { return bytes_.elements(); }
    [[nodiscard]] bool empty() const { return size() == 0; }
    T* data() { return static_cast<T*>(bytes_.data()); }
    T const* data() const { return static_cast<T const*>(bytes_.data()); }

  private:
    DeviceBytes bytes_;
};

}}  // namespace zwalk::v0
