// Point meets point on a CPU thread: the leaf step in the form that suits a CPU.
//
// The points of one target leaf go through its list together, source leaf by source leaf. In ordered
// walks the nearest comes first, and lanes test all target points against a source leaf's box; for each
// target that needs the leaf, lanes then run over its points. Where targets have a cutoff the same tests leave
// out what is too far, in whichever order sources come. The generic form, target points on lanes, is in
// walk/detail/leaf_step.hpp.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "zwalk/core/bits.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/walk/cpu_node_step.hpp"
#include "zwalk/walk/detail/leaf_targets.hpp"
#include "zwalk/walk/source_block.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// The memory that a thread keeps for leaf steps.
template <class T>
struct LeafRoom {
    CandidateList<T> candidates;
    std::vector<Entry<T>> order;
    T guess = infinity<T>;  ///< tuning.guess: a horizon that is likely to be enough; infinite: none
};

/// One target leaf (or a piece of it, of at most LeafTargets::capacity points) and its list.
template <Isa isa, class I, class Space>
class CpuLeaf {
    using T = typename I::real;
    using Target = typename I::Target;
    static constexpr pos_t W = simd_width<T>;
    /// Some 30 are usual in three dimensions. From here on their number is worth a fold.
    static constexpr std::size_t many_candidates = 64;

  public:
    ZWALK_CPU_INLINE CpuLeaf(Step<I, Space> const& step, LeafPoints<I> const& points,
                             LeafTargets<I>& target, Sink<I> const& sink)
        : step_(step), points_(points), target_(target), sink_(sink) {}

    /// Points [begin, end), or the first of them. Returns where the rest begins.
    /// @param list   in any order
    /// @param order  room for the list
    ZWALK_CPU_INLINE pos_t run(pos_t begin, pos_t end, typename I::State const& state, ListView<T> list,
                               Entry<T>* order, FarChain<I> const& far) {
        pos_t const rest = load(begin, end, state, far);
        if (target_.size == 0) return rest;
        if constexpr (I::uses.ordered) {
            if (list.size > 0) visit_nearest_first(list, order);
        } else {
            for (size_type e = 0; e < list.size; ++e) visit_leaf(list.entries[e]);
        }
        finish();
        return rest;
    }

    /// Does what run() does where targets take in several sources at once (uses.lanes): all listed sources are brought side by
    /// side first, so that packs are full. (Not ZWALK_CPU_INLINE, see exec/pack.hpp.)
    inline pos_t run_in_packs(pos_t begin, pos_t end, typename I::State const& state, ListView<T> list,
                              FarChain<I> const& far) requires(I::uses.lanes) {
        pos_t const rest = load(begin, end, state, far);
        LaneSources<I>& sources = target_.sources;
        for (size_type e = 0; e < list.size; ++e) {
            pos_t const s = list.entries[e].source, last = step_.sources.first[s + 1];
            if constexpr (I::uses.cutoff)
                if (!is_needed(list.entries[e])) continue;
            for (pos_t c = step_.sources.first[s]; c < last;) {
                c = sources.take(points_, c, last);
                if (sources.is_full()) meet_packs();
            }
        }
        meet_packs();
        finish();
        return rest;
    }

    /// Does what run() does from the list of the leaf's parent: bounds of points are at hand before the leaf's own list
    /// is made, so that few sources can still matter to it. They are what the leaf's own points give, where
    /// targets and sources are one hierarchy (`self`: the leaf as a source), or a guess (tuning.guess): what was
    /// enough for the targets before. Targets for which it is not start again without it.
    ZWALK_CPU_INLINE pos_t run_from_parent(pos_t leaf, pos_t self, pos_t begin, pos_t end,
                                           ListView<T> parent_list, LeafRoom<T>& room,
                                           WalkCounts& counts) {
        pos_t const rest = load(begin, end, {}, {});
        if (target_.size == 0) return rest;
        bool again = false;
        if constexpr (tuning_of<I>.guess) {
            again = room.guess < infinity<T>;
            if (again) assume(room.guess);
        }
        for (;;) {  // one call, because each is a copy of the largest part of a walk
            visit_sources(leaf, self, parent_list, room, counts);
            if constexpr (tuning_of<I>.guess)
                if (again && start_again(counts)) {
                    again = false;
                    continue;
                }
            break;
        }
        finish();
        if constexpr (tuning_of<I>.guess) learn(room.guess);
        return rest;
    }

