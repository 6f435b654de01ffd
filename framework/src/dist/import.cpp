#include "zwalk/dist/import.hpp"

#include <fmt/format.h>

#include "zwalk/core/error.hpp"
#include "zwalk/core/index.hpp"

namespace zwalk::inline v0::detail {

void check_imported(std::uint64_t points, std::uint64_t own) {
    if (points > max_points)
        throw InputError(
            fmt::format("a rank has {} points and needs {} of other ranks: more than one process can "
                        "number ({}); use "
                        "more ranks",
                        own, points - own, max_points));
}

}  // namespace zwalk::inline v0::detail
