#include "zwalk/ranks/import.hpp"

#include "zwalk/core/error.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

void check_imported(std::uint64_t imported, std::uint64_t own, double bytes, std::uint64_t free,
                    int ranks) {
    if (imported + own > max_points)
        throw InputError(
            detail::text("a rank has {} points and needs {} of other ranks: more than one process can "
                         "number ({}); use more ranks",
                         own, imported, max_points));
    if (bytes > double(free) / ranks)
        throw Error(detail::text(
            "a rank has {} points and needs {} of other ranks, which takes {:.3g} GB of memory; {:.3g} "
            "GB are free for {} rank{} on its machine: use fewer ranks on a machine, or more machines",
            own, imported, bytes / 1e9, double(free) / 1e9, ranks, ranks == 1 ? "" : "s"));
}

}}}  // namespace zwalk::v0::detail
