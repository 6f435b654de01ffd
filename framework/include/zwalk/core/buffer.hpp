// An owning host array whose elements start out uninitialised.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace zwalk { inline namespace v0 {
namespace detail {

/// Uninitialised memory, aligned to a cache line. With ZWALK_HUGE_PAGES=1 in the environment huge pages are requested
/// for large blocks: for results that are written once, setting up pages costs more than writing them.
/// Throws std::bad_alloc.
void* allocate_pages(std::size_t bytes);
void free_pages(void* memory) noexcept;

struct FreePages {
    void operator()(void* memory) const noexcept { free_pages(memory); }
};

}  // namespace detail

/// Like std::vector with a fixed size, but without writing zeros first: results of 1e8 rows are
/// written once, by the threads that compute them (which also places their pages). std::vector
/// can't do that without a custom allocator that breaks its value semantics (PageVector, for what grows, has one).
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Buffer() = default;
    explicit Buffer(std::size_t n) : size_(n) {
        if (n > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_array_new_length();
        if (n) data_.reset(static_cast<T*>(detail::allocate_pages(n * sizeof(T))));
    }

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
    T& front() { return data_[0]; }
    T& back() { return data_[size_ - 1]; }
    T const& front() const { return data_[0]; }
    T const& back() const { return data_[size_ - 1]; }
    friend bool operator==(Buffer const& a, Buffer const& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
    operator std::span<T const>() const { return {data(), size_}; }
    operator std::span<T>() { return {data(), size_}; }

  private:
    std::unique_ptr<T[], detail::FreePages> data_;
    std::size_t size_ = 0;
};

}}  // namespace zwalk::v0
