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

/// Boxes around the points of each piece, and of each of some ranges of the z-order that it is cut into; and a tree of boxes around pieces
/// that follow one another.
template <class T>
class PieceBoxes {
  public:
    static constexpr std::size_t parts = 16;  ///< ranges of a piece

    /// @param period  of checked_period()
    PieceBoxes(std::size_t pieces, std::size_t dim, std::vector<T> const& period)
        : dim_(dim),
          pieces_(pieces),
          lo_(boxes(pieces) * dim, infinity<T>),
          hi_(lo_.size(), -infinity<T>) {
        for (std::size_t j = 0; j < dim; ++j)
            axes_.push_back({{period.empty() ? infinity<T> : period[j]}});
    }

    /// What they take of memory.
    static std::uint64_t bytes(std::size_t pieces, int dim, std::size_t item_bytes) {
        return std::uint64_t(2) * boxes(pieces) * std::size_t(dim) * item_bytes;
    }
    /// A point of part `part` of all parts of all pieces.
    void add(std::size_t part, T const* x) {
        for (std::size_t j = 0; j < dim_; ++j) {
            lo_[part * dim_ + j] = std::min(lo_[part * dim_ + j], x[j]);
            hi_[part * dim_ + j] = std::max(hi_[part * dim_ + j], x[j]);
        }
    }
    /// All points are there, and can be asked for. O(pieces parts dim).
    void end() { unite(root()); }

    /// The first piece from `from` on, other than `but`, points of which may have a squared distance below this from a point; the number
    /// of pieces: there is none. O(dim (log(pieces) + parts)) where few boxes are met in vain, O(dim pieces parts) at most.
    [[nodiscard]] std::size_t first_met(std::size_t from, T const* x, T below,
                                        std::size_t but = std::size_t(-1)) const {
        return first_met(root(), {from, but, x, below});
    }

  private:
    /// Pieces [begin, end), whose box this is. Nodes are in preorder, behind all parts.
    struct Node {
        std::size_t box, begin, end;

        [[nodiscard]] bool is_piece() const { return end - begin == 1; }
        [[nodiscard]] std::size_t middle() const { return begin + (end - begin) / 2; }
        [[nodiscard]] Node left() const { return {box + 1, begin, middle()}; }
        [[nodiscard]] Node right() const { return {box + 2 * (middle() - begin), middle(), end}; }
    };
    struct Ball {
        std::size_t from, but;
        T const* x;
        T below;
    };
    static std::size_t boxes(std::size_t pieces) { return pieces * parts + 2 * pieces - 1; }
    [[nodiscard]] Node root() const { return {pieces_ * parts, 0, pieces_}; }

    void unite(Node node) {
        if (node.is_piece()) {
            for (std::size_t part = node.begin * parts; part < node.end * parts; ++part)
                take(node.box, part);
            return;
        }
        for (Node const child : {node.left(), node.right()}) {
            unite(child);
            take(node.box, child.box);
        }
    }
    void take(std::size_t box, std::size_t inner) {
        for (std::size_t j = 0; j < dim_; ++j) {
            lo_[box * dim_ + j] = std::min(lo_[box * dim_ + j], lo_[inner * dim_ + j]);
            hi_[box * dim_ + j] = std::max(hi_[box * dim_ + j], hi_[inner * dim_ + j]);
        }
    }
    [[nodiscard]] std::size_t first_met(Node node, Ball const& ball) const {
        if (node.end <= ball.from || !meets(node.box, ball.x, ball.below)) return pieces_;
        if (node.is_piece()) {
            std::size_t part = node.begin * parts;
            std::size_t const end = node.begin == ball.but ? part : part + parts;
            while (part < end && !meets(part, ball.x, ball.below)) ++part;
            return part < end ? node.begin : pieces_;
        }
        std::size_t const found = first_met(node.left(), ball);
        return found < pieces_ ? found : first_met(node.right(), ball);
    }
    /// By the expression of distances, axis by axis, so that the bound doesn't exceed any of them.
    [[nodiscard]] bool meets(std::size_t box, T const* x, T below) const {
        T const *const lo = lo_.data() + box * dim_, *const hi = hi_.data() + box * dim_;
        Range<T> range{0, 0};
        for (std::size_t j = 0; j < dim_; ++j) add_axis(axes_[j], 0, x[j], x[j], lo[j], hi[j], range);
        return range.lo2 < below;
    }

    std::size_t dim_, pieces_;
    std::vector<Periodic<1, T>> axes_;
    std::vector<T> lo_, hi_;  // of all parts, then of nodes; of no points infinity and -infinity
};

}}}  // namespace zwalk::v0::detail