    /// How far points [begin, end), or the first of them, look once they have met these sources: f(position, d2). The
    /// sources that they have found are let go. Returns where the rest begins.
    template <class F>
    ZWALK_CPU_INLINE pos_t find_horizons(pos_t begin, pos_t end, ListView<T> list, Entry<T>* order,
                                         F const& f) requires(bool(I::uses.ordered)) {
        pos_t const rest = load(begin, end, {}, {});
        if (list.size > 0) visit_nearest_first(list, order);
        for (pos_t q = 0; q < target_.size; ++q) {
            if constexpr (requires { target_.fold[q].settle(); }) {
                target_.fold[q].settle();
                update(q);
            }
            f(target_.position(q), target_.horizon_d2[q]);
        }
        return rest;
    }

  private:
    ZWALK_CPU_INLINE void finish() {
        for (pos_t q = 0; q < target_.size; ++q)
            end_fold(step_.trait, step_.space, target_.fold[q], point(q), sink_);
    }
    /// Shows the targets all sources among the children of the parent's list that may matter to them.
    ZWALK_CPU_INLINE void visit_sources(pos_t leaf, pos_t self, ListView<T> parent_list,
                                        LeafRoom<T>& room, WalkCounts& counts) {
        auto target = node_view<I>(step_.space, step_.targets, step_.target_summary, leaf);
        if constexpr (tuning_of<I>.sift) step_.trait.narrow(target.summary, target_.fold[0]);
        // First the leaf itself, or else the nearest one: it gives bounds that most of the list is behind, and that
        // part need not be sorted. Then the others in order. All are visited by one call, see above.
        enum { own, nearest, others } stage = own;
        bool visit = self != no_pos && detail::decided(step_.trait, target, source_view(step_, self),
                                                       {0, target.diag2}) == Decision::descend;
        Entry<T> entry{self, T(0)};
        Entry<T>*next = nullptr, *end = nullptr;
        for (;; visit = true) {
            if (visit && !visit_leaf(entry) && stage == others) return;
            if (stage == own) {
                next = room.order.data();
                end = list_sources(target, leaf, parent_list, room, counts, next);
                if (next == end) return;
                stage = self != no_pos ? others : nearest;
                if (stage == nearest) {
                    entry = *std::min_element(next, end, EntryOrder<T>{});
                    continue;
                }
                end = keep_entries(next, end, infinity<T>, self, next);
                sort_entries(next, end);
            } else if (stage == nearest) {
                end = keep_entries(next, end, target_.largest_horizon(), entry.source, next);
                sort_entries(next, end);
                stage = others;
            }
            if (next == end) return;
            entry = *next++;
        }
    }
    /// Copies the entries of [begin, end) within `bound`, but `left_out`, to `out`, which may be `begin`. Returns where they end.
    static ZWALK_CPU_INLINE Entry<T>* keep_entries(Entry<T> const* begin, Entry<T> const* end, T bound,
                                                   pos_t left_out, Entry<T>* out) {
        for (Entry<T> const* e = begin; e < end; ++e) {
            bool const kept = (e->lo2 <= bound) & (e->source != left_out);
            *out = *e;
            out += kept;
        }
        return out;
    }
    /// The leaf's own list, from `list` on. Returns where it ends.
    ZWALK_CPU_INLINE Entry<T>* list_sources(typename I::Node& target, pos_t leaf,
                                            ListView<T> parent_list, LeafRoom<T>& room,
                                            WalkCounts& counts, Entry<T>*& list) {
        target.reach = {target_.largest_horizon(), no_pos};
        bool find_reach = !(target.reach < Key<T>{});
        Box<I::dim, T> const box = tuning_of<I>.sift ? target_.box : box_of(step_.targets, leaf);
        for (;;) {
            collect_candidates<isa>(step_, target, box, parent_list, room.candidates, counts.planes[0],
                                    find_reach);
            // A guess from a sparse region is of no use in a dense one: FindRmax is.
            if (!tuning_of<I>.guess || find_reach || target.reach.d2 != room.guess ||
                room.candidates.size <= many_candidates)
                break;
            find_reach = true;
        }
        make_room(room.order, room.candidates.size + 1);
        list = room.order.data();
        Sink<I> nowhere{};
        Empty no_accepts;
        std::size_t const listed =
            decide_candidates<isa>(step_, target, room.candidates, nullptr, nowhere, list, nullptr,
                                   no_accepts, counts.planes[0]);
        counts.node_entries += listed;
        counts.leaf_entries += listed;
        return list + listed;
    }

