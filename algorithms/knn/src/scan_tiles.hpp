// How a scan goes through its pairs: tiles of targets meet ranges of sources, block by block.
//
//   sources (rows)   | range                      | range ...       so many that all threads have work
//                    | block | block | ...                          64 rows, turned into columns that stay in the L1 cache
//   targets          | tile                       | tile ...        256 targets in columns, in the L2 cache
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/core/parallel.hpp"
#include "zwalk/core/points.hpp"
#include "zwalk/core/progress.hpp"
#include "zwalk/walk/all_pairs.hpp"
#include "zwalk/zorder/key.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

inline constexpr pos_t scan_tile =
    256;  ///< targets that meet a block of sources while it is in the cache
/// Fewer sources aren't worth a range of their own: all targets begin it without a bound.
inline constexpr std::size_t least_range = 1 << 13;
/// Blocks between two looks at an interrupt, some ms.
inline constexpr std::size_t scan_step = 64;

/// An order of the blocks of a range, in which those that come first are from all of it: rows may be sorted by where they lie, and in
/// their order each one would be nearer to some targets than all before. Some neighbours stay together, which a CPU fetches early.
class BlockOrder {
  public:
    explicit BlockOrder(std::size_t blocks)
        : together_(std::clamp<std::size_t>(blocks / 128, 1, 2)), groups_(blocks / together_) {
        // Multiples of the golden section fall evenly, however many there are.
        stride_ = std::size_t(double(groups_) * .6180339887498949) | 1;
        while (groups_ > 0 && std::gcd(stride_, groups_) != 1) stride_ += 2;
    }
    /// The block that is met as number i.
    [[nodiscard]] std::size_t operator[](std::size_t i) const {
        std::size_t const group = i / together_;
        return group < groups_ ? group * stride_ % groups_ * together_ + i % together_ : i;
    }

  private:
    std::size_t together_, groups_, stride_;
};

/// A tile of targets meets sources on one thread: as all_pairs(), but positions of sources are rows, those of targets their numbers in
/// the tile. Compiled once for all numbers of columns: AllPairs goes through those that there are.
template <class I, class Space>
class ScanTile {
    using T = typename I::real;
    static constexpr pos_t capacity = LeafTargets<I>::capacity;
    static constexpr std::size_t block = MeasuredBlock<T>::capacity;
    static constexpr std::size_t stride = scan_tile + column_padding;

  public:
    /// @param rows  of the targets, at most scan_tile
    ScanTile(I const& trait, Space const& space, Points<T> sources, Points<T> targets,
             std::span<pos_t const> rows)
        : trait_(trait),
          space_(space),
          sources_(sources),
          size_(pos_t(rows.size())),
          x_(I::dim * stride),
          block_(I::dim * block),
          targets_((rows.size() + capacity - 1) / capacity) {
        std::fill(x_.begin(), x_.end(), T(0));
        std::fill(block_.begin(), block_.end(), T(0));
        auto const dim = std::size_t(targets.dim);
        for (std::size_t q = 0; q < rows.size(); ++q)
            for (std::size_t j = 0; j < dim; ++j)
                x_[j * stride + q] = targets.data[std::size_t(rows[q]) * dim + j];
        std::size_t const bytes = scratch_bytes();
        scratch_.resize(targets_.size() * capacity * bytes / 8);
        for (std::size_t p = 0; p < targets_.size(); ++p) {
            points_.push_back(
                {{x_.data(), stride, size_}, {block_.data(), block, pos_t(block)}, {}, {}});
            points_[p].scratch =
                reinterpret_cast<unsigned char*>(scratch_.data()) + p * capacity * bytes;
            points_[p].scratch_stride = bytes;
            targets_[p] = std::make_unique<LeafTargets<I>>();
        }
    }

    /// Rows [begin, end) of the sources. A trait with `bool goes_on(std::size_t blocks, pos_t targets) const` is asked after each block,
    /// the number of which it gets: where it doesn't go on, folds don't end, and nothing of them may be used.
    /// @returns  pairs that have met
    std::size_t meet(std::size_t begin, std::size_t end) {
        each_part([&](auto&& pairs, pos_t first, pos_t last) { pairs.load(first, last); });
        std::size_t const blocks = (end - begin + block - 1) / block;
        BlockOrder const order(blocks);
        Progress::Loop const loop(blocks);
        std::size_t met = 0;
        if (blocks > 0)
            in_steps(0, blocks, scan_step, [&](std::size_t b, std::size_t e) {
                Progress::Piece piece(loop, e - b);
                for (; b < e && goes_on(b); ++b) {
                    std::size_t const first = begin + order[b] * block,
                                      last = std::min(end, first + block);
                    meet_block(first, last);
                    met += last - first;
                }
                piece.done();
            });
        if (goes_on(blocks)) each_part([](auto&& pairs, pos_t, pos_t) { pairs.finish(); });
        return met * size_;
    }

