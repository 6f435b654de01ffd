// Neighbours into arrays of the caller's, with indices of the caller's type.
#pragma once
#include <algorithm>

#include "zwalk/core/index.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/nearest/neighbours.hpp"

namespace zwalk { inline namespace v0 {

/// For knn_visit() on threads: rows as a KnnResult has them, into memory that is there already. With 32 bits for an index a row of
/// floats takes two thirds of its bytes, of which most are written only once and never were in a cache.
///
///     knn_visit(points, WriteRows<float, std::uint32_t>{distances.data(), indices.data(), k}, {.k = k});
///
/// @tparam I  holds each row of the sources, and I(-1), which stands for none
template <class T, class I = index_t>
struct WriteRows {
    T* distances;  ///< of shape (rows, k)
    I* indices;    ///< of shape (rows, k)
    index_t k;     ///< that of the search

    void operator()(index_t row, Neighbours<T> const& found) const {
        T* const d = distances + row * k;
        I* const i = indices + row * k;
        index_t const n = found.size();
        for (index_t j = 0; j < n; ++j) d[j] = found.distance(int(j));
        for (index_t j = 0; j < n; ++j) i[j] = I(found.index(int(j)));
        std::fill(d + n, d + k, infinity<T>);
        std::fill(i + n, i + k, I(-1));
    }
};

}}  // namespace zwalk::v0
