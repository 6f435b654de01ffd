// Pages of fresh memory.
#pragma once
#include <cstddef>

namespace zwalk { inline namespace v0 { namespace detail {

/// Smaller blocks aren't worth it, and malloc has them, as a rule.
inline constexpr std::size_t least_fresh = 1 << 20;

/// Sets up the pages of memory that is going to be written as a whole, unless the first one is there already: that takes two thirds of the
/// time of a fault each, and no fault interrupts the work. A wish: elsewhere than on Linux from 5.14 on, pages come as they are written.
void set_up_pages(void* memory, std::size_t bytes) noexcept;

}}}  // namespace zwalk::v0::detail
