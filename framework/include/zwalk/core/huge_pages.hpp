// What is known of huge pages, and who gets them.
#pragma once
#include <cstddef>

namespace zwalk { inline namespace v0 { namespace detail {

inline constexpr std::size_t huge_page = 2 << 20;

enum class HugePages {
    none,
    results,  ///< as far as they are at hand: result_buffer()
    all,      ///< whatever is large, and results as before
};
/// What ZWALK_HUGE_PAGES in the environment means, as it is when this is first called.
HugePages huge_pages();
/// What a value of it means: 0 none, 1 all, anything else (or null: not set) results.
HugePages huge_pages(char const* value);

}}}  // namespace zwalk::v0::detail
