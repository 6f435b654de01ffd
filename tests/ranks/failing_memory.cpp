// The operators new of this program, and aligned_alloc as its objects call it (the linker's --wrap: what shared
// libraries call is left alone), where a test has set a limit.
#include <cstdlib>
#include <new>

#include "ranks/limit.hpp"

namespace {

using zwalk::test::Limit;
using zwalk::test::Memory;

/// Whether there is memory for so many bytes.
bool there_is(std::size_t bytes) { return bytes < Memory::few_words || Limit<Memory>::attempt(); }

/// What standard C++ asks of an aligned_alloc: a size that is a multiple, a power of two that is no less than a pointer's.
void* aligned(std::size_t bytes, std::align_val_t alignment) {
    void* memory = nullptr;
    return posix_memalign(&memory, std::size_t(alignment), bytes) == 0 ? memory : nullptr;
}

void* or_throw(void* memory) {
    if (!memory) throw std::bad_alloc();
    return memory;
}

}  // namespace

extern "C" {
// Names that the linker gives, no one else's.
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes);
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
    return there_is(bytes) ? __real_aligned_alloc(alignment, bytes) : nullptr;
}
}

// Those that return null have memory always: what asks that way can do without.
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept { return std::malloc(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment, std::nothrow_t const&) noexcept {
    return aligned(bytes, alignment);
}
void* operator new(std::size_t bytes) {
    return or_throw(there_is(bytes) ? std::malloc(bytes) : nullptr);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return or_throw(there_is(bytes) ? aligned(bytes, alignment) : nullptr);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
