// From an algorithm's public function to its kernels: the box, the compiled dimension.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "spaces.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/tree/extent.hpp"
#include "zwalk/tree/joint.hpp"

namespace zwalk::inline v0::detail {

/// The periods of `dim` axes in the precision T, +infinity for open ones; none for no box. `box` is
/// that of the user's options, and the data lies in `extent`: throws InputError if that doesn't fit.
template <class T>
std::vector<T> checked_period(std::vector<double> const& box, Extent<T> const& extent) {
    std::size_t const dim = extent.lo.size();
    if (box.empty()) return {};
    if (box.size() != 1 && box.size() != dim)
        throw InputError(
            fmt::format("the box has {} lengths, but the points have {} columns: give "
                        "one length for all axes, or one for each",
                        box.size(), dim));
    std::vector<T> period(dim);
    for (std::size_t j = 0; j < dim; ++j) period[j] = T(box[box.size() == 1 ? 0 : j]);
    check_box(extent.lo.data(), extent.hi.data(), period.data(), int(dim));
    for (T& length : period)
        if (length == 0) length = infinity<T>;
    return period;
}

/// f.operator()<d>() for the smallest d of the compiled dimensions D that holds `dim` columns.
template <int... D, class F>
auto with_compiled_dim(int dim, F const& f) {
    using Result = decltype((f.template operator()<D>(), ...));
    Result result{};
    bool found = false;
    auto const try_one = [&]<int d>() {
        if (found || dim > d) return;
        found = true;
        result = f.template operator()<d>();
    };
    (try_one.template operator()<D>(), ...);
    if (!found)
        throw InputError(
            fmt::format("the points have {} columns, but this build has kernels for "
                        "at most {}: build with a larger dimension in ZWALK_DIMS",
                        dim, std::max({D...})));
    return result;
}

/// Puts the phases of a build in front of those that `stats` has.
inline void add_build(Stats& stats, BuildSeconds const& built) {
    stats.seconds.insert(stats.seconds.begin(),
                         {{"sort", built.sort}, {"planes", built.planes}, {"geometry", built.geometry}});
}

}  // namespace zwalk::inline v0::detail
