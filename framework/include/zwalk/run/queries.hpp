// Queries: targets that a call brings along to meet the points of an index, or others that it brings, too.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "zwalk/core/buffer.hpp"
#include "zwalk/run/prepared_points.hpp"

namespace zwalk::inline v0::detail {

/// Throws InputError unless queries have as many columns as the points that they are to meet.
void check_query_columns(int queries, int points);

/// Queries, checked, on a place.
template <class T, class P>
struct Queries : Brought<T, P> {
    /// On CPU threads: their z-order, once it is known, and the seconds that it took.
    Buffer<pos_t> order{};
    double sorting = 0;
};

/// All that the memory of a search on a device depends on, but for its task.
struct SearchShape {
    std::size_t points = 0;
    std::optional<std::size_t> queries{};  ///< none: the points are their own queries
    bool kept = false;                     ///< the tree of the points is there
    int columns = 0;                       ///< compiled ones
    std::size_t item_bytes = 4;            ///< bytes of a coordinate
    TreeOptions tree{};
    std::uint64_t memory_budget = 0;

    [[nodiscard]] std::size_t targets() const { return queries.value_or(points); }
};
/// The bytes of a device that a search needs beside the input.
struct SearchNeed {
    std::string what;         ///< begins a sentence: "radius search of 100 points"
    std::uint64_t build = 0;  ///< while rows of points are there, too
    std::uint64_t most = 0;
};

/// Finds the z-order of queries.
template <class T>
void sort_queries(Cpu const& cpu, Queries<T, Cpu>& queries);

/// The tree of the queries `part` (of their z-order), cut to fit that of the sources.
template <class T>
Tree<T, Cpu> tree_of_queries(Cpu const& cpu, Points<T> queries, std::span<pos_t const> part,
                             PreparedPoints<T, Cpu> const& sources);

}  // namespace zwalk::inline v0::detail
