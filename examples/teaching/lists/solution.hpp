// Exercise 3, solved: what a walk costs where all lists of a plane are made at once.
#pragma once
#include <algorithm>
#include <cmath>

#include "zwalk/walk/trace.hpp"

struct Cost {
    std::uint64_t looked_at = 0;  ///< pairs of nodes, on all planes
    std::uint64_t kept =
        0;            ///< entries of all lists that are in memory at once: of the plane that has most
    double busy = 0;  ///< share of 32 lanes that have a target, over all that target leaves meet
};

// tutorial-begin solution
inline Cost cost_of(zwalk::Trace const& trace) {
    Cost cost;
    cost.looked_at = trace.pairs.size();
    std::vector<std::uint64_t> entries(trace.targets.planes.size());
    double lanes = 0, used = 0;
    for (auto const& pair : trace.pairs) {
        if (pair.decision != zwalk::Decision::descend) continue;
        ++entries[std::size_t(pair.planes.target)];
        if (pair.planes.target > 0) continue;
        // The leaf's points are shown the source's points one by one, by as many groups of 32 lanes as it takes.
        double const points = double(trace.targets.planes[0].count(pair.target));
        double const shown = double(trace.source_side().planes[0].count(pair.source));
        lanes += shown * 32 * std::ceil(points / 32);
        used += shown * points;
    }
    cost.kept = *std::max_element(entries.begin(), entries.end());
    cost.busy = used / lanes;
    return cost;
}
// tutorial-end solution
