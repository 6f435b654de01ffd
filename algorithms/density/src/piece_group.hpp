// Points whose balls cross borders of pieces, as many as are in memory at a time.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/nearest/neighbours.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Each keeps the k smallest squared distances that it has met, and may keep the masses of these neighbours. Pieces come in the order of
/// the z-curve, so that of equal distances the first ones stay, as everywhere.
template <class T>
struct PieceGroup {
    static constexpr pos_t none = std::numeric_limits<pos_t>::max();

    std::size_t k;       ///< of each
    Buffer<T> x;         ///< coordinates
    Buffer<T> below;     ///< no larger squared distance is among the k smallest of all
    Buffer<pos_t> home;  ///< its piece
    Buffer<pos_t> row;   ///< where it is in that
    Buffer<T> kept;      ///< ascending
    Buffer<T> mass;      ///< of each that is kept; or empty
    Buffer<pos_t> size;  ///< how many are kept

    PieceGroup(std::size_t points, std::size_t dim, std::size_t k_each, bool masses = false)
        : k(k_each),
          x(points * dim),
          below(points),
          home(points),
          row(points),
          kept(points * k_each),
          mass(masses ? points * k_each : 0),
          size(points) {
        std::fill(size.begin(), size.end(), pos_t(0));
    }

    /// Bytes of a point.
    static std::uint64_t bytes(std::uint64_t dim, std::uint64_t k, std::uint64_t item_bytes,
                               bool masses) {
        return (dim + 1 + (masses ? 2 : 1) * k) * item_bytes + 3 * sizeof(pos_t);
    }

    /// Point i has met others of a piece, nearest first: all of them, or k, or one more if it may be among them. O(k).
    /// @param itself   its row in that piece, which isn't taken; or none
    /// @param mass_of  by rows of that piece
    void take(std::size_t i, Neighbours<T> const& others, pos_t itself = none,
              T const* mass_of = nullptr) {
        T* const own = kept.data() + i * k;
        T* const own_mass = mass.data() + (mass.empty() ? 0 : i * k);
        auto const found = std::size_t(others.size());
        std::size_t left_out = itself == none ? found : 0;  // it is at distance 0
        while (left_out < found && others.index(int(left_out)) != index_t(itself))
            left_out = others.scaled_distance2(int(left_out)) > 0 ? found : left_out + 1;
        auto const nth = [&](std::size_t b) { return int(b < left_out ? b : b + 1); };
        auto const other = [&](std::size_t b) { return others.scaled_distance2(nth(b)); };
        // How many of either are among the k smallest.
        std::size_t a = 0, b = 0;
        std::size_t const have = size[i], met = found - (left_out < found),
                          all = std::min(k, have + met);
        while (a + b < all) {
            if (b == met || (a < have && own[a] <= other(b))) ++a;
            else ++b;
        }
        for (std::size_t at = all; b > 0;) {
            bool const from_own = a > 0 && own[a - 1] > other(b - 1);
            --at, --(from_own ? a : b);
            own[at] = from_own ? own[a] : other(b);
            if (!mass.empty())
                own_mass[at] = from_own ? own_mass[a] : mass_of[std::size_t(others.index(nth(b)))];
        }
        size[i] = pos_t(all);
        if (all == k) below[i] = std::min(below[i], own[k - 1]);
    }
};

}}}  // namespace zwalk::v0::detail
