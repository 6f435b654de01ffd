// How an index answers: by a rule of sizes and counts, so that the choice is the same on every run.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace zwalk::inline v0::detail {

/// Sources per query up to which walking the queries' nodes is faster than one descent per query, in
/// up to four dimensions (bench/index_ways.cpp; docs/performance.md has the figures).
constexpr std::size_t walked_up_to(int dim) { return dim <= 2 ? 16 : dim == 3 ? 6 : 2; }
/// In more dimensions a walk is never much faster than descents, but all pairs may be.
inline constexpr int walked_dims = 4;
/// Up to this many queries are answered where the call is made: threads and a sort would cost more. In
/// many dimensions one query takes long, and all pairs may take a fraction of it.
constexpr std::size_t single_up_to(int dim) { return dim <= 10 ? 256 : 16; }

enum class IndexWay {
    here,      ///< so few that they go down one by one on the calling thread
    descents,  ///< queries go down one by one
    walk,      ///< their nodes are walked
    ask,       ///< all pairs where lists of nodes would be dense, otherwise descents
};

/// What queries of an index do. The environment variable ZWALK_DESCENTS (0 or 1) decides instead.
inline IndexWay index_way(std::size_t queries, std::size_t sources, int dim) {
    std::string_view asked;
    if (char const* const value = std::getenv("ZWALK_DESCENTS")) asked = value;
    if (asked == "0") return IndexWay::walk;
    if (queries <= single_up_to(dim)) return IndexWay::here;
    if (!asked.empty()) return IndexWay::descents;
    if (dim > walked_dims) return IndexWay::ask;
    return queries * walked_up_to(dim) < sources ? IndexWay::descents : IndexWay::walk;
}

}  // namespace zwalk::inline v0::detail
