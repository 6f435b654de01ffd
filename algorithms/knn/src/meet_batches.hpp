// Separate queries that meet a tree in batches. Included by the generated instances only.
#pragma once
#include <numeric>
#include <span>

#include "batches.hpp"

namespace zwalk::inline v0::detail {

/// Queries, and how they are taken.
template <class T>
struct BatchedQueries {
    Points<T> points;
    std::span<pos_t const> order;  ///< z-order of the points
    std::size_t batch_size;
    TreeOptions tree;
};

/// Neighbours of all queries; row_order and source_order are left to the caller. Call inside Cpu::run.
///
/// Queries of a batch are neighbours on the z-order curve: they meet few nodes, and rows in z-order
/// come out in one piece. Sorting a part of the curve again keeps its order, so a row is the same
/// whatever the batches.
template <int D, class T>
KnnResult<T> meet_batches(Cpu const& cpu, BatchedQueries<T> const& queries,
                          Hierarchy<D, T> const& sources, KnnOptions const& o,
                          std::vector<T> const& period, KnnVisitor<T> const& visitor,
                          BuildSeconds& built) {
    std::size_t const size = queries.points.size;
    auto r = empty_result<T>(size, o.k, bool(visitor));
    std::size_t begin = 0;
    do {  // also without queries, to report on the tree
        std::size_t const end = std::min(size, begin + queries.batch_size);
        auto const part = queries.order.subspan(begin, end - begin);
        auto const gathered = gather_rows(queries.points, part);
        auto targets =
            build_targets<D, T>(cpu, Points<T>(gathered.data(), part.size(), queries.points.dim),
                                sources, queries.tree, &built);
        KnnRows<T> rows{r.columns, r.indices.data(), r.distances.data()};
        rows.visitor = visitor;
        if (o.order == Order::input) {
            for (pos_t& row : targets.input) row = part[row];
            rows.row_of = targets.input.data();
            rows.source_of = sources.input.data();
        } else if (visitor) {
            std::iota(targets.input.begin(), targets.input.end(), pos_t(begin));
            rows.row_of = targets.input.data();
        } else {
            rows.indices += begin * r.columns;
            rows.distances += begin * r.columns;
        }
        add_batch(r.stats, meet_into<D>(rows, targets, sources, queries.points.dim, o, period));
        begin = end;
    } while (begin < size);
    return r;
}

}  // namespace zwalk::inline v0::detail
