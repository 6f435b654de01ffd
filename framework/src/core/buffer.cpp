#include "zwalk/core/buffer.hpp"

#include <cstdlib>

#include "zwalk/core/keep_pages.hpp"
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

constexpr std::size_t cache_line = 64, huge_page = 2 << 20;

/// With ZWALK_HUGE_PAGES=1: huge pages set up memory three times faster where the machine has them
/// at hand, but in a virtual machine whose host takes free memory back, several times slower. Results have them anyway, as far as
/// they are at hand: result_buffer().
[[maybe_unused]] bool wanted() {
    static bool const on = [] {
        char const* const value = std::getenv("ZWALK_HUGE_PAGES");
        return value && *value == '1';
    }();
    return on;
}

}  // namespace

void* allocate_pages(std::size_t bytes) {
    bool const large = bytes >= 4 * huge_page;
    std::size_t const alignment = large ? huge_page : cache_line;
    void* memory = bytes >= least_kept ? take_pages(bytes) : nullptr;
    auto const allocate = [&] {
        return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    };
    if (!memory) memory = allocate();
    if (!memory && drop_kept_pages()) memory = allocate();
    if (!memory) throw std::bad_alloc();
#if defined(__linux__)
    if (large && wanted()) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: failing does no harm
#endif
    return memory;
}

void free_pages(void* memory) noexcept {
    if (!give_pages(memory)) std::free(memory);
}

}}}  // namespace zwalk::v0::detail
