// Where the time of work on a place goes.
#pragma once
#include <algorithm>

#include "zwalk/core/clock.hpp"
#include "zwalk/core/outcome.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Seconds of the work on a place, phase by phase.
template <class P>
class RunPhases {
  public:
    explicit RunPhases(P& place) : place_(place), last_(now_seconds()) {}
    /// Phases of one name are added up.
    void end(Stats& stats, char const* phase) {
        place_.synchronize();
        double const now = now_seconds(), took = now - last_;
        last_ = now;
        auto& all = stats.seconds;
        auto const same =
            std::find_if(all.begin(), all.end(), [&](auto const& one) { return one.first == phase; });
        if (same != all.end()) same->second += took;
        else all.emplace_back(phase, took);
    }

  private:
    P& place_;
    double last_;
};

}}}  // namespace zwalk::v0::detail
