#include "zwalk/run/call.hpp"

#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

void refuse_columns(int columns, int most, bool on_device) {
    if (on_device)
        throw InputError(detail::text(
            "the points have {} columns, but this build has GPU kernels for at most {}: use the CPU, or "
            "build with a larger dimension in ZWALK_CUDA_DIMS",
            columns, most));
    throw InputError(
        detail::text("the points have {} columns, but this build has kernels for "
                     "at most {}: build with a larger dimension in ZWALK_DIMS",
                     columns, most));
}

void check_for_index(std::vector<double> const& box) {
    if (!box.empty()) throw InputError("an index has a box of its own: leave out that of the options");
}

void check_device_memory(std::string_view what, std::uint64_t needed, std::uint64_t available) {
    if (needed <= available) return;
    throw Error(detail::text(
        "{} needs about {:.3g} GB of the device's memory, and {:.3g} GB are free: use fewer points, or "
        "the CPU",
        what, double(needed) / 1e9, double(available) / 1e9));
}
std::string of_points(std::string_view name, std::size_t points) {
    return detail::text("{} of {} points", name, points);
}
void check_device_memory(std::string_view name, std::size_t points, std::uint64_t needed,
                         std::uint64_t available) {
    check_device_memory(of_points(name, points), needed, available);
}

}}}  // namespace zwalk::v0::detail
