#include "zwalk/lists/lists.hpp"

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

void check_list_memory(std::size_t lists, std::uint64_t entries, std::size_t entry_bytes,
                       std::uint64_t available, std::uint64_t budget) {
    // As a real number: a product of this size may be too large for an integer.
    double const needed = double(entries) * double(entry_bytes);
    bool const by_budget = budget > 0 && budget < available;
    double const limit = double(by_budget ? budget : available);
    if (needed <= limit) return;
    throw Error(detail::text(
        "{} lists with {} entries in all need {:.3g} GB, and {:.3g} GB are {}: count without listing, "
        "or ask for fewer",
        lists, entries, needed / 1e9, limit / 1e9, by_budget ? "the memory budget" : "free"));
}

}}}  // namespace zwalk::v0::detail
