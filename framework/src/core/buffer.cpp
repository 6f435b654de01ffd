#include "zwalk/core/buffer.hpp"

#include <cstdlib>

#include "zwalk/core/huge_pages.hpp"
#include "zwalk/core/keep_pages.hpp"
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace zwalk { inline namespace v0 { namespace detail {
namespace {

constexpr std::size_t cache_line = 64;

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
    // They set up memory three times faster where the machine has them at hand, but in a virtual machine whose host takes free memory
    // back, several times slower. A wish: failing does no harm.
    if (large && huge_pages() == HugePages::all) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

void free_pages(void* memory) noexcept {
    if (!give_pages(memory)) std::free(memory);
}

}}}  // namespace zwalk::v0::detail
