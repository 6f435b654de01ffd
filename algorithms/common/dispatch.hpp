// From an algorithm's public function to its kernels: the compiled dimension.
#pragma once
#include <fmt/format.h>

#include <algorithm>

#include "zwalk/core/error.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/joint.hpp"

namespace zwalk::inline v0::detail {

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
