// The counts that drivers report of their walks (Stats::counts), and those of several walks over one tree together.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "zwalk/core/outcome.hpp"
#include "zwalk/exec/place.hpp"
#include "zwalk/tree/tree.hpp"
#include "zwalk/walk/counts.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Adds the counts of a tree.
template <class T, class P>
void add_tree_counts(Stats& stats, Tree<T, P> const& tree) {
    stats.counts.emplace_back("leaves", tree.planes.empty() ? 0 : tree.planes.front().nodes());
    stats.counts.emplace_back("planes", tree.planes.size());
}

/// The counts of a walk over `tree`.
template <class T, class P>
void add_walk_counts(Stats& stats, Tree<T, P> const& tree, WalkCounts const& counts) {
    stats.counts.insert(stats.counts.end(), {{"node_entries", counts.node_entries},
                                             {"leaf_entries", counts.leaf_entries},
                                             {"peak_list_bytes", counts.peak_list_bytes}});
    add_tree_counts(stats, tree);
    add_planes(stats.counts, counts);
}

/// The same, and the counts of the device if it was on one.
template <class T, class P>
void add_counts(Stats& stats, P const& place, Tree<T, P> const& tree, WalkCounts const& counts) {
    add_walk_counts(stats, tree, counts);
    if constexpr (is_device<P>) {
        auto const done = place.stats();
        stats.counts.insert(stats.counts.end(), {{"device_launches", done.launches},
                                                 {"device_waits", done.waits},
                                                 {"device_peak_bytes", done.peak_bytes}});
    }
}

/// Adds the counts of one more walk to those of walks before it over the same tree: sums, but the largest of peaks and of the
/// counts of the tree. New ones come last.
inline void add_walk(std::vector<std::pair<std::string, std::uint64_t>>& counts,
                     std::vector<std::pair<std::string, std::uint64_t>> const& more) {
    for (auto const& [name, count] : more) {
        auto const known = std::find_if(counts.begin(), counts.end(),
                                        [&](auto const& one) { return one.first == name; });
        if (known == counts.end()) counts.emplace_back(name, count);
        else if (name == "leaves" || name == "planes" || name.find("peak") != name.npos)
            known->second = std::max(known->second, count);
        else known->second += count;
    }
}

}}}  // namespace zwalk::v0::detail
