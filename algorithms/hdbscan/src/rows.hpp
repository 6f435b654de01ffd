// Some of the rows of points.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The rows at these numbers, one after another.
template <class T, class I>
Buffer<T> rows_at(Points<T> points, std::span<I const> at) {
    auto const dim = std::size_t(points.dim);
    Buffer<T> rows(at.size() * dim);
    for (std::size_t i = 0; i < at.size(); ++i)
        std::copy_n(points.data + std::size_t(at[i]) * dim, dim, rows.data() + i * dim);
    return rows;
}

}}}  // namespace zwalk::v0::detail
