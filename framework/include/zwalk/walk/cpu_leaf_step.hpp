// Point meets point on a CPU thread: the leaf step in the form that a CPU wants.
//
// The points of one target leaf go through its list together, source leaf by source leaf. In ordered
// walks the nearest comes first, and lanes test all target points against a source leaf's box; for each
// target that needs the leaf, lanes then run over its points. The generic form, target points on lanes,
// is in walk/leaf_step.hpp.
#pragma once
#include <algorithm>
#include <bit>

#include "zwalk/exec/simd.hpp"
#include "zwalk/walk/cpu_node_step.hpp"
#include "zwalk/walk/leaf_step.hpp"
#include "zwalk/walk/source_block.hpp"

namespace zwalk::inline v0 {

/// The target points of a leaf step, in columns; part of a thread's workspace.
template <class I>
struct LeafTargets {
    using T = typename I::real;
    static constexpr pos_t capacity = 64;

    using Point = typename I::Point;
    using State = typename I::State;

    alignas(64) T x[I::dim][capacity];
    alignas(64) T horizon_d2[capacity];
    alignas(64) pos_t horizon_pos[capacity];
    typename I::Fold fold[capacity];
    pos_t begin = 0, size = 0;

    /// Nothing further away matters to any of the points.
    [[nodiscard]] ZWALK_INLINE T largest_horizon() const {
        return *std::max_element(horizon_d2, horizon_d2 + size);
    }

    /// Takes in points [first, end). Up to a multiple of `lanes` follow some that want nothing.
    ZWALK_INLINE void load(LeafPoints<I> const& points, pos_t first, pos_t end, pos_t lanes) {
        begin = first;
        size = end - first;
        for (int j = 0; j < I::dim; ++j) {
            T const* const column = points.targets.from(j, first);
            for (pos_t q = 0; q < size; ++q) x[j][q] = column[q];
        }
        for (pos_t q = size; q % lanes != 0; ++q) {
            for (int j = 0; j < I::dim; ++j) x[j][q] = 0;
            horizon_d2[q] = T(-1);
            horizon_pos[q] = 0;
        }
    }
    ZWALK_INLINE Point point(LeafPoints<I> const& points, pos_t q) const {
        Point p;
        for (int j = 0; j < I::dim; ++j) p.x[j] = x[j][q];
        p.index = begin + q;
        p.payload = points.target_payload[p.index];
        return p;
    }
    ZWALK_INLINE auto& begin_fold(I const& trait, LeafPoints<I> const& points, pos_t q,
                                  State const& state) {
        if constexpr (I::uses.scratch)
            fold[q] = trait.begin(point(points, q), state, points.scratch + q * points.scratch_stride);
        else fold[q] = trait.begin(point(points, q), state);
        return fold[q];
    }
    /// Asks the trait for the horizon of target q.
    ZWALK_INLINE void update(I const& trait, pos_t q) {
        if constexpr (I::uses.ordered) {
            Key<T> const h = trait.horizon(fold[q]);
            horizon_d2[q] = h.d2;
            horizon_pos[q] = h.pos;
        }
    }
    /// Target q meets source point i, whose squared distance is d2.
    template <class Space>
    ZWALK_INLINE void visit(I const& trait, Space const& space, LeafPoints<I> const& points, pos_t q,
                            pos_t i, T d2) {
        Point const p = point(points, q), s{points.sources.point(i), i, points.source_payload[i]};
        if constexpr (I::uses.displacement)
            trait.visit(fold[q], p, s, d2, displacement(space, p.x, s.x));
        else trait.visit(fold[q], p, s, d2);
    }
};

/// What a thread keeps for leaf steps.
template <class T>
struct LeafRoom {
    CandidateList<T> candidates;
    std::vector<Entry<T>> order;
    T guess = infinity<T>;  ///< uses.guess: a horizon that is likely to be enough; infinite: none
};

/// One target leaf (or a piece of it, of at most LeafTargets::capacity points) and its list.
template <Isa isa, class I, class Space>
class CpuLeaf {
    using T = typename I::real;
    using Point = typename I::Point;
    static constexpr pos_t W = simd_width<T>;
    /// Some 30 are usual in three dimensions. From here on their number is worth a fold.
    static constexpr std::size_t many_candidates = 64;

  public:
    ZWALK_INLINE CpuLeaf(Step<I, Space> const& step, LeafPoints<I> const& points, LeafTargets<I>& target)
        : step_(step), points_(points), target_(target) {}

