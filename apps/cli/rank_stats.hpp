// The figures of several ranks, for --stats.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "stats.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/ranks/comm.hpp"

namespace zwalk::apps {

/// A figure of all ranks; of those that don't have it, 0.
struct Spread {
    std::string name;
    double least = 0, sum = 0, most = 0;
};

/// Figures by name, in the order in which they first occur. Collective; the same on all ranks.
std::vector<Spread> spread_over_ranks(Comm& comm,
                                      std::vector<std::pair<std::string, double>> const& own);

/// Fills `stats` with what all ranks have measured: sums of counts, and stats.ranks, which shows how seconds and bytes are
/// spread. stats.counts begins with the number of points. Collective.
/// @param own    what this rank has measured
/// @param steps  what it has sent, step by step
void gather_stats(Comm& comm, Stats const& own, std::vector<StepStats> const& steps, RunStats& stats);

}  // namespace zwalk::apps