    /// Starts with horizons of d2, right or not.
    ZWALK_CPU_INLINE void assume(T d2) {
        for (pos_t q = 0; q < target_.size; ++q) {
            step_.trait.assume(target_.fold[q], d2);
            update(q);
        }
    }
    /// Begins again the targets that found too little within the horizon assumed; the others need nothing
    /// more. False: there are none.
    ZWALK_CPU_INLINE bool start_again(WalkCounts& counts) {
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
    ZWALK_CPU_INLINE void learn(T& guess) const {
        constexpr T margin = T(1.25), memory = T(0.75);
        T largest = guess < infinity<T> ? guess * memory : T(0);
        for (pos_t q = 0; q < target_.size; ++q)
            largest = max_of(largest, margin * step_.trait.enough(target_.fold[q]));
        guess = largest;
    }

    ZWALK_CPU_INLINE void visit_nearest_first(ListView<T> list, Entry<T>* order) {
        // The nearest leaf, most often the target itself, gives bounds that most of the list is
        // behind: that part need not be sorted.
        Entry<T> const* const end = list.entries + list.size;
        Entry<T> const* const nearest = std::min_element(list.entries, end, EntryOrder<T>{});
        visit_leaf(*nearest);
        Entry<T>* const kept =
            keep_entries(list.entries, end, target_.largest_horizon(), nearest->source, order);
        sort_entries(order, kept);
        for (Entry<T> const* e = order; e < kept; ++e)
            if (!visit_leaf(*e)) break;
    }

    inline void meet_packs() requires(I::uses.lanes) {
        LaneSources<I>& sources = target_.sources;
        sources.fill();
        for (pos_t q = 0; q < target_.size; ++q)
            sources.template meet<isa>(step_.trait, step_.space, target_.fold[q], point(q));
        sources.size = 0;
    }

    ZWALK_CPU_INLINE Target point(pos_t q) const { return target_.point(points_, q); }
    ZWALK_CPU_INLINE void update(pos_t q) { target_.update(step_.trait, q); }

    /// Takes in points from `begin` on, as many as there's room for; returns where the rest begins.
    ZWALK_CPU_INLINE pos_t load(pos_t begin, pos_t end, typename I::State const& state,
                                FarChain<I> const& far) {
        constexpr pos_t capacity = LeafTargets<I>::capacity;
        if constexpr (LeafTargets<I>::selects) {
            target_.size = 0;
            while (begin < end && target_.size < capacity &&
                   target_.offer(step_.trait, step_.space, points_, begin, state, sink_))
                ++begin;
            if constexpr (tuning_of<I>.sift) target_.set_box();
        } else {
            end = min_of(end, begin + capacity);
            target_.load(points_, begin, end);
            for (pos_t q = 0; q < target_.size; ++q) {
                target_.begin_fold(step_.trait, points_, q, state);
                update(q);
            }
            begin = end;
        }
        if constexpr (I::uses.far) take_far(far);
        target_.pad(W);
        return begin;
    }
    ZWALK_CPU_INLINE void take_far(FarChain<I> const& far) {
        for (pos_t q = 0; q < target_.size; ++q) {
            far.each([&](auto const& summary) {
                step_.trait.far(target_.fold[q], point(q), summary, step_.space);
            });
            update(q);
        }
    }

    /// Shows a source leaf to every target point that needs it. False: it is too far for all of them.
    ZWALK_CPU_INLINE bool visit_leaf(Entry<T> entry) {
        pos_t const first = step_.sources.first[entry.source],
                    last = step_.sources.first[entry.source + 1];
        std::uint64_t who = 0;
        if (!find_who_needs(entry, first, who)) return false;
        if (who == 0) return true;
        for (pos_t c = first; c < last; c += SourceBlock<Space>::capacity) {
            pos_t const count = min_of(pos_t(last - c), SourceBlock<Space>::capacity);
            std::uint64_t useful = ~std::uint64_t(0);
            if constexpr (tuning_of<I>.sift) {
                useful = sift(c, count);
                if (useful == 0) continue;
            }
            // One loop over all of them: where it ends is what no CPU foresees.
            for (std::uint64_t need = who; need != 0; need &= need - 1) {
                pos_t const q = pos_t(std::countr_zero(need));
                visit_block(q, c, count, useful);
                update(q);
            }
        }
        return true;
    }

    /// Whether a source leaf is near enough to any target point.
    [[nodiscard]] ZWALK_CPU_INLINE bool is_needed(Entry<T> entry) const requires(I::uses.cutoff) {
        std::uint64_t who = 0;
        return find_who_needs(entry, step_.sources.first[entry.source], who) && who != 0;
    }
    /// `who`: bits of the targets that may need a source leaf, whose points begin at `first`. False:
    /// none was near enough when the leaf's entry was made.
    ZWALK_CPU_INLINE bool find_who_needs(Entry<T> entry, pos_t first, std::uint64_t& who) const {
        static_assert(LeafTargets<I>::capacity == 64);
        if constexpr (!has_bound<I>) {
            who = ~std::uint64_t(0) >> (LeafTargets<I>::capacity - target_.size);
            return true;
        }
        // What the entry says: a trait's metric may make it more than boxes do.
        std::uint64_t within = 0;
        for (pos_t q0 = 0; q0 < target_.size; q0 += W)
            within |= std::uint64_t(Simd<isa>::at_least(target_.horizon_d2 + q0, entry.lo2)) << q0;
        if (within == 0) return false;
        Box<I::dim, T> const box = box_of(step_.sources, entry.source);
        for (pos_t q0 = 0; q0 < target_.size; q0 += W)
            who |= std::uint64_t(lanes_that_need(box, first, q0)) << q0;
        who &= within;
        return true;
    }

    /// Bits of the sources that may matter to any of the targets (tuning.sift), of at most 64 from `first` on.
    ZWALK_CPU_INLINE std::uint64_t sift(pos_t first, pos_t count) const requires(tuning_of<I>.sift) {
        constexpr pos_t worth_a_box = 4;  // targets
        T const limit = target_.largest_horizon();
        std::uint64_t all = 0;
        for (pos_t c = 0; c < count; c += W) {
            std::uint32_t useful =
                lanes_below(count - c, W) &
                step_.trait.template useful<isa>(target_.fold[0], points_.source_payload, first + c);
            if (useful != 0 && target_.size >= worth_a_box) {
                alignas(64) T lo2[W];
                block_box_distances(
                    step_.space, target_.box, [&](int j) { return points_.sources.from(j, first + c); },
                    lo2);
                useful &= Simd<isa>::at_most(lo2, limit);
            }
            all |= std::uint64_t(useful) << c;
        }
        return all;
    }

    /// Lanes from q0 on whose horizon the leaf's box isn't behind. The trait's own metric isn't called
    /// here; it can only be larger.
    ZWALK_CPU_INLINE std::uint32_t lanes_that_need(Box<I::dim, T> const& box, pos_t first,
                                                   pos_t q0) const {
        alignas(64) T lo2[W];
        block_box_distances(
            step_.space, box, [&](int j) { return target_.x[j] + q0; }, lo2);
        // At equal distance the first position decides (promise 3).
        alignas(64) T limit[W];
        T const* const d2 = target_.horizon_d2 + q0;
        pos_t const* const pos = target_.horizon_pos + q0;
        ZWALK_SIMD_LOOP
        for (int l = 0; l < int(W); ++l)
            limit[l] = ((lo2[l] == d2[l]) & (first > pos[l])) ? T(-1) : d2[l];
        return Simd<isa>::at_most(lo2, limit);
    }

    ZWALK_CPU_INLINE void visit_block(pos_t q, pos_t first, pos_t count, std::uint64_t useful) {
        I const& trait = step_.trait;
        Target const p = point(q);
        SourceBlock<Space, typename I::Payload> const block{
            first, count, step_.space, points_.sources, p.x, useful, points_.source_payload};
        if constexpr (tuning_of<I>.blocks) {
            trait.template visit_block<isa>(target_.fold[q], p, block);
        } else {
            for (pos_t c = 0; c < count; c += W) {
                alignas(64) T d2[W];
                block.distances(c, d2);
                std::uint32_t wanted = block.lanes(c);
                if constexpr (has_bound<I>) wanted &= Simd<isa>::at_most(d2, target_.horizon_d2[q]);
                for (; wanted != 0; wanted &= wanted - 1) {
                    int const l = trailing_zeros(wanted);
                    target_.visit(trait, step_.space, points_, q, first + c + pos_t(l), d2[l]);
                }
            }
        }
    }

    Step<I, Space> const& step_;
    LeafPoints<I> const& points_;
    LeafTargets<I>& target_;
    Sink<I> sink_;
};

}}  // namespace zwalk::v0
