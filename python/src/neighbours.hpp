// Lists of neighbours as tuples of arrays.
#pragma once
#include "arrays.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/radius/radius.hpp"

namespace zwalk::python {

/// (distances, indices, row order or None, source order or None), of one process or of a rank.
template <class Found>
nb::tuple knn_tuple(Found&& r) {
    auto distances = to_numpy(std::move(r.distances), {r.rows, r.columns});
    auto indices = to_numpy(std::move(r.indices), {r.rows, r.columns});
    return nb::make_tuple(distances, indices, array_or_none(std::move(r.row_order)),
                          array_or_none(std::move(r.source_order)));
}

/// (offsets, indices, distances), the last one empty if it wasn't asked for; of one process or of a rank.
template <class Found>
nb::tuple radius_tuple(Found&& r) {
    auto offsets = to_numpy(std::move(r.offsets));
    auto indices = to_numpy(std::move(r.indices));
    return nb::make_tuple(offsets, indices, to_numpy(std::move(r.distances)));
}

}  // namespace zwalk::python
