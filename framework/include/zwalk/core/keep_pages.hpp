// Memory that goes from one step of a call to the next.
#pragma once
#include <cstddef>

#include "zwalk/core/config.hpp"

#if defined(__linux__) && !defined(ZWALK_TSAN) && !defined(__SANITIZE_ADDRESS__)
#define ZWALK_KEEPS_PAGES
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#undef ZWALK_KEEPS_PAGES
#endif
#endif

namespace zwalk { inline namespace v0 { namespace detail {

/// While one of these lives, memory of large Buffers that are freed is kept for later ones: to set up fresh pages takes about as long as
/// to fill them. For calls of several steps, each of which needs memory that those before no longer do. The process never has more than
/// the most that was in use at once. At the end of the last one what nobody uses goes back to the system, but for what keep_memory() lets be kept.
///
/// May be nested, and live on several threads at once. Does nothing (ZWALK_KEEPS_PAGES) where the system isn't Linux, or with sanitizers,
/// which have to know what is freed.
class KeepPages {
  public:
    KeepPages();
    ~KeepPages();
    KeepPages(KeepPages const&) = delete;
    KeepPages& operator=(KeepPages const&) = delete;
};

// For allocate_pages() and free_pages():

constexpr std::size_t large_page = 2 << 20;

/// Memory of so many bytes, kept or fresh, at a multiple of large_page; null if nothing is to be kept, or the system has none.
void* take_pages(std::size_t bytes);
/// Takes memory back. False if it isn't from take_pages().
bool give_pages(void* memory) noexcept;

}}}  // namespace zwalk::v0::detail
