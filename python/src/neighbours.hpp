// Neighbours of points from any source: the nearest, and those within a radius.
#pragma once
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <variant>

#include "where.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/radius/radius.hpp"

namespace zwalk::python {

inline KnnOptions knn_options(index_t k, bool exclude_self, double within, Box const& box,
                              bool z = false) {
    return {.k = k, .exclude_self = exclude_self, .within = within, .box = box, .order = order_of(z)};
}
inline std::size_t results_of_row(KnnOptions const& o) { return std::size_t(std::max<index_t>(o.k, 1)); }

template <class Source, class... Where>
struct Knn {
    static constexpr char const* name = "knn";

    /// (distances, indices, row order or None, source order or None)
    static nb::tuple call(Source const& points, Others<Source> const& queries, index_t k,
                          bool exclude_self, double within, Box const& box, bool z,
                          Where const&... where) {
        KnnOptions const o = knn_options(k, exclude_self, within, box, z);
        auto r = call_with([](auto const&... a) { return knn(a...); }, results_of_row(o), points,
                           queries, o, where...);
        return nb::make_tuple(array(std::move(r.distances), {r.rows, r.columns}, where...),
                              array(std::move(r.indices), {r.rows, r.columns}, where...),
                              column_or_none(std::move(r.row_order), where...),
                              column_or_none(std::move(r.source_order), where...));
    }
};

/// One for all, or one for each target. Arrays, also of one element, are no numbers as long as nothing is converted, which is tried first;
/// and to find out that a number is no array takes longer than to search with it.
using Radius = std::variant<double, Column<double>>;

inline void set_radius(Radius const& radius, RadiusOptions& o) {
    if (auto const* one = std::get_if<double>(&radius)) o.radius = *one;
    else o.radii = view(std::get<Column<double>>(radius));
}

template <bool lists, class Source, class... Where>
struct WithinRadius {
    static constexpr char const* name = lists ? "radius" : "radius_count";

    /// (offsets, indices, distances), the last one empty if it wasn't asked for; or counts.
    static nb::object call(Source const& points, Others<Source> const& queries, Radius const& radius,
                           bool larger, bool exclude_self, bool distances, Box const& box, bool images,
                           Where const&... where) {
        RadiusOptions o{.larger = larger,
                        .exclude_self = exclude_self,
                        .distances = distances,
                        .box = box,
                        .images = images};
        set_radius(radius, o);
        auto r = call_with(
            [](auto const&... a) {
                if constexpr (lists) return radius_search(a...);
                else return radius_count(a...);
            },
            8, points, queries, o, where...);
        if constexpr (lists)
            return nb::make_tuple(column(std::move(r.offsets), where...),
                                  column(std::move(r.indices), where...),
                                  column(std::move(r.distances), where...));
        else return column(std::move(r.counts), where...);
    }
};
template <class Source, class... Where>
using RadiusLists = WithinRadius<true, Source, Where...>;
template <class Source, class... Where>
using RadiusCounts = WithinRadius<false, Source, Where...>;

}  // namespace zwalk::python
