// Points whose balls cross borders of pieces, as many as are in memory at a time.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/nearest/neighbours.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Each keeps the k smallest squared distances that it has met.
template <class T>
struct PieceGroup {
    std::size_t k;       ///< of each, itself included
    Buffer<T> x;         ///< coordinates
    Buffer<T> below;     ///< no larger squared distance is among the k smallest of all
    Buffer<pos_t> home;  ///< its piece
    Buffer<T> kept;      ///< ascending
    Buffer<pos_t> size;  ///< how many are kept

    PieceGroup(std::size_t points, std::size_t dim, std::size_t k_each)
        : k(k_each), x(points * dim), below(points), home(points), kept(points * k_each), size(points) {}

    /// Bytes of a point.
    static std::uint64_t bytes(std::uint64_t dim, std::uint64_t k, std::uint64_t item_bytes) {
        return (dim + 1 + k) * item_bytes + 2 * sizeof(pos_t);
    }

    /// Point i has met others: the k smallest of them, nearest first. O(k).
    void take(std::size_t i, Neighbours<T> const& others) {
        T* const own = kept.data() + i * k;
        // How many of either are among the k smallest.
        std::size_t a = 0, b = 0;
        std::size_t const have = size[i], met = std::size_t(others.size()),
                          all = std::min(k, have + met);
        while (a + b < all) {
            if (b == met || (a < have && own[a] <= others.scaled_distance2(int(b)))) ++a;
            else ++b;
        }
        for (std::size_t at = all; b > 0;) {
            bool const from_own = a > 0 && own[a - 1] > others.scaled_distance2(int(b - 1));
            own[--at] = from_own ? own[--a] : others.scaled_distance2(int(--b));
        }
        size[i] = pos_t(all);
        if (all == k) below[i] = std::min(below[i], own[k - 1]);
    }
};

}}}  // namespace zwalk::v0::detail
