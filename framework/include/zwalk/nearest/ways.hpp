// How an index answers: by a rule of sizes and counts, so that the choice is the same on every run.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace zwalk { inline namespace v0 { namespace detail {

/// Sources per query up to which walking the queries' nodes is faster than one descent per query, in
/// up to four dimensions (measured by bench/index_ways.cpp).
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

/// The value of the environment variable ZWALK_DESCENTS: 0 or 1, or empty.
inline std::string_view asked_descents() {
    char const* const value = std::getenv("ZWALK_DESCENTS");
    return value ? value : "";
}

/// What queries of an index do. ZWALK_DESCENTS decides instead.
inline IndexWay index_way(std::size_t queries, std::size_t sources, int dim) {
    std::string_view const asked = asked_descents();
    if (asked == "0") return IndexWay::walk;
    if (queries <= single_up_to(dim)) return IndexWay::here;
    if (!asked.empty()) return IndexWay::descents;
    if (dim > walked_dims) return IndexWay::ask;
    return queries * walked_up_to(dim) < sources ? IndexWay::descents : IndexWay::walk;
}

/// Sources per query from which queries descend on a device, each with a group of lanes, instead of being walked. On an H100, with
/// an index of 1e6 and k = 16, 1e5 queries take 0.7 ms by descents and 2.6 ms by a walk, the sort of the queries included, 3e5 take 1.7
/// and 2.9 ms: a query more takes 5.5 ns by a descent, and 1.4 ns by a walk. So both take as long for some 5e5 queries.
inline constexpr std::size_t device_walked_up_to = 2;
/// The same of targets that have a tree: so many in a leaf, on average, below which they descend. A tree is cut where 48 sources
/// lie, and then has some 31 in a leaf.
inline constexpr std::size_t device_few_in_leaf = 16;
/// Up to so many queries that descend on a device stay in the order of the input: a sort would take some ten launches and two
/// waits, and so few find little in a cache that others have looked at. An estimate.
inline constexpr std::size_t device_unsorted_up_to = std::size_t(1) << 14;

/// Whether targets on a device descend, see device_descent.hpp. ZWALK_DESCENTS decides instead.
/// @param leaves  of their tree; 0: there is none yet
inline bool device_descends(std::size_t targets, std::size_t leaves, std::size_t sources) {
    std::string_view const asked = asked_descents();
    if (!asked.empty()) return asked != "0";
    return targets * device_walked_up_to < sources || targets / device_few_in_leaf < leaves;
}

}}}  // namespace zwalk::v0::detail
