// Lecture 3: lists, planes, and what a GPU wants. The same walk over trees with smaller and larger leaves.
#ifdef SOLUTION
#include "teaching/lists/solution.hpp"
#else
#include "teaching/lists/start.hpp"
#endif

#include "teaching/lecture.hpp"
#include "traits/radius_count.hpp"
#include "zwalk/run/point_tree.hpp"

/// Points within a radius of each of 2000, in leaves of this size.
zwalk::Trace walk_with_leaves(zwalk::pos_t leaf_size) {
    auto const points = lecture::points<2>(2000);
    zwalk::Tracing place;
    auto const tree = zwalk::make_tree<2>(
        place, points, {.tree = {.leaf_size = leaf_size, .coarsening = 4, .top_nodes = 1}});
    auto count = tree.array<zwalk::size_type>();
    zwalk::examples::RadiusCount<2, double> trait;
    trait.radius2 = .05 * .05;
    trait.count = count.data();
    tree.walk(trait);
    return place.trace();
}

int main() {
    std::printf("%6s%14s%14s%14s%8s\n", "leaf", "nodes meet", "points meet", "entries kept", "busy");
    bool looked_at = true, kept = true, busy = true;
    for (zwalk::pos_t const leaf : {4U, 8U, 16U, 32U, 64U}) {
        auto const trace = walk_with_leaves(leaf);
        Cost const cost = cost_of(trace);
        std::printf("%6u%14llu%14llu%14llu%7.0f%%\n", leaf,
                    static_cast<unsigned long long>(cost.looked_at),
                    static_cast<unsigned long long>(trace.met),
                    static_cast<unsigned long long>(cost.kept), 100 * cost.busy);
        std::uint64_t nodes = 0, most = 0;
        for (auto const& plane : trace.table()) {
            for (auto const& decided : plane.decisions) nodes += decided.nodes;
            most = std::max(most, plane.of(zwalk::Decision::descend).nodes);
        }
        looked_at &= cost.looked_at == nodes;
        kept &= cost.kept == most;
        busy &= cost.busy > 0 && cost.busy <= std::min(1., leaf / 32.);
    }
    lecture::Checks checks;
    checks.need(looked_at, "all pairs of nodes are counted");
    checks.need(kept, "the entries of the plane with most of them");
    checks.need(busy, "the share of lanes that are busy");
    return checks.result();
}
