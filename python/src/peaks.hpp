// Density peaks of points from any source, and cuts, on threads.
#pragma once
#include <nanobind/stl/vector.h>

#include <span>

#include "where.hpp"
#include "zwalk/peaks/peaks.hpp"

namespace zwalk::python {

template <class Source, class... Where>
struct Peaks {
    static constexpr char const* name = "density_peaks";

    /// (radius, delta, nearest denser point)
    static nb::tuple call(Source const& points, index_t k, Box const& box, Where const&... where) {
        PeaksOptions const o{.k = k, .box = box};
        auto r = call_at([](auto const&... a) { return density_peaks(a...); }, 1, points, o, where...);
        return nb::make_tuple(column(std::move(r.radius), where...),
                              column(std::move(r.delta), where...),
                              column(std::move(r.nearest_denser), where...));
    }
};

template <class T>
struct PeaksColumns {
    std::span<T const> radius, delta;
    std::span<index_t const> nearest_denser;
};

/// (labels, centres)
/// @param where  threads, here or on ranks
template <class T, class Where>
nb::tuple cut_peaks(Column<T> const& radius, Column<T> const& delta, Column<index_t> const& denser,
                    index_t clusters, double min_delta, double max_radius, Where const& where) {
    PeaksColumns<T> const graph{view(radius), view(delta), view(denser)};
    PeaksCut const cut{clusters, min_delta, max_radius};
    auto r = where.run(heavy(graph.radius.size()),
                       [&](auto const&... places) { return peaks_clusters(graph, cut, places...); });
    return nb::make_tuple(to_numpy(std::move(r.labels)), to_numpy(std::move(r.centres)));
}

}  // namespace zwalk::python
