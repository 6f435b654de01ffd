// Memory of large results, whose parts threads write in no particular order.
#pragma once
#include <cstddef>

#include "zwalk/core/buffer.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {

/// Whether results of so many bytes get huge pages: large ones do, unless ZWALK_HUGE_PAGES=0.
[[nodiscard]] bool gets_huge_pages(std::size_t bytes);
/// Sets up fresh memory by huge pages, as far as the system has them at hand; see result_buffer().
void set_up_huge_pages(Cpu const& cpu, void* memory, std::size_t bytes);

}  // namespace detail

/// A Buffer in which no element will stay unwritten, for rows that lie anywhere. In small pages each row costs a walk through the page table,
/// and each page a fault: together up to a third of a search for 16 neighbours. So large ones get huge pages, set up by all threads. That
/// ends at the first few that take long: where a virtual machine has to ask its host for memory, or the system has to
/// make room, small pages come sooner. These are set up as those of Cpu::buffer, which also has results of less than 8 MB, and all of them
/// with ZWALK_HUGE_PAGES=0 in the environment.
template <class T>
Buffer<T> result_buffer(Cpu const& cpu, std::size_t n) {
    if (!detail::gets_huge_pages(n * sizeof(T))) return cpu.buffer<T>(n);
    Buffer<T> buffer(n);
    detail::set_up_huge_pages(cpu, buffer.data(), n * sizeof(T));
    return buffer;
}

}}  // namespace zwalk::v0