  private:
    [[nodiscard]] bool goes_on(std::size_t blocks) const {
        if constexpr (requires { trait_.goes_on(blocks, size_); }) return trait_.goes_on(blocks, size_);
        else return true;
    }
    [[nodiscard]] std::size_t scratch_bytes() const {
        if constexpr (I::uses.scratch) return (trait_.scratch_bytes() + 7) / 8 * 8;
        else return 0;
    }
    /// Rows [begin, end), at most a block.
    void meet_block(std::size_t begin, std::size_t end) {
        auto const dim = std::size_t(sources_.dim);
        T const* const rows = sources_.data + begin * dim;
        for (std::size_t i = 0; i < end - begin; ++i)
            for (std::size_t j = 0; j < dim; ++j) block_[j * block + i] = rows[i * dim + j];
        each_part([&](auto&& pairs, pos_t, pos_t) { pairs.meet(0, pos_t(end - begin), pos_t(begin)); });
    }
    /// f(pairs, first, last) for the targets in pieces that AllPairs takes.
    template <class F>
    void each_part(F const& f) {
        with_isa(best_isa(), [&]<Isa isa>() {
            for (std::size_t p = 0; p < targets_.size(); ++p)
                f(AllPairs<isa, I, Space>(trait_, space_, points_[p], sources_.dim, *targets_[p]),
                  pos_t(p * capacity), min_of(pos_t((p + 1) * capacity), size_));
        });
    }

    I const& trait_;
    Space const& space_;
    Points<T> sources_;
    pos_t size_;
    Buffer<T> x_;      ///< columns of the targets; those that the data hasn't are zero
    Buffer<T> block_;  ///< columns of the sources in hand
    std::vector<std::uint64_t> scratch_;
    std::vector<LeafPoints<I>> points_;
    std::vector<std::unique_ptr<LeafTargets<I>>> targets_;
};

/// Keeps the keys of the neighbours that a target has in a part of the sources.
template <class T>
struct KeysOfPart {
    Key<T>* keys;  ///< `most` for each target
    pos_t* count;
    pos_t most;

    template <class Target, class Found>
    ZWALK_INLINE void operator()(Target const& target, Found const& found) const {
        Key<T>* const to = keys + std::size_t(target.index) * most;
        for (pos_t i = 0; i < found.size(); ++i) to[i] = {found.d2(int(i)), found.position(int(i))};
        count[target.index] = found.size();
    }
};

/// All tiles and ranges of a scan.
template <class T>
class ScanTiles {
  public:
    /// @param rows   those targets that are scanned; must stay
    /// @param tasks  for which there is memory, each a tile and a range: ranges are as long as it takes
    /// @param least  rows of a range, if there are so many
    ScanTiles(Points<T> sources, Points<T> targets, std::span<pos_t const> rows, std::size_t threads,
              std::size_t tasks = std::size_t(-1), std::size_t least = least_range)
        : sources_(sources),
          targets_(targets),
          rows_(rows),
          tiles_((rows.size() + scan_tile - 1) / scan_tile) {
        std::size_t const wanted = threads > 1 ? 4 * threads : 1,
                          tiles = std::max<std::size_t>(1, tiles_);
        ranges_ = std::max<std::size_t>(
            1, std::min({(wanted + tiles - 1) / tiles, tasks / tiles, sources.size / least}));
    }

    [[nodiscard]] std::size_t ranges() const { return ranges_; }

    /// Every tile meets every range. Call inside Cpu::run.
    /// @param trait_for  trait_for(range, first) is the trait of a range and of the tile that begins with target number `first`
    /// @returns  pairs that have met
    template <class Space, class TraitFor>
    std::size_t meet(Space const& space, TraitFor const& trait_for) const {
        std::atomic<std::size_t> pairs{0};
        parallel_for(tiles_ * ranges_, 1, [&](std::size_t i, std::size_t last) {
            for (; i < last; ++i) {
                std::size_t const tile = i % tiles_ * scan_tile, range = i / tiles_;
                auto const trait = trait_for(range, pos_t(tile));
                auto const rows =
                    rows_.subspan(tile, std::min<std::size_t>(scan_tile, rows_.size() - tile));
                ScanTile one(trait, space, sources_, targets_, rows);
                pairs +=
                    one.meet(range * sources_.size / ranges_, (range + 1) * sources_.size / ranges_);
            }
        });
        return pairs;
    }

  private:
    Points<T> sources_, targets_;
    std::span<pos_t const> rows_;
    std::size_t tiles_, ranges_ = 1;
};

}}}  // namespace zwalk::v0::detail
