// Targets whose balls cross the borders of their pieces: on disk, by pieces.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "piece_group.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/run/piece_file.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class T>
class OpenPoints {
  public:
    OpenPoints(std::filesystem::path const& scratch, std::size_t pieces, std::size_t dim)
        : dim_(dim),
          x_(scratch, pieces, sizeof(T) * dim),
          row_(scratch, pieces, sizeof(index_t)),
          at_(scratch, pieces, sizeof(pos_t)),
          below_(scratch, pieces, sizeof(T)),
          value_(scratch, pieces, sizeof(T)) {}

    [[nodiscard]] std::uint64_t count() const { return count_; }
    /// Rows in the input, and the values of these, as far as they are known.
    [[nodiscard]] PieceFile const& rows() const { return row_; }
    [[nodiscard]] PieceFile const& values() const { return value_; }

    /// @param row    in the input
    /// @param at     in the piece
    /// @param below  all that other pieces may have of its k nearest is below this squared distance
    void add(std::size_t piece, T const* x, index_t row, pos_t at, T below) {
        x_.append(piece, x, 1);
        row_.append(piece, &row, 1);
        at_.append(piece, &at, 1);
        below_.append(piece, &below, 1);
        ++count_;
    }
    /// No more are added to this piece.
    void end(std::size_t piece) {
        for (PieceFile* file : {&x_, &row_, &at_, &below_}) file->end(piece);
    }

    /// The next ones, as many as the group has room for: so many must be left.
    void read_next(PieceGroup<T>& group) {
        std::size_t const size = group.size.size();
        for (std::size_t have = 0; have < size;) {
            std::uint64_t const left = row_.size(next_piece_) - next_;
            auto const some = std::size_t(std::min<std::uint64_t>(size - have, left));
            x_.read(next_piece_, next_, some, group.x.data() + have * dim_);
            at_.read(next_piece_, next_, some, group.row.data() + have);
            below_.read(next_piece_, next_, some, group.below.data() + have);
            std::fill_n(group.home.data() + have, some, pos_t(next_piece_));
            have += some, next_ += some;
            if (some == left) ++next_piece_, next_ = 0;
        }
    }
    /// Values of a group, in the order of groups.
    void add_values(PieceGroup<T> const& group, std::span<T const> values) {
        for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end) {
            while (end < values.size() && group.home[end] == group.home[begin]) ++end;
            pos_t const home = group.home[begin];
            value_.append(home, values.data() + begin, end - begin);
            // Groups go through pieces in their order: only the last one may have more to come, and a block in memory until then.
            if (value_.size(home) == row_.size(home)) value_.end(home);
        }
    }

  private:
    std::size_t dim_;
    PieceFile x_, row_, at_, below_, value_;
    std::uint64_t count_ = 0, next_ = 0;
    std::size_t next_piece_ = 0;
};

}}}  // namespace zwalk::v0::detail
