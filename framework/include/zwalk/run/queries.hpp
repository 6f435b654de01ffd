// Queries: targets that a call brings along to meet the points of an index, or others that it brings, too.
#pragma once
#include <span>

#include "zwalk/core/buffer.hpp"
#include "zwalk/run/prepared_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Throws InputError unless queries have as many columns as the points that they are to meet.
void check_query_columns(int queries, int points);

/// Queries, checked, on a place, in the unit of the points.
template <class T, class P>
struct Queries : Brought<T, P> {
    /// On CPU threads: their z-order, once it is known, and the seconds that it took.
    Buffer<pos_t> order{};
    double sorting = 0;
    bool in_order = false;  ///< they come in that order
    bool here = false;  ///< so few that the calling thread answers them as they come, without an order
};

/// Finds the z-order of queries.
template <class T>
void sort_queries(Cpu const& cpu, Queries<T, Cpu>& queries);

/// The tree of the queries `part` (of their z-order), cut to fit that of the sources.
template <class T>
Tree<T, Cpu> tree_of_queries(Cpu const& cpu, Points<T> queries, std::span<pos_t const> part,
                             PreparedPoints<T, Cpu> const& sources);

}}}  // namespace zwalk::v0::detail
