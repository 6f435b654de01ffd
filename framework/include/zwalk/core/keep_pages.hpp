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

/// While one of these lives, memory of Buffers that are freed (but small ones) is kept for later ones: to set up fresh pages takes about
/// as long as to fill them. For calls of several steps, each of which needs memory that those before no longer do. Where nothing that is
/// kept is large enough, as much goes back to the system as comes from it, so Buffers never have more than the most that was in use at
/// once. At the end of the last one what nobody uses goes back, but for what keep_memory() lets be kept.
///
/// May be nested, and live on several threads at once: each keeps what any thread frees. Does nothing (ZWALK_KEEPS_PAGES) where the
/// system isn't Linux, or with sanitizers, which have to know what is freed.
class KeepPages {
  public:
    KeepPages();
    ~KeepPages();
    KeepPages(KeepPages const&) = delete;
    KeepPages& operator=(KeepPages const&) = delete;
};

// For allocate_pages() and free_pages():

/// Smaller blocks are left to malloc, which keeps them itself.
constexpr std::size_t least_kept = 1 << 19;

/// Memory of so many bytes, kept or fresh, at the beginning of a page; null if nothing is to be kept, or the system has none. Throws
/// std::bad_alloc where there is no memory for its own accounts.
void* take_pages(std::size_t bytes);
/// Takes memory back. False if it isn't from take_pages().
bool give_pages(void* memory) noexcept;
/// Gives back to the system what is kept, since memory is needed for something else. False: nothing was.
bool drop_kept_pages() noexcept;

}}}  // namespace zwalk::v0::detail