    /// @param list   in any order
    /// @param order  room for the list
    ZWALK_INLINE void run(pos_t begin, pos_t end, typename I::State const& state, ListView<T> list,
                          Entry<T>* order, FarChain<I> const& far) {
        load(begin, end, state, far);
        if constexpr (I::uses.ordered) {
            if (list.size > 0) visit_nearest_first(list, order);
        } else {
            for (size_type e = 0; e < list.size; ++e) visit_leaf(list.entries[e]);
        }
        finish();
    }

    /// The same from the list of the leaf's parent: bounds of points are at hand before the leaf's own list
    /// is made, so that few sources can still matter to it. They are what the leaf's own points give, where
    /// targets and sources are one hierarchy (`self`: the leaf as a source), or a guess (uses.guess): what was
    /// enough for the targets before. Targets for which it is not start again without it.
    ZWALK_INLINE void run_from_parent(pos_t leaf, pos_t self, pos_t begin, pos_t end,
                                      ListView<T> parent_list, LeafRoom<T>& room, WalkCounts& counts) {
        load(begin, end, {}, {});
        if constexpr (I::uses.guess) {
            bool const guessed = room.guess < infinity<T>;
            if (guessed) assume(room.guess);
            visit_sources(leaf, self, parent_list, room, counts);
            if (guessed && start_again(counts)) visit_sources(leaf, self, parent_list, room, counts);
            finish();
            learn(room.guess);
        } else {
            visit_sources(leaf, self, parent_list, room, counts);
            finish();
        }
    }

  private:
    ZWALK_INLINE void finish() {
        for (pos_t q = 0; q < target_.size; ++q) step_.trait.end(target_.fold[q], point(q));
    }
    /// Shows the targets all sources among the children of the parent's list that may matter to them.
    ZWALK_INLINE void visit_sources(pos_t leaf, pos_t self, ListView<T> parent_list, LeafRoom<T>& room,
                                    WalkCounts& counts) {
        typename I::Node target = node_view<I>(step_.space, step_.targets, leaf);
        if constexpr (I::uses.summary) target.summary = step_.target_summary[leaf];
        if (self != no_pos) {
            Range<T> const within{0, target.diag2};
            if (step_.trait.decide(target, source_view(step_, self), within) == Decision::descend)
                visit_leaf({self, T(0)});
        }
        target.reach = {target_.largest_horizon(), no_pos};
        bool const bounded = target.reach < Key<T>{};
        collect_candidates<isa>(step_, target, parent_list, room.candidates, !bounded);
        // A guess from a sparse region is of no use in a dense one: FindRmax is.
        if (I::uses.guess && target.reach.d2 == room.guess && room.candidates.size > many_candidates)
            collect_candidates<isa>(step_, target, parent_list, room.candidates);
        make_room(room.order, 2 * room.candidates.size + 1);
        Entry<T>* const list = room.order.data();
        Sink<I> nowhere{};
        std::size_t listed =
            decide_candidates(step_, target, room.candidates, nullptr, nowhere, list, nullptr);
        counts.node_entries += listed;
        counts.leaf_entries += listed;
        if (self != no_pos)
            listed = std::size_t(std::remove_if(list, list + listed,
                                                [&](Entry<T> const& e) { return e.source == self; }) -
                                 list);
        if (self != no_pos) visit_in_order(list, list + listed);
        else if (listed > 0) visit_nearest_first({list, listed}, list + listed);
    }

    /// Starts with horizons of d2, right or not.
    ZWALK_INLINE void assume(T d2) {
        for (pos_t q = 0; q < target_.size; ++q) {
            step_.trait.assume(target_.fold[q], d2);
            update(q);
        }
    }
    /// Begins again the targets that found too little within the horizon assumed; the others want nothing
    /// more. False: there are none.
    ZWALK_INLINE bool start_again(WalkCounts& counts) {
        pos_t again = 0;
        for (pos_t q = 0; q < target_.size; ++q) {
            if (step_.trait.is_short(target_.fold[q])) {
                target_.begin_fold(step_.trait, points_, q, {});
                update(q);
                ++again;
            } else {
                target_.horizon_d2[q] = T(-1);
            }
        }
        counts.started_again += again;
        return again > 0;
    }
    /// What was enough for these targets, and a little more, will do for most of the next ones. Too large a
    /// guess costs less than one too small.
    ZWALK_INLINE void learn(T& guess) const {
        constexpr T margin = T(1.25), memory = T(0.75);
        T largest = guess < infinity<T> ? guess * memory : T(0);
        for (pos_t q = 0; q < target_.size; ++q)
            largest = max_of(largest, margin * step_.trait.enough(target_.fold[q]));
        guess = largest;
    }

