// Some of the points of a tree, as rows and as points that are ready for an algorithm; on any place.
#pragma once
#include <utility>

#include "zwalk/run/prepared_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Rows of `dim` columns, of the points at positions at[0], at[1], ...
template <class T>
struct GatherRows {
    T const* x;
    std::size_t stride;
    pos_t const* at;
    int dim;
    T* rows;
    ZWALK_HD void operator()(std::size_t i) const {
        for (int j = 0; j < dim; ++j)
            rows[i * std::size_t(dim) + std::size_t(j)] = x[std::size_t(j) * stride + at[i]];
    }
};

/// The rows of the points at positions `at`, without padding.
template <class T, class P>
ArrayOn<P, T> rows_of(P& place, PreparedPoints<T, P> const& points, ArrayOn<P, pos_t> const& at) {
    auto rows = place.template buffer<T>(at.size() * std::size_t(points.dim));
    place.for_each(at.size(), GatherRows<T>{points.tree.x.data(), points.tree.stride, at.data(),
                                            points.dim, rows.data()});
    return rows;
}

/// Other points with a tree of their own, ready to meet those that are there: they have been brought into their unit.
/// @param known  of them
template <class T, class P>
PreparedPoints<T, P> prepare_others(P& place, PreparedPoints<T, P> const& points,
                                    PointsOn<T, P> const& others, KnownPoints<T> const& known) {
    Stats ignored;
    auto tree =
        Preparation<T, P>::build(place, others, points.tree.columns, points.options, ignored, known);
    return {std::move(tree),       points.dim,     points.period,
            Extent<T>(points.dim), points.options, points.unit};
}

/// A tree of the points at ascending positions `at` alone, in the same space; input row i of it is point at[i].
template <class T, class P>
PreparedPoints<T, P> prepare_some(P& place, PreparedPoints<T, P> const& points,
                                  ArrayOn<P, pos_t> const& at) {
    auto const rows = rows_of(place, points, at);
    return prepare_others(place, points, PointsOn<T, P>(rows.data(), at.size(), points.dim),
                          {.sorted = true});
}

}}}  // namespace zwalk::v0::detail
