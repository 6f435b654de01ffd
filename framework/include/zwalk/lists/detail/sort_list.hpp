// A list of sources in order of distance, on a thread of the host.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "zwalk/core/index.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Sorts elements with a member d2 >= 0 by their operator<, whose first criterion that is.
///
/// Distances within a ball fill their range rather evenly, so long lists are dealt out into as many buckets of equal
/// width as there are elements, in the order of d2 since products round monotonely; what remains is to sort buckets of a
/// few. O(n); for distances of another kind O(n log n), as std::sort.
template <class Element>
void sort_by_distance(std::span<Element> list) {
    constexpr std::size_t worth_buckets = 48;
    std::size_t const n = list.size();
    if (n < worth_buckets) return std::sort(list.begin(), list.end());
    using T = decltype(Element::d2);
    T most = 0;
    for (Element const& e : list) most = std::max(most, e.d2);
    T const scale = T(n) / most;
    if (!std::isfinite(scale) || !(scale > 0)) return std::sort(list.begin(), list.end());
    auto const bucket = [&](Element const& e) { return std::min(std::size_t(e.d2 * scale), n - 1); };
    std::vector<std::uint32_t> end(n + 1);  // of bucket b at b + 1, when all have been dealt out at b
    for (Element const& e : list) ++end[bucket(e) + 1];
    for (std::size_t b = 0; b < n; ++b) end[b + 1] += end[b];
    auto const sorted = std::make_unique_for_overwrite<Element[]>(n);
    for (Element const& e : list) sorted[end[bucket(e)]++] = e;
    for (std::size_t b = 0, first = 0; b < n; first = end[b++])
        if (end[b] - first > 1) std::sort(sorted.get() + first, sorted.get() + end[b]);
    std::copy_n(sorted.get(), n, list.begin());
}

}}}  // namespace zwalk::v0::detail
