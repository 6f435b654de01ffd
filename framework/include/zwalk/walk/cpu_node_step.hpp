// Node meets node on a CPU thread: the same step as walk/detail/node_step.hpp in the form that suits a CPU.
//
// One target node at a time; lanes run over the children of a listed source, which lie side by side in
// memory. Every pair's range is computed once and kept for the decision, since a thread can let its
// lists grow, where a GPU has to count first.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "zwalk/core/bits.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/detail/absorb.hpp"
#include "zwalk/walk/detail/decided.hpp"
#include "zwalk/walk/lists.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// A source node that may matter, with the bounds of its distance from the target.
template <class T>
struct NodeCandidate {
    pos_t source;
    Range<T> range;
};

/// The candidates that a thread collects for one target node.
template <class T>
struct CandidateList {
    std::vector<NodeCandidate<T>> memory;
    std::size_t size = 0;

    /// Room for one block more.
    ZWALK_CPU_INLINE NodeCandidate<T>* reserve_block() {
        if (memory.size() < size + simd_width<T>) [[unlikely]]
            grow();
        return memory.data() + size;
    }
    [[gnu::noinline]] void grow() { memory.resize(2 * memory.size() + 16 * simd_width<T>); }
};

/// At least n elements; not called often, so kept out of the loops.
template <class E>
[[gnu::noinline]] void make_room(std::vector<E>& v, std::size_t n) {
    if (v.size() < n) v.resize(n + n / 2);
}

/// Bounds between the points of a box and those of a block of nodes [begin, begin + simd_width).
template <class Space, int D, class T>
ZWALK_CPU_INLINE void block_ranges(Space const& space, Box<D, T> const& box,
                                   PlaneView<D, T> const& plane, pos_t begin, T* lo2, T* hi2) {
    constexpr int W = simd_width<T>;
    ZWALK_SIMD_LOOP
    for (int l = 0; l < W; ++l) lo2[l] = hi2[l] = 0;
    ZWALK_AXES_LOOP
    for (int j = 0; j < D; ++j) {
        T const plo = box.lo[j], phi = box.hi[j];
        T const *const qlo = plane.lo_from(j, begin), *const qhi = plane.hi_from(j, begin);
        ZWALK_SIMD_LOOP
        for (int l = 0; l < W; ++l) {
            Range<T> r{lo2[l], hi2[l]};
            add_axis(space, j, plo, phi, qlo[l], qhi[l], r);
            lo2[l] = r.lo2;
            hi2[l] = r.hi2;
        }
    }
}

/// Squared distances between a block of simd_width points and a box; column(j) is where their coordinates
/// of axis j begin.
template <class Space, int D, class T, class Column>
ZWALK_CPU_INLINE void block_box_distances(Space const& space, Box<D, T> const& box, Column const& column,
                                          T* lo2) {
    constexpr int W = simd_width<T>;
    ZWALK_SIMD_LOOP
    for (int l = 0; l < W; ++l) lo2[l] = 0;
    ZWALK_AXES_LOOP
    for (int j = 0; j < D; ++j) {
        T const lo = box.lo[j], hi = box.hi[j];
        T const* const x = column(j);
        ZWALK_SIMD_LOOP
        for (int l = 0; l < W; ++l) {
            Range<T> r{lo2[l], 0};
            add_axis(space, j, x[l], x[l], lo, hi, r);
            lo2[l] = r.lo2;
        }
    }
}

