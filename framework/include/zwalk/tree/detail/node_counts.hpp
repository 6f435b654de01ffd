// How many points the smallest node across a gap holds: n (paper section II-C), with the largest
// count over several point types (section II-E).
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "zwalk/core/page_vector.hpp"
#include "zwalk/tree/detail/gap_levels.hpp"

namespace zwalk { inline namespace v0 {

/// Counts points of every type in ranges of the joint z-order.
struct TypeCounts {
    pos_t size = 0;  ///< number of points, all types
    /// before[t][i]: points of type t among the first i; size + 1 elements. Empty for one type.
    std::vector<PageVector<pos_t>> before;

    [[nodiscard]] std::size_t types() const { return before.empty() ? 1 : before.size(); }

    /// The largest number of points of one type at positions [begin, end). O(types).
    [[nodiscard]] pos_t largest(pos_t begin, pos_t end) const {
        if (before.empty()) return end - begin;
        pos_t n = 0;
        for (auto const& b : before) n = std::max(n, b[end] - b[begin]);
        return n;
    }
};

/// The gaps of the leaf plane before regularisation: positions i (ascending, with 0 and N) where
/// the smallest node that holds points i-1 and i has more than `n_max` points of some type. That
/// node reaches to the nearest gap of a higher level on both sides. O(N) and parallel, as nothing
/// further than types * n_max positions away can matter.
std::vector<pos_t> leaf_gaps(Cpu const& cpu, std::span<level_t const> levels, TypeCounts const& counts,
                             pos_t n_max);

/// n of each of the kept `gaps` (positions with 0 and N, as from `leaf_gaps`), whose levels are
/// `levels`: points in the smallest node across the gap, the largest number over types. The outer
/// two have no node; they get the largest pos_t. O(number of gaps).
///
/// Exact although dropped gaps are not looked at: if h is the nearest gap with a higher level than
/// a kept gap g, on either side, then h's node contains g's node. So h has at least as many points
/// and a higher level, and every rule that kept g (more than n_max points; a level above a limit)
/// keeps h too.
std::vector<pos_t> node_counts(std::span<pos_t const> gaps, std::span<level_t const> levels,
                               TypeCounts const& counts);

}}  // namespace zwalk::v0
