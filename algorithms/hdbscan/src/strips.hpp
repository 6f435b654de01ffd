// single_linkage() with strips or windows of any size, and condense() as many threads do it: for tests, since results don't depend on that.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "zwalk/hdbscan/condensed_tree.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

struct StripSizes {
    std::size_t edges;   ///< of a strip, about; more of one length are a strip of their own
    std::size_t strips;  ///< of a window
};

/// A strip is as large as what has to be in a core's cache, or so that each thread has enough to do between two waits for all others.
inline StripSizes strips_for(std::size_t threads) {
    return {std::max(std::size_t(1) << 14, threads << 10), threads};
}

/// On so many threads one of them makes all rows: strips are half as much work again.
inline constexpr std::size_t few_threads = 2;
/// So few that what one thread has looked for is still in the cache of both.
inline constexpr std::size_t window_edges = 1 << 11;

/// More edges of one length than this are joined on all threads, whose tables are counted where memory is predicted.
inline constexpr std::size_t wide_event = 1 << 14;
/// Whether edges in a row are of one length: never if fewer than `many` are, always if twice as many are. O(N / many).
template <class T>
bool has_wide_event(std::span<T const> lengths, std::size_t many) {
    for (std::size_t e = many; e < lengths.size(); e += many)
        if (lengths[e] == lengths[e - many]) return true;
    return false;
}

template <class T>
Linkage linkage_in_strips(std::size_t points, std::span<index_t const> edges, std::span<T const> lengths,
                          Cpu const& cpu, StripSizes sizes);
/// One thread makes all rows, from windows of about so many edges.
template <class T>
Linkage linkage_in_windows(std::size_t points, std::span<index_t const> edges,
                           std::span<T const> lengths, Cpu const& cpu, std::size_t window);

/// The condensed tree by way of chains (chains.hpp), however many threads and points there are.
CondensedTree condense_by_chains(Linkage const& linkage, std::size_t min_cluster_size, Cpu const& cpu);

}}}  // namespace zwalk::v0::detail
