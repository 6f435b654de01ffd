// What a walk did, in numbers.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "zwalk/core/index.hpp"

namespace zwalk { inline namespace v0 {

/// No hierarchy is deeper: N_max grows by at least 2 from plane to plane, plus super nodes.
inline constexpr int max_planes = 40;

/// Pairs of nodes of one plane.
struct PlanePairs {
    /// Pairs whose distance was looked at, as often as it was. On devices, and in steps of lane groups, not known: 0. Where
    /// lists are ordered, sources behind the reach of a target are left out unseen, with their parents.
    size_type tested = 0;
    size_type accepted = 0;   ///< by a trait that makes something of it; 0 where `tested` isn't known
    size_type descended = 0;  ///< to the next plane, or to their points

    [[nodiscard]] size_type discarded() const { return tested == 0 ? 0 : tested - accepted - descended; }
    void add(PlanePairs const& o) {
        tested += o.tested;
        accepted += o.accepted;
        descended += o.descended;
    }
};

/// Sums over all target nodes.
struct WalkCounts {
    size_type node_entries = 0;     ///< entries of all interaction lists
    size_type leaf_entries = 0;     ///< entries of the lists of leaves
    size_type peak_list_bytes = 0;  ///< largest memory of the lists of one thread
    size_type started_again = 0;    ///< targets whose guessed horizon was too small (tuning.guess)
    /// By plane, [0]: the leaves. Where trees differ in depth, the shallow one stays at its leaves meanwhile.
    std::array<PlanePairs, max_planes> planes{};

    void add(WalkCounts const& o) {
        node_entries += o.node_entries;
        leaf_entries += o.leaf_entries;
        peak_list_bytes = std::max(peak_list_bytes, o.peak_list_bytes);
        started_again += o.started_again;
        for (std::size_t p = 0; p < planes.size(); ++p) planes[p].add(o.planes[p]);
    }
};

/// The decisions of a walk for Stats: `plane_2_descended` and so on, the coarsest plane first; only planes where something
/// happened, and on devices only what descended.
inline void add_planes(std::vector<std::pair<std::string, std::uint64_t>>& stats,
                       WalkCounts const& counts, std::string const& prefix = "") {
    for (std::size_t p = counts.planes.size(); p-- > 0;) {
        PlanePairs const& pairs = counts.planes[p];
        if (pairs.tested == 0 && pairs.descended == 0) continue;
        std::string const plane = prefix + "plane_" + std::to_string(p) + "_";
        if (pairs.tested > 0) {
            stats.emplace_back(plane + "discarded", pairs.discarded());
            stats.emplace_back(plane + "accepted", pairs.accepted);
        }
        stats.emplace_back(plane + "descended", pairs.descended);
    }
}

}}  // namespace zwalk::v0
