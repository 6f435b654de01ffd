// Seconds of phases.
#pragma once
#include <algorithm>
#include <string_view>
#include <type_traits>

#include "zwalk/core/clock.hpp"
#include "zwalk/core/outcome.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// work(), whose seconds are added to those of a phase: the last one, if there was none of this name. Not if it throws.
/// @returns  what work() does
template <class Work>
auto timed(Stats& stats, std::string_view phase, Work const& work) {
    double const start = now_seconds();
    auto const end = [&] {
        double const took = now_seconds() - start;
        auto& all = stats.seconds;
        auto const same =
            std::find_if(all.begin(), all.end(), [&](auto const& one) { return one.first == phase; });
        if (same != all.end()) same->second += took;
        else all.emplace_back(phase, took);
    };
    if constexpr (std::is_void_v<std::invoke_result_t<Work const&>>) {
        work();
        end();
    } else {
        auto result = work();
        end();
        return result;
    }
}

}}}  // namespace zwalk::v0::detail
