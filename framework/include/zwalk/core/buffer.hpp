// An owning host array whose elements start out uninitialised.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace zwalk::inline v0 {

/// Like std::vector with a fixed size, but without writing zeros first: results of 1e8 rows are
/// written once, by the threads that compute them (which also places their pages). std::vector
/// can't do that without a custom allocator that breaks its value semantics.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Buffer() = default;
    explicit Buffer(std::size_t n) : data_(n ? new T[n] : nullptr), size_(n) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    T* data() { return data_.get(); }
    T const* data() const { return data_.get(); }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    T const* begin() const { return data(); }
    T const* end() const { return data() + size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    T const& operator[](std::size_t i) const { return data_[i]; }
    operator std::span<T const>() const { return {data(), size_}; }
    operator std::span<T>() { return {data(), size_}; }

  private:
    std::unique_ptr<T[]> data_;
    std::size_t size_ = 0;
};

}  // namespace zwalk::inline v0
