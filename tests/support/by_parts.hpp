// Numbers in memory as if they were read by parts.
#pragma once
#include <algorithm>

#include "zwalk/run/pieces.hpp"

namespace test {

/// Parts of `rows` rows each.
template <class T>
zwalk::RowSource<T> by_parts(T const* data, std::size_t n, int dim, std::size_t rows) {
    return {n, dim, (n + rows - 1) / rows, [=](std::uint64_t part) {
                std::size_t const begin = part * rows, count = std::min(n - begin, rows);
                zwalk::Buffer<T> some(count * std::size_t(dim));
                std::copy_n(data + begin * std::size_t(dim), some.size(), some.data());
                return some;
            }};
}

}  // namespace test
