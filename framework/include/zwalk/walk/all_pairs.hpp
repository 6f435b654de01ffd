// Every target point meets every source point: the walk whose every decision is `descend`, without
// a tree. Where no box can be left out, as among scattered points in many dimensions, this is the
// fastest way through the pairs.
//
//   sources   | block | block | block | ...          64 points: their columns stay in the L1 cache
//   targets   | group | group | ...                  4 or 8 points: one load of a source value and
//                                                    all of them have used it
//
// A thread takes up to 64 targets through all blocks, one group after the other inside each block.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "zwalk/core/bits.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/walk/check.hpp"
#include "zwalk/walk/detail/cpu_leaf_step.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// What visit_block sees in all_pairs in the place of a SourceBlock: points first, first + 1, ...,
/// first + count - 1 of the sources, with their distances to one target.
template <class T>
struct MeasuredBlock {
    static constexpr int width = simd_width<T>;
    static constexpr pos_t capacity = 64;  ///< largest count, and number of distances

    pos_t first;
    pos_t count;
    T const* d2;

    /// Squared distances to points first + c + l, for all lanes l of a SIMD block, as in SourceBlock.
    ZWALK_INLINE void distances(pos_t c, T* out) const {
        ZWALK_SIMD_LOOP
        for (int l = 0; l < width; ++l) out[l] = d2[int(c) + l];
    }
    /// Bits of all points.
    [[nodiscard]] ZWALK_INLINE std::uint64_t points() const {
        return ~std::uint64_t(0) >> (capacity - count);
    }
    [[nodiscard]] ZWALK_INLINE std::uint32_t lanes(pos_t c) const {
        return lanes_below(count - c, width);
    }
};

namespace detail {

/// At most LeafTargets::capacity target points and all sources, on one thread.
template <Isa isa, class I, class Space>
class AllPairs {
    using T = typename I::real;
    using Block = MeasuredBlock<T>;
    static constexpr pos_t W = simd_width<T>;

  public:
    /// Targets per pass over a block: as many as there are registers for their sums.
    static constexpr pos_t group = isa == Isa::avx512 ? 8 : 4;

    ZWALK_INLINE AllPairs(I const& trait, Space const& space, LeafPoints<I> const& points, int axes,
                          LeafTargets<I>& target)
        : trait_(trait), space_(space), points_(points), axes_(axes), target_(target) {}

    /// Takes targets [begin, end) through all sources, from `start` to the last and from the first
    /// to `start`.
    ZWALK_INLINE void run(pos_t begin, pos_t end, pos_t start) {
        load(begin, end);
        meet(start, points_.sources.size);
        meet(0, start);
        finish();
    }

    // The same in steps: sources may come in parts, each of which takes the place of the one before in the columns of `points`.

    ZWALK_INLINE void load(pos_t begin, pos_t end) {
        target_.load(points_, begin, end);
        target_.pad(group);
        for (pos_t q = 0; q < target_.size; ++q) {
            target_.begin_fold(trait_, points_, q, {});
            target_.update(trait_, q);
        }
    }

    /// Takes the targets through sources [first, last) of the columns.
    /// @param shift  added to positions there: where the columns begin among all sources
    ZWALK_INLINE void meet(pos_t first, pos_t last, pos_t shift = 0) {
        alignas(64) T d2[group][Block::capacity];
        for (pos_t s = first; s < last; s += Block::capacity) {
            pos_t const count = min_of(pos_t(last - s), Block::capacity);
            for (pos_t q0 = 0; q0 < target_.size; q0 += group) {
                measure(q0, s, d2);
                for (pos_t q = q0; q < min_of(pos_t(q0 + group), target_.size); ++q)
                    visit(q, {shift + s, count, d2[q - q0]});
            }
        }
    }
    ZWALK_INLINE void finish() {
        Sink<I> nowhere{};
        for (pos_t q = 0; q < target_.size; ++q)
            end_fold(trait_, space_, target_.fold[q], target_.point(points_, q), nowhere);
    }

