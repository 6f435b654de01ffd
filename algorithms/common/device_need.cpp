#include "device_need.hpp"

#include <fmt/format.h>

#include "zwalk/core/error.hpp"

namespace zwalk::inline v0::detail {

void check_device_memory(std::string const& what, std::uint64_t needed, std::uint64_t available) {
    if (needed <= available) return;
    throw Error(fmt::format(
        "{} needs about {:.3g} GB of the device's memory, and {:.3g} GB are free: use fewer points, or "
        "the CPU",
        what, double(needed) / 1e9, double(available) / 1e9));
}

}  // namespace zwalk::inline v0::detail
