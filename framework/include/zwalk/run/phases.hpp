// Where the time of work on a place goes.
#pragma once
#include "zwalk/core/clock.hpp"
#include "zwalk/core/outcome.hpp"

namespace zwalk::inline v0::detail {

/// Seconds of the work on a place, phase by phase.
template <class P>
class RunPhases {
  public:
    explicit RunPhases(P& place) : place_(place), last_(now_seconds()) {}
    void end(Stats& stats, char const* phase) {
        place_.synchronize();
        double const now = now_seconds();
        stats.seconds.emplace_back(phase, now - last_);
        last_ = now;
    }

  private:
    P& place_;
    double last_;
};

}  // namespace zwalk::inline v0::detail
