// Which rank the bytes of a tree file belong to, and which one writes or reads them (ranks/rank_tree_file.hpp).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "zwalk/core/index.hpp"
#include "zwalk/tree/tree_checksum.hpp"
#include "zwalk/tree/tree_file.hpp"

namespace zwalk { inline namespace v0 {

/// What is where in a file, which rank it belongs to, and which one writes or reads it. The same on all ranks.
class TreeFileLayout {
  public:
    /// @param positions  of ranks, offsets
    TreeFileLayout(TreeHeader const& h, std::vector<std::uint64_t> const& positions, std::uint64_t piece)
        : ranks_(positions.size() - 1) {
        std::uint64_t at = 88 + 8 * (h.box.size() + h.nodes.size() + 1);
        array_.push_back(at);
        auto const spread = [&](std::size_t item_bytes) {
            for (std::size_t r = 0; r < ranks_; ++r)
                pieces_.push_back({at + positions[r] * item_bytes, r});
            array_.push_back(at += positions.back() * item_bytes);
        };
        for (int j = 0; j < h.dim; ++j) spread(h.item_bytes);
        spread(sizeof(pos_t));
        planes_ = at;
        for (std::size_t p = 0; p < h.nodes.size(); ++p)
            for (int arrays = p == 0 ? 1 : 2; arrays > 0; --arrays) {
                pieces_.push_back({at, 0});
                array_.push_back(at += (h.nodes[p] + 1) * sizeof(pos_t));
            }
        pieces_.push_back({at, 0});  // the end
        auto const each = (at / ranks_ / piece + 1) * piece;
        for (std::size_t r = 0; r <= ranks_; ++r)
            block_.push_back(r == ranks_ ? at : std::clamp(r * each, array_[0], at));
    }

    [[nodiscard]] std::uint64_t end() const { return block_.back(); }
    /// Where the block of rank r begins in the file: the bytes that it writes or reads.
    [[nodiscard]] std::uint64_t block(std::size_t r) const { return block_[r]; }
    [[nodiscard]] std::size_t block_bytes(std::size_t r) const { return block_[r + 1] - block_[r]; }

    /// How many bytes of what belongs to a rank, in the order of the file, go to ranks before each, and how many there are.
    [[nodiscard]] std::vector<std::uint64_t> bytes_of(std::size_t rank) const {
        std::vector<std::uint64_t> bytes(ranks_ + 1, 0);
        for (std::size_t r = 0; r < ranks_; ++r) {
            bytes[r + 1] = bytes[r];
            for_each_in_block(r, true, [&](std::size_t owner, std::uint64_t, std::uint64_t n) {
                if (owner == rank) bytes[r + 1] += n;
            });
        }
        return bytes;
    }
    /// f(owner, offset in the block, bytes) for what is in the block of a rank, in the order of the file; with or without planes.
    template <class F>
    void for_each_in_block(std::size_t rank, bool planes, F const& f) const {
        std::uint64_t const begin = block_[rank],
                            end = planes ? block_[rank + 1] : std::min(block_[rank + 1], planes_);
        auto const after = [](std::uint64_t at, Piece const& p) { return at < p.begin; };
        auto piece = std::upper_bound(pieces_.begin(), pieces_.end(), begin, after);
        if (piece != pieces_.begin()) --piece;
        for (; piece->begin < end; ++piece) {
            auto const from = std::max(begin, piece->begin), to = std::min(end, (piece + 1)->begin);
            if (from < to) f(piece->owner, from - begin, to - from);
        }
    }
    /// Goes on with the checksum over the block of a rank.
    [[nodiscard]] TreeChecksum add_block(std::size_t rank, std::byte const* bytes,
                                         TreeChecksum sum) const {
        std::uint64_t at = block_[rank];
        for (std::size_t a = 1; a < array_.size(); ++a) {
            auto const to = std::min(array_[a], block_[rank + 1]);
            if (to <= at) continue;
            sum.add(bytes + (at - block_[rank]), to - at);
            at = to;
            if (at == array_[a]) sum.end_array();
        }
        return sum;
    }

  private:
    struct Piece {
        std::uint64_t begin;  ///< in the file, to where the next one begins
        std::size_t owner;
    };
    std::size_t ranks_;
    std::vector<std::uint64_t> array_;  // where arrays begin, and the end
    std::vector<Piece> pieces_;
    std::uint64_t planes_ = 0;
    std::vector<std::uint64_t> block_;
};

}}  // namespace zwalk::v0