  private:
    /// Squared distances of the targets from q0 on to the sources from `first` on: the expression of
    /// core/space.hpp without its last terms, which are zero.
    ZWALK_INLINE void measure(pos_t q0, pos_t first, T (*d2)[Block::capacity]) const {
        for (int c = 0; c < int(Block::capacity); c += int(W)) {
            alignas(64) T sum[group][W] = {};
            for (int j = 0; j < axes_; ++j) {
                T const* const column = points_.sources.from(j, first) + c;
                T const* const x = target_.x[j] + q0;
                ZWALK_AXES_LOOP
                for (pos_t q = 0; q < group; ++q) {
                    T const at = x[q];
                    ZWALK_SIMD_LOOP
                    for (int l = 0; l < int(W); ++l) {
                        T const dx = space_.axis_up_to_sign(j, column[l] - at);
                        sum[q][l] = std::fma(dx, dx, sum[q][l]);
                    }
                }
            }
            for (pos_t q = 0; q < group; ++q) {
                ZWALK_SIMD_LOOP
                for (int l = 0; l < int(W); ++l) d2[q][c + l] = sum[q][l];
            }
        }
    }

    ZWALK_INLINE void visit(pos_t q, Block const& block) {
        if constexpr (tuning_of<I>.blocks) {
            std::uint32_t wanted = 0;
            for (pos_t c = 0; c < Block::capacity; c += W)
                wanted |= Simd<isa>::at_most(block.d2 + c, target_.horizon_d2[q]);
            if (wanted == 0) return;
            trait_.template visit_block<isa>(target_.fold[q], target_.point(points_, q), block);
        } else {
            for (pos_t c = 0; c < block.count; c += W) {
                std::uint32_t wanted = block.lanes(c);
                if constexpr (has_bound<I>)
                    wanted &= Simd<isa>::at_most(block.d2 + c, target_.horizon_d2[q]);
                for (; wanted != 0; wanted &= wanted - 1) {
                    pos_t const l = c + pos_t(trailing_zeros(wanted));
                    target_.visit(trait_, space_, points_, q, block.first + l, block.d2[l]);
                }
            }
        }
        target_.update(trait_, q);
    }

    I const& trait_;
    Space const& space_;
    LeafPoints<I> const& points_;
    int axes_;
    LeafTargets<I>& target_;
};

}  // namespace detail

/// begin, visit (or visit_block) and end of a trait for every target point and every source point:
/// what walk() does if decide() never discards, in another order. `decide`, `reach` and `metric` are
/// not called; the horizon of ordered traits is. Traits that are symmetric or hand state down the
/// tree have no such form.
///
/// Sources are met from the same fraction of the z-order on, so that in self queries the
/// neighbourhood comes first and horizons are small soon. Results are the same for every number of
/// threads, as in walk(). O(targets * sources * axes). Call inside Cpu::run.
///
/// @param points  columns of both roles, their payloads and the first target; scratch is set here
/// @param axes    axes from here on are zero for all points (padding), and are left out
/// @param last    targets are those at positions before it
template <class I, class Space>
void all_pairs(I const& trait, Space const& space, LeafPoints<I> points, int axes = I::dim,
               Isa isa = best_isa(), pos_t last = no_pos) {
    static_assert(
        !I::uses.symmetric && !I::uses.state && !I::uses.total,
        "zwalk: all_pairs has no tree for uses.state, no pairs for uses.symmetric, and no total.");
    static_assert(
        !LeafTargets<I>::selects,
        "zwalk: all_pairs leaves out no target, so uses.idle with uses.ordered has no place there.");
    if constexpr (check_interaction<I>()) {
        constexpr pos_t capacity = LeafTargets<I>::capacity, grain = 8;
        if constexpr (I::uses.scratch) points.scratch_stride = (trait.scratch_bytes() + 7) / 8 * 8;
        pos_t const first = points.first_target, n = min_of(last, points.targets.size) - first;
        parallel_for((n + grain - 1) / grain, 1, [&](std::size_t b, std::size_t e) {
            auto const target = std::make_unique<LeafTargets<I>>();
            std::vector<std::uint64_t> scratch(capacity * points.scratch_stride / 8);
            LeafPoints<I> own = points;
            own.scratch = reinterpret_cast<unsigned char*>(scratch.data());
            pos_t const end = first + min_of(pos_t(e * grain), n);
            for (pos_t t = first + pos_t(b * grain); t < end; t += capacity) {
                pos_t const start = pos_t(size_type(t) * points.sources.size / points.targets.size);
                with_isa(isa, [&]<Isa i>() {
                    detail::AllPairs<i, I, Space>(trait, space, own, axes, *target)
                        .run(t, min_of(pos_t(t + capacity), end), start);
                });
            }
        });
    }
}

}}  // namespace zwalk::v0
