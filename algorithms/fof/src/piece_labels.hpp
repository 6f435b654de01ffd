// From labels by piece to labels in the order of the input.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "piece_fragments.hpp"
#include "zwalk/run/piece_file.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Records of a piece that are read front to back, some at a time.
class PieceReader {
  public:
    PieceReader(PieceFile const& file, std::size_t piece) : file_(&file), piece_(piece), some_(window) {}

    [[nodiscard]] bool at_end() const { return first_ + at_ == file_->size(piece_); }
    /// Not at the end.
    [[nodiscard]] index_t now() {
        if (at_ == read_) {
            first_ += read_;
            read_ = std::size_t(std::min<std::uint64_t>(window, file_->size(piece_) - first_));
            at_ = 0;
            file_->read(piece_, first_, read_, some_.data());
        }
        return some_[at_];
    }
    void next() { ++at_; }

  private:
    static constexpr std::size_t window = PieceFile::block_bytes / sizeof(index_t);

    PieceFile const* file_;
    std::size_t piece_, at_ = 0, read_ = 0;
    std::uint64_t first_ = 0;
    Buffer<index_t> some_;
};

/// Labels are put at a time so many.
inline constexpr std::uint64_t labels_at_once = std::uint64_t(1) << 20;

/// put(labels) of all points, some at a time. Rows of each piece ascend, so that each is read front to back.
/// @param labels  of the points whose `rows` are in the same places; ~i < 0: that of the group of fragment i
inline void give_labels(PieceFile const& rows, PieceFile const& labels, std::size_t pieces,
                        Fragments const& fragments,
                        std::function<void(std::span<index_t const>)> const& put) {
    std::vector<PieceReader> row, label;
    std::uint64_t points = 0;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        row.emplace_back(rows, piece);
        label.emplace_back(labels, piece);
        points += rows.size(piece);
    }
    Buffer<index_t> out(std::min(points, labels_at_once));
    for (std::uint64_t begin = 0; begin < points; begin += out.size()) {
        std::uint64_t const end = std::min<std::uint64_t>(points, begin + out.size());
        for (std::size_t piece = 0; piece < pieces; ++piece)
            for (; !row[piece].at_end() && std::uint64_t(row[piece].now()) < end; row[piece].next()) {
                index_t const found = label[piece].now();
                label[piece].next();
                out[std::uint64_t(row[piece].now()) - begin] =
                    found < 0 ? fragments.whole(std::size_t(~found)).label : found;
            }
        put({out.data(), std::size_t(end - begin)});
    }
}

}}}  // namespace zwalk::v0::detail