/// Goes through the parent's list and collects the children of its sources that can still matter to the
/// target, whose points lie in `box`; with uses.reach, nothing behind target.reach, and with `find_reach`
/// FindRmax on the way (paper Algorithm 3), which may lower it. Counts the nodes that it looks at.
template <Isa isa, class I, class Space>
ZWALK_CPU_INLINE void collect_candidates(Step<I, Space> const& step, typename I::Node& target,
                                         Box<I::dim, typename I::real> const& box,
                                         ListView<typename I::real> list,
                                         CandidateList<typename I::real>& out, PlanePairs& counts,
                                         [[maybe_unused]] bool find_reach = true) {
    using T = typename I::real;
    using Node = typename I::Node;
    constexpr pos_t W = simd_width<T>;
    I const& trait = step.trait;
    out.size = 0;
    [[maybe_unused]] Key<T> const known = target.reach;
    [[maybe_unused]] auto fold = [&] {
        if constexpr (I::uses.reach) return trait.reach_begin(target);
        else return 0;
    }();
    alignas(64) T lo2[W], hi2[W];
    for (size_type e = 0; e < list.size; ++e) {
        Entry<T> const entry = list.entries[e];
        if constexpr (I::uses.ordered && I::uses.reach)
            if (target.reach < step.key(entry)) break;
        pos_t const begin = step.child_begin(entry.source), end = step.child_end(entry.source);
        counts.tested += end - begin;
        for (pos_t c = begin; c < end; c += W) {
            block_ranges(step.space, box, step.sources, c, lo2, hi2);
            std::uint32_t wanted = lanes_below(min_of(end - c, W), W);
            if constexpr (I::uses.reach && !I::uses.metric)
                wanted &= Simd<isa>::at_most(lo2, target.reach.d2);
            if constexpr (detail::cuts_off_nodes<I>) wanted &= Simd<isa>::at_most(lo2, trait.cutoff2());
            NodeCandidate<T>* const block = out.reserve_block();
            unsigned n = 0;
            for (; wanted != 0; wanted &= wanted - 1) {
                unsigned const l = unsigned(trailing_zeros(wanted));
                pos_t const s = c + l;
                Range<T> range{lo2[l], hi2[l]};
                if constexpr (I::uses.metric || I::uses.reach) {
                    Node const source = source_view(step, s);
                    if constexpr (I::uses.metric) range = trait.metric(target, source, range);
                    if constexpr (I::uses.reach)
                        if (find_reach) trait.reach_add(fold, target, source, range);
                }
                block[n++] = {s, range};
            }
            out.size += n;
        }
        if constexpr (I::uses.reach)
            if (find_reach) {
                Key<T> const found = trait.reach_end(fold, target);
                target.reach = found < known ? found : known;
            }
    }
}

/// Room for the accepted sources of a target.
template <class I>
using AcceptedRoom = std::conditional_t<tuning_of<I>.lane_absorb, AcceptedLanes<I>, Empty>;

/// Decides on every candidate of one target: acts on the accepted ones, and writes those to descend
/// into to `list` (room for all of them) and accepted ones to `far`, if given. Decisions see the state
/// that the target inherited; `state` is what it becomes. Returns how many went into the list, which it also counts.
template <Isa isa, class I, class Space>
ZWALK_CPU_INLINE std::size_t decide_candidates(
    Step<I, Space> const& step, typename I::Node const& target,
    CandidateList<typename I::real> const& candidates, typename I::State* state, Sink<I>& sink,
    Entry<typename I::real>* list, std::vector<Entry<typename I::real>>* far,
    [[maybe_unused]] AcceptedRoom<I>& accepted, PlanePairs& counts) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < candidates.size; ++i) {
        auto const [s, range] = candidates.memory[i];
        auto const source = decided_view(step, s);
        Decision const decision = detail::decided(step, target, source, range);
        list[n] = {s, range.lo2};
        n += decision == Decision::descend;
        if constexpr (accepts_nodes<I>)
            if (decision == Decision::descend && step.is_last && step.lacks_points(s)) [[unlikely]]
                detail::throw_not_monotone();
        if constexpr (detail::takes_accepts<I>) {
            if (decision == Decision::accept) {
                ++counts.accepted;
                if constexpr (tuning_of<I>.lane_absorb)
                    accepted.template take<isa>(
                        [&] { return step.trait.accepted(target, source, range); });
                else if constexpr (I::uses.state) step.trait.absorb(*state, target, source, range);
                if constexpr (detail::accepts_into_sink<I>)
                    step.trait.accept(target, source, range, sink);
                if constexpr (I::uses.far) far->push_back({s, range.lo2});
            }
        }
        if constexpr (tuning_of<I>.lane_absorb)  // in one place, since all of absorb is copied to there
            if (accepted.is_full() || i + 1 == candidates.size)
                accepted.template absorb<isa>(step.trait, *state, target);
    }
    counts.descended += n;
    return n;
}

/// The order of lists: nearest first, ties by z-order.
template <class T>
struct EntryOrder {
    ZWALK_CPU_INLINE bool operator()(Entry<T> const& a, Entry<T> const& b) const {
        if constexpr (sizeof(Entry<T>) == 8)  // lo2 >= 0 orders like its bits, in the upper half
            return bit_cast_to<std::uint64_t>(a) < bit_cast_to<std::uint64_t>(b);
        else return a.lo2 < b.lo2 || (a.lo2 == b.lo2 && a.source < b.source);
    }
};

/// Brings a list in that order.
void sort_entries(Entry<float>* begin, Entry<float>* end);
void sort_entries(Entry<double>* begin, Entry<double>* end);

}}  // namespace zwalk::v0
