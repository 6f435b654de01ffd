// From an algorithm's public function to its kernels: the compiled dimension.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "zwalk/core/error.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/joint.hpp"

namespace zwalk::inline v0::detail {

/// Dimensions that something was compiled for, ascending.
template <int... D>
struct Dims {};

/// f.operator()<d>() for the smallest d of D that holds `columns` columns. Without dimensions nothing is called,
/// so that a build without CUDA links without its kernels.
template <class R, int... D, class F>
R with_dim(Dims<D...>, int columns, F const& f) {
    std::optional<R> result;
    [[maybe_unused]] auto const holds = [&]<int d>() {
        if (columns > d) return false;
        result.emplace(f.template operator()<d>());
        return true;
    };
    if (!(holds.template operator()<D>() || ...))
        throw InputError(
            fmt::format("the points have {} columns, but this build has kernels for "
                        "at most {}: build with a larger dimension in ZWALK_DIMS",
                        columns, std::max({0, D...})));
    return *std::move(result);
}

/// Puts the phases of a build in front of those that `stats` has.
inline void add_build(Stats& stats, BuildSeconds const& built) {
    stats.seconds.insert(stats.seconds.begin(),
                         {{"sort", built.sort}, {"planes", built.planes}, {"geometry", built.geometry}});
}

}  // namespace zwalk::inline v0::detail
