// The target points of a CPU thread's leaf step.
#pragma once
#include <algorithm>
#include <type_traits>

#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/detail/cpu_lanes.hpp"
#include "zwalk/walk/detail/leaf_step.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// Target points in columns; part of a thread's workspace.
template <class I>
struct LeafTargets {
    using T = typename I::real;
    static constexpr pos_t capacity = 64;

    using Target = typename I::Target;
    using State = typename I::State;

    /// Whether points that need nothing are left out.
    static constexpr bool selects = I::uses.idle && I::uses.ordered && !I::uses.far;

    alignas(64) T x[I::dim][capacity];
    alignas(64) T horizon_d2[capacity];
    alignas(64) pos_t horizon_pos[capacity];
    pos_t selected[selects ? capacity : 1];  ///< positions, of points that were selected
    detail::FoldOf<I> fold[capacity];
    pos_t begin = 0, size = 0;
    Box<I::dim, T> box;  ///< tuning.sift: that of the points
    std::conditional_t<I::uses.lanes, LaneSources<I>, Empty> sources;  ///< room for those that they meet

    /// Nothing further away matters to any of the points.
    [[nodiscard]] ZWALK_CPU_INLINE T largest_horizon() const {
        return *std::max_element(horizon_d2, horizon_d2 + size);
    }
    [[nodiscard]] ZWALK_CPU_INLINE pos_t position(pos_t q) const {
        if constexpr (selects) return selected[q];
        else return begin + q;
    }

    /// Takes in points [first, end).
    ZWALK_CPU_INLINE void load(LeafPoints<I> const& points, pos_t first, pos_t end) requires(!selects) {
        begin = first;
        size = end - first;
        for (int j = 0; j < I::dim; ++j) {
            T const* const column = points.targets.from(j, first);
            for (pos_t q = 0; q < size; ++q) x[j][q] = column[q];
        }
    }
    /// Takes in point i, if it needs anything. False: it can't be together with those that are here.
    template <class Space, class Sink>
    ZWALK_CPU_INLINE bool offer(I const& trait, Space const& space, LeafPoints<I> const& points, pos_t i,
                                State const& state, Sink& sink) requires selects {
        selected[size] = i;
        for (int j = 0; j < I::dim; ++j) x[j][size] = points.targets.from(j, i)[0];
        begin_fold(trait, points, size, state);
        update(trait, size);
        if (horizon_d2[size] < 0) {
            end_fold(trait, space, fold[size], point(points, size), sink);
            return true;
        }
        if constexpr (tuning_of<I>.sift)
            if (size > 0 && !trait.alike(fold[0], fold[size])) return false;
        ++size;
        return true;
    }
    ZWALK_CPU_INLINE void set_box() {
        for (int j = 0; j < I::dim; ++j) {
            T lo = infinity<T>, hi = -infinity<T>;
            for (pos_t q = 0; q < size; ++q) {
                lo = min_of(lo, x[j][q]);
                hi = max_of(hi, x[j][q]);
            }
            box.lo[j] = lo;
            box.hi[j] = hi;
        }
    }
    /// Adds targets that need nothing, up to a multiple of `lanes`.
    ZWALK_CPU_INLINE void pad(pos_t lanes) {
        for (pos_t q = size; q % lanes != 0; ++q) {
            for (int j = 0; j < I::dim; ++j) x[j][q] = 0;
            horizon_d2[q] = T(-1);
            horizon_pos[q] = 0;
        }
    }
    ZWALK_CPU_INLINE Target point(LeafPoints<I> const& points, pos_t q) const {
        return points.target(position(q), [&](int j) { return x[j][q]; });
    }
    ZWALK_CPU_INLINE auto& begin_fold(I const& trait, LeafPoints<I> const& points, pos_t q,
                                      State const& state) {
        if constexpr (I::uses.scratch)
            fold[q] = trait.begin(point(points, q), state, points.scratch + q * points.scratch_stride);
        else fold[q] = trait.begin(point(points, q), state);
        if constexpr (has_bound<I> && I::uses.cutoff) {
            horizon_d2[q] = cutoff_of(trait, point(points, q));
            horizon_pos[q] = no_pos;
        }
        return fold[q];
    }
    /// Gets the horizon of target q from the trait.
    ZWALK_CPU_INLINE void update(I const& trait, pos_t q) {
        if constexpr (I::uses.ordered) {
            Key<T> const h = trait.horizon(fold[q]);
            horizon_d2[q] = h.d2;
            horizon_pos[q] = h.pos;
        }
    }
    /// Target q meets source point i, whose squared distance is d2.
    template <class Space>
    ZWALK_CPU_INLINE void visit(I const& trait, Space const& space, LeafPoints<I> const& points, pos_t q,
                                pos_t i, T d2) {
        Target const p = point(points, q);
        typename I::Point const s{points.sources.point(i), i, points.source_payload[i]};
        meet_source(trait, space, fold[q], p, s, d2);
    }
};

}}  // namespace zwalk::v0
