// Density peaks, and cuts, on any place.
#pragma once
#include <optional>

#include "arrays.hpp"
#include "zwalk/peaks/peaks.hpp"

namespace zwalk::python {

/// (radius, delta, nearest denser point)
template <class Found>
nb::tuple peaks_tuple(Found&& r) {
    auto radius = to_numpy(std::move(r.radius)), delta = to_numpy(std::move(r.delta));
    return nb::make_tuple(radius, delta, to_numpy(std::move(r.nearest_denser)));
}
/// (labels, centres)
inline nb::tuple clusters_tuple(PeaksClusters&& r) {
    auto labels = to_numpy(std::move(r.labels));
    return nb::make_tuple(labels, to_numpy(std::move(r.centres)));
}

/// Columns as peaks_clusters() takes them.
template <class T>
struct PeaksColumns {
    std::span<T const> radius, delta;
    std::span<index_t const> nearest_denser;

    PeaksColumns(Column<T> const& r, Column<T> const& d, Column<index_t> const& denser)
        : radius(r.data(), r.shape(0)),
          delta(d.data(), d.shape(0)),
          nearest_denser(denser.data(), denser.shape(0)) {}
};

}  // namespace zwalk::python
