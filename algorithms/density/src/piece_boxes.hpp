// Where the points of pieces are, so that most balls are known to hold none of a piece.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "zwalk/core/key.hpp"
#include "zwalk/core/space.hpp"
#include "zwalk/walk/bounds.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Boxes around the points of each piece: one around all, and one around each of some ranges of the z-order that it is cut into.
template <class T>
class PieceBoxes {
  public:
    static constexpr std::size_t parts = 16;  ///< ranges of a piece

    /// @param period  of checked_period()
    PieceBoxes(std::size_t pieces, std::size_t dim, std::vector<T> const& period)
        : dim_(dim),
          pieces_(pieces),
          lo_(pieces * (1 + parts) * dim, infinity<T>),
          hi_(lo_.size(), -infinity<T>) {
        for (std::size_t j = 0; j < dim; ++j)
            axes_.push_back({{period.empty() ? infinity<T> : period[j]}});
    }

    /// What they take of memory.
    static std::uint64_t bytes(std::size_t pieces, int dim, std::size_t item_bytes) {
        return std::uint64_t(2) * pieces * (1 + parts) * std::size_t(dim) * item_bytes;
    }
    /// A point of part `part` of all parts of all pieces.
    void add(std::size_t part, T const* x) {
        std::size_t const piece = part / parts;
        for (std::size_t const box : {piece * (1 + parts), piece + part + 1})
            for (std::size_t j = 0; j < dim_; ++j) {
                lo_[box * dim_ + j] = std::min(lo_[box * dim_ + j], x[j]);
                hi_[box * dim_ + j] = std::max(hi_[box * dim_ + j], x[j]);
            }
    }

    /// Whether points of a piece may have a squared distance below this from a point. O(dim), or O(parts dim).
    [[nodiscard]] bool meet(std::size_t piece, T const* x, T below) const {
        std::size_t const whole = piece * (1 + parts);
        if (!meets(whole, x, below)) return false;
        for (std::size_t box = whole + 1; box <= whole + parts; ++box)
            if (meets(box, x, below)) return true;
        return false;
    }
    [[nodiscard]] bool any_but(std::size_t piece, T const* x, T below) const {
        for (std::size_t other = 0; other < pieces_; ++other)
            if (other != piece && meet(other, x, below)) return true;
        return false;
    }

  private:
    /// By the expression of distances, axis by axis, so that the bound doesn't exceed any of them.
    [[nodiscard]] bool meets(std::size_t box, T const* x, T below) const {
        T const *const lo = lo_.data() + box * dim_, *const hi = hi_.data() + box * dim_;
        Range<T> range{0, 0};
        for (std::size_t j = 0; j < dim_; ++j) add_axis(axes_[j], 0, x[j], x[j], lo[j], hi[j], range);
        return range.lo2 < below;
    }

    std::size_t dim_, pieces_;
    std::vector<Periodic<1, T>> axes_;
    std::vector<T> lo_,
        hi_;  // of pieces, each in front of its parts; of no points infinity and -infinity
};

}}}  // namespace zwalk::v0::detail
