#include "zwalk/walk/trace.hpp"

#include <algorithm>

#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 {

TreeOptions tree_to_look_at(std::size_t points) {
    return {.leaf_size = pos_t(std::clamp<std::size_t>(points / 128, 4, 48)),
            .coarsening = 3,
            .top_nodes = 1};
}

std::uint64_t Trace::all_pairs() const {
    std::uint64_t const n = targets.input.size(), m = source_side().input.size();
    return symmetric ? n * (std::max<std::uint64_t>(n, 1) - 1) / 2 : n * m;
}

std::uint64_t Trace::points_of(Pair const& pair) const {
    if (symmetric && pair.target == pair.source) {
        std::uint64_t const n = targets.planes[std::size_t(pair.planes.target)].count(pair.target);
        return n * (n - 1) / 2;
    }
    return targets.planes[std::size_t(pair.planes.target)].count(pair.target) *
           source_side().planes[std::size_t(pair.planes.source)].count(pair.source);
}

std::vector<PlaneCounts> Trace::table() const {
    std::vector<PlaneCounts> rows;
    // Where one tree is shallower, pairs on its leaves' plane come several times, with other planes of the other tree.
    auto const depth = [](Pair const& p) { return std::max(p.planes.target, p.planes.source); };
    for (Pair const& pair : pairs) {
        if (rows.empty() || rows.back().plane != depth(pair)) {
            PlaneCounts& row = rows.emplace_back();
            row.plane = depth(pair);
            row.targets = targets.planes[std::size_t(pair.planes.target)].nodes();
        }
        PlaneCounts::Pairs& own = rows.back().decisions[std::size_t(pair.decision)];
        ++own.nodes;
        own.points += points_of(pair);
    }
    return rows;
}

WalkCounts counts_of(Trace const& trace) {
    WalkCounts counts;
    for (PlaneCounts const& row : trace.table()) {
        PlanePairs& pairs = counts.planes[std::size_t(row.plane)];
        for (auto const& decided : row.decisions) pairs.tested += decided.nodes;
        pairs.accepted = row.of(Decision::accept).nodes;
        pairs.descended = row.of(Decision::descend).nodes;
        counts.node_entries += pairs.descended;
    }
    counts.leaf_entries = counts.planes[0].descended;
    return counts;
}

std::string Trace::table_text() const {
    std::string text =
        detail::text("{:>7}{:>8}  {:^30}  {:^36}\n{:>15}{:>12}{:>10}{:>10}{:>14}{:>12}{:>12}\n", "plane",
                     "targets", "pairs of nodes", "pairs of points", "", "discarded", "accepted",
                     "descended", "discarded", "accepted", "descended");
    for (PlaneCounts const& row : table()) {
        auto const &no = row.of(Decision::discard), &all = row.of(Decision::accept),
                   &some = row.of(Decision::descend);
        text += detail::text("{:>7}{:>8}{:>12}{:>10}{:>10}{:>14}{:>12}{:>12}\n", row.plane, row.targets,
                             no.nodes, all.nodes, some.nodes, no.points, all.points, some.points);
    }
    std::uint64_t const all = all_pairs();
    text += detail::text("{} of {} pairs of points met, {:.1f} %\n", met, all,
                         all == 0 ? 0. : 100. * double(met) / double(all));
    return text;
}

}}  // namespace zwalk::v0
