// The points of an index, as rows.
#pragma once
#include <cstddef>

#include "zwalk/core/buffer.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Shape (N, D), in the order of the index's input and in its unit of length.
template <class T>
Buffer<T> rows_of_index(Index<T> const& index) {
    auto const& points = index.points();
    auto const dim = std::size_t(points.dim);
    Buffer<T> rows(index.size() * dim);
    index.place().apart().for_each(index.size(), [&](std::size_t i) {
        T* const row = rows.data() + points.tree.input[i] * dim;
        for (std::size_t j = 0; j < dim; ++j)
            row[j] = points.unit.out(points.tree.x[j * points.tree.stride + i]);
    });
    return rows;
}

}}}  // namespace zwalk::v0::detail
