// How an index answers: by a rule of sizes, so that the choice is the same on every run.
#pragma once
#include <cstddef>

namespace zwalk::inline v0::detail {

/// Sources per query up to which walking the queries' nodes is faster than one descent per query
/// (bench/index.cpp; docs/performance.md has the figures). Lists of nodes prune less with every
/// dimension; 0: never.
constexpr std::size_t walked_up_to(int dim) { return dim <= 2 ? 8 : dim <= 4 ? 3 : 0; }
/// Up to this many queries are answered where the call is made: threads and a sort would cost more.
inline constexpr std::size_t single_up_to = 256;

/// True if queries of an index go down one by one, false if their nodes are walked.
constexpr bool descends(std::size_t queries, std::size_t sources, int dim) {
    return queries <= single_up_to || queries * walked_up_to(dim) < sources;
}

}  // namespace zwalk::inline v0::detail
