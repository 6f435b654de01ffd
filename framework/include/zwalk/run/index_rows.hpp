// The points of an index, as rows.
#pragma once
#include <cstddef>

#include "zwalk/core/buffer.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Shape (N, D), in the order of the index's input and in its unit of length; on the host.
template <class T, class P>
Buffer<T> rows_of_index(Index<T, P> const& index) {
    auto const& points = index.points();
    auto const dim = std::size_t(points.dim);
    auto const& tree = Preparation<T, P>::to_host(index.place(), points.tree);
    Buffer<T> rows(index.size() * dim);
    auto const write = [&](std::size_t i) {
        T* const row = rows.data() + tree.input[i] * dim;
        for (std::size_t j = 0; j < dim; ++j) row[j] = points.unit.out(tree.x[j * tree.stride + i]);
    };
    if constexpr (is_device<P>) Cpu().for_each(index.size(), write);
    else index.place().apart().for_each(index.size(), write);
    return rows;
}

}}}  // namespace zwalk::v0::detail
