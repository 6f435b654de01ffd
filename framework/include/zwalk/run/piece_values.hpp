// From one number per point, piece by piece, to the order of the input.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "zwalk/core/index.hpp"
#include "zwalk/run/piece_file.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Records of a piece that are read front to back, some at a time.
template <class V>
class PieceReader {
  public:
    PieceReader(PieceFile const& file, std::size_t piece) : file_(&file), piece_(piece), some_(window) {}

    [[nodiscard]] bool at_end() const { return first_ + at_ == file_->size(piece_); }
    /// Not at the end.
    [[nodiscard]] V now() {
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
    static constexpr std::size_t window = PieceFile::block_bytes / sizeof(V);

    PieceFile const* file_;
    std::size_t piece_, at_ = 0, read_ = 0;
    std::uint64_t first_ = 0;
    Buffer<V> some_;
};

/// So many numbers are given at a time.
inline constexpr std::uint64_t values_at_once = std::uint64_t(1) << 20;

/// Pieces of points: the rows of the input that they are, which ascend in each piece, and a number of each.
struct PieceValues {
    PieceFile const &rows, &values;
    std::size_t pieces;
};
/// put(numbers) of all points, in the order of the input and some at a time. Each piece is read front to back.
/// @param from      of which all together name each of `points` rows; of those that name it the last one counts
/// @param value_of  what is given for a number of the files, which is a V
template <class V, class ValueOf, class Put>
void give_in_order(std::span<PieceValues const> from, std::uint64_t points, ValueOf const& value_of,
                   Put const& put) {
    std::vector<PieceReader<index_t>> row;
    std::vector<PieceReader<V>> value;
    for (PieceValues const& some : from)
        for (std::size_t piece = 0; piece < some.pieces; ++piece) {
            row.emplace_back(some.rows, piece);
            value.emplace_back(some.values, piece);
        }
    Buffer<V> out(std::min(points, values_at_once));
    for (std::uint64_t begin = 0; begin < points; begin += out.size()) {
        std::uint64_t const end = std::min<std::uint64_t>(points, begin + out.size());
        for (std::size_t i = 0; i < row.size(); ++i)
            for (; !row[i].at_end() && std::uint64_t(row[i].now()) < end; row[i].next()) {
                out[std::uint64_t(row[i].now()) - begin] = value_of(value[i].now());
                value[i].next();
            }
        put(std::span<V>(out.data(), std::size_t(end - begin)));
    }
}

}}}  // namespace zwalk::v0::detail
