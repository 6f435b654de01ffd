// std::vector in the memory of Buffers.
#pragma once
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "zwalk/core/buffer.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {

template <class T>
struct PageAllocator {
    using value_type = T;

    PageAllocator() = default;
    template <class U>
    PageAllocator(PageAllocator<U> const&) {}

    T* allocate(std::size_t n) {
        if (n > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_array_new_length();
        return static_cast<T*>(allocate_pages(n * sizeof(T)));
    }
    void deallocate(T* memory, std::size_t) { free_pages(memory); }
    template <class U>
    void construct(U* at) {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... From>
    void construct(U* at, From&&... from) {
        ::new (static_cast<void*>(at)) U(std::forward<From>(from)...);
    }
    friend bool operator==(PageAllocator const&, PageAllocator const&) { return true; }
};

}  // namespace detail

/// A std::vector of numbers that may be very many: what resize(n) or PageVector(n) adds isn't initialised, so that all threads fill it, and
/// place its pages.
template <class T>
using PageVector = std::vector<T, detail::PageAllocator<T>>;

}}  // namespace zwalk::v0
