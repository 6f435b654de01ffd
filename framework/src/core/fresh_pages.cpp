#include "zwalk/core/fresh_pages.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23  // older headers
#endif
#endif

namespace zwalk { inline namespace v0 {

#if defined(__linux__)

void detail::set_up_pages(void* memory, std::size_t bytes) noexcept {
    static auto const page = std::size_t(sysconf(_SC_PAGESIZE));
    auto const begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    auto const end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
    if (begin >= end) return;
    auto* const first = reinterpret_cast<void*>(begin);
    unsigned char is_there = 0;
    if (mincore(first, page, &is_there) != 0 || is_there) return;
    (void)madvise(first, end - begin, MADV_POPULATE_WRITE);
}

#else

void detail::set_up_pages(void*, std::size_t) noexcept {}

#endif

}}  // namespace zwalk::v0