    ZWALK_INLINE void visit_in_order(Entry<T>* begin, Entry<T>* end) {
        sort_entries(begin, end);
        for (Entry<T>* e = begin; e < end; ++e)
            if (!visit_leaf(*e)) break;
    }
    ZWALK_INLINE void visit_nearest_first(ListView<T> list, Entry<T>* order) {
        // The nearest leaf, most often the target itself, gives bounds that most of the list is
        // behind: that part need not be sorted.
        Entry<T> const* const end = list.entries + list.size;
        Entry<T> const* const nearest = std::min_element(list.entries, end, EntryOrder<T>{});
        visit_leaf(*nearest);
        T const bound = target_.largest_horizon();
        std::size_t n = 0;
        for (Entry<T> const* e = list.entries; e < end; ++e) {
            order[n] = *e;
            n += std::size_t((e->lo2 <= bound) & (e != nearest));
        }
        visit_in_order(order, order + n);
    }

    ZWALK_INLINE Point point(pos_t q) const { return target_.point(points_, q); }
    ZWALK_INLINE void update(pos_t q) { target_.update(step_.trait, q); }

    ZWALK_INLINE void load(pos_t begin, pos_t end, typename I::State const& state,
                           FarChain<I> const& far) {
        target_.load(points_, begin, end, W);
        for (pos_t q = 0; q < target_.size; ++q) {
            auto& fold = target_.begin_fold(step_.trait, points_, q, state);
            if constexpr (I::uses.far)
                for (int f = 0; f < far.size; ++f)
                    for (size_type e = 0; e < far.level[f].list.size; ++e)
                        step_.trait.far(fold, point(q),
                                        far.level[f].summary[far.level[f].list.entries[e].source],
                                        step_.space);
            update(q);
        }
    }

    /// Shows a source leaf to every target point that needs it. False: it is too far for all of them.
    ZWALK_INLINE bool visit_leaf(Entry<T> entry) {
        pos_t const s = entry.source;
        pos_t const first = step_.sources.first[s], last = step_.sources.first[s + 1];
        bool within = false;
        for (pos_t q0 = 0; q0 < target_.size; q0 += W) {
            std::uint32_t wanted = lanes_below(target_.size - q0, W);
            if constexpr (I::uses.ordered) {
                if (Simd<isa>::at_least(target_.horizon_d2 + q0, entry.lo2) == 0) continue;
                wanted = lanes_that_need(s, first, q0);
            }
            within = true;
            for (; wanted != 0; wanted &= wanted - 1) {
                pos_t const q = q0 + pos_t(std::countr_zero(wanted));
                for (pos_t c = first; c < last; c += SourceBlock<Space>::capacity)
                    visit_block(q, c, min_of(pos_t(last - c), SourceBlock<Space>::capacity));
                update(q);
            }
        }
        return within;
    }

    /// Lanes from q0 on whose horizon the leaf's box isn't behind. The trait's own metric isn't asked
    /// here; it can only be larger.
    ZWALK_INLINE std::uint32_t lanes_that_need(pos_t s, pos_t first, pos_t q0) const {
        alignas(64) T lo2[W];
        block_box_distances(
            step_.space, step_.sources, s, [&](int j) { return target_.x[j] + q0; }, lo2);
        // At equal distance the first position decides (promise 3).
        alignas(64) T limit[W];
        T const* const d2 = target_.horizon_d2 + q0;
        pos_t const* const pos = target_.horizon_pos + q0;
        ZWALK_SIMD_LOOP
        for (int l = 0; l < int(W); ++l)
            limit[l] = ((lo2[l] == d2[l]) & (first > pos[l])) ? T(-1) : d2[l];
        return Simd<isa>::at_most(lo2, limit);
    }

    ZWALK_INLINE void visit_block(pos_t q, pos_t first, pos_t count) {
        I const& trait = step_.trait;
        Point const p = point(q);
        SourceBlock<Space> const block{first, count, step_.space, points_.sources, p.x};
        if constexpr (I::uses.blocks) {
            trait.template visit_block<isa>(target_.fold[q], p, block);
        } else {
            for (pos_t c = 0; c < count; c += W) {
                alignas(64) T d2[W];
                block.distances(c, d2);
                std::uint32_t wanted = block.lanes(c);
                if constexpr (I::uses.ordered) wanted &= Simd<isa>::at_most(d2, target_.horizon_d2[q]);
                for (; wanted != 0; wanted &= wanted - 1) {
                    int const l = std::countr_zero(wanted);
                    target_.visit(trait, step_.space, points_, q, first + c + pos_t(l), d2[l]);
                }
            }
        }
    }

    Step<I, Space> const& step_;
    LeafPoints<I> const& points_;
    LeafTargets<I>& target_;
};

}  // namespace zwalk::inline v0
