// The k nearest sources of every target as an interaction trait (paper section III); where they go is an output of the
// caller's. kNN, spanning trees and whatever else begins with neighbours are made of it.
#pragma once
#include <algorithm>
#include <type_traits>

#include "zwalk/nearest/candidates.hpp"
#include "zwalk/nearest/detail/collector.hpp"
#include "zwalk/nearest/detail/counted_radii.hpp"
#include "zwalk/nearest/no_output.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/node_part.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// Neighbours of a target that there is room for: k, or as many as there are sources; at least one.
inline pos_t attainable_k(std::size_t k, pos_t sources) {
    return pos_t(std::min<std::size_t>(k, std::max<pos_t>(1, sources)));
}

#if !defined(__CUDACC__)
template <class T>
using DefaultFold = Collector<T>;
#else
template <class T>
using DefaultFold = Candidates<T>;
#endif

/// The fold of a whole group of lanes, if there is one (GroupCandidates).
template <class Fold, class G>
struct OnGroup {
    using type = Empty;
};
template <class Fold, class G>
requires requires { Fold::largest_k; }
struct OnGroup<Fold, G> {
    using type = typename Fold::template On<G>;
};

/// Finds the k smallest keys (d2, source position) of every target, of those with d2 <= limit2, and hands them to an output.
///
/// The lexicographic key makes the answer unique, and keeps duplicated points cheap: among nodes
/// at equal distance only those with the first positions survive.
///
/// Output: `void operator()(Target, auto const& neighbours) const`, called once per target from
/// any thread, a trivially copyable struct. neighbours.size(), .d2(i), .position(i): up to k sources,
/// nearest first, as squared distances and z-order positions. On a GPU neighbours.each(f) instead, f(i, key)
/// in this order, because neighbours may be in registers. `void prepare(Target) const`, if there is
/// one, may be called some time before. On a GPU an output with `columns` and `void place(Target, std::size_t i,
/// Key) const` may get neighbour after neighbour i < columns instead, in no order, from all lanes of a group.
template <int D, class T, class Output, class FoldT = DefaultFold<T>>
struct Nearest : Types<D, T> {
    using typename Types<D, T>::Node;
    using typename Types<D, T>::Point, typename Types<D, T>::Target;
    using typename Types<D, T>::State;
    static constexpr bool collects = std::is_same_v<FoldT, Collector<T>>;
    static constexpr bool in_registers = requires { FoldT::in_registers; };
    static constexpr bool in_groups = requires { FoldT::largest_k; };
    static constexpr Uses uses{.reach = true, .ordered = true, .scratch = !in_registers};
    static constexpr int kept_keys = [] {
        if constexpr (in_registers) return FoldT::kept;
        else return 0;
    }();
    static constexpr Tuning tuning{.blocks = collects,
                                   .guess = collects,
                                   .group = in_groups,
                                   .batch = in_registers,
                                   .kept = kept_keys};

    Output output{};
    T limit2 = infinity<T>;     ///< squared distance of the furthest that is wanted
    bool exclude_self = false;  ///< targets and sources are the same hierarchy

    /// @param neighbours  1 <= k <= number of sources (missing ones are the output's)
    explicit Nearest(pos_t neighbours, Output const& out = {}) : output(out), k(neighbours) {
        if constexpr (collects) selector = make_selector<T>(best_isa(), k);
    }

    // In the registers of a GPU's thread 16 bins of doubles don't fit.
    using Reach = CountedRadii<T, collects || sizeof(T) == 4 ? 16 : 8>;
    ZWALK_HD Reach reach_begin(Node const&) const { return Reach(k + pos_t(exclude_self)); }
    ZWALK_HD void reach_add(Reach& r, Node const&, Node const& s, Range<T> d) const {
        r.add({d.hi2, s.last()}, s.count);
    }
    ZWALK_HD Key<T> reach_end(Reach const& r, Node const&) const { return min_of(r.bound(), limit()); }

    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        return Key<T>{d.lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }

    using Fold = FoldT;
    ZWALK_HD std::size_t scratch_bytes() const requires(!in_registers) {
        if constexpr (collects) return Fold::bytes(k, selector);
        else return Fold::bytes(k);
    }
    ZWALK_HD Fold begin(Target const&, State const&) const requires in_registers { return Fold(k); }
    ZWALK_HD Fold begin(Target const&, State const&, void* scratch) const requires(!in_registers) {
        if constexpr (collects) return Fold(scratch, k, &selector, limit2);
        else return Fold(scratch, k);
    }
    ZWALK_HD void visit(Fold& f, Target const& p, Point const& q, T d2) const {
        if (d2 > limit2 || (exclude_self && p.position == q.position)) return;
        f.add({d2, q.position});  // folds in registers are only called with batches
    }
    template <class Kept>
    ZWALK_INLINE void visit_batch(Fold& f, Target const& p, Key<T> (&batch)[batch_size],
                                  Kept& kept) const requires in_registers {
        if (exclude_self) {
            ZWALK_UNROLL
            for (int i = 0; i < batch_size; ++i)
                if (batch[i].pos == p.position) batch[i] = {not_a_number<T>, no_pos};
        }
        f.add(batch, kept);
    }
    template <class Kept>
    ZWALK_INLINE void end_batches(Fold& f, Kept& kept) const requires in_registers {
        f.put_in_order(kept);
    }
    ZWALK_HD Key<T> horizon(Fold const& f) const {
        if constexpr (collects) return f.worst();
        else return min_of(f.worst(), limit());
    }
    ZWALK_HD void end(Fold& f, Target const& p) const {
        f.finish();
        Fold const found = f;  // a copy that nothing else points to: its loops become SIMD
        output(p, found);
    }

    template <Isa isa, class Block>
    ZWALK_INLINE void visit_block(Fold& f, Target const& p, Block const& block) const requires collects {
        if constexpr (requires { output.prepare(p); })
            if (f.size() == 0) output.prepare(p);
        f.template add<isa>(block, exclude_self ? p.position - block.first : no_pos);
    }

    template <class G>
    using GroupFold = typename OnGroup<FoldT, G>::type;
    template <class G>
    ZWALK_INLINE void group_begin(G const& g, GroupFold<G>& f, Target const&,
                                  State const&) const requires in_groups {
        f.begin(g, k, limit());
    }
    template <class G>
    ZWALK_INLINE void group_visit(G const& g, GroupFold<G>& f, Target const& p, pos_t first, unsigned n,
                                  typename G::template var<T> const& d2) const requires in_groups {
        f.add(g, first, n, d2, exclude_self ? p.position : no_pos);
    }
    template <class G>
    ZWALK_INLINE Key<T> group_horizon(GroupFold<G> const& f) const requires in_groups {
        return f.worst();
    }
    template <class G>
    ZWALK_INLINE void group_end(G const& g, GroupFold<G>& f, Target const& p) const requires in_groups {
        f.finish(g);
        if constexpr (requires { output.place(p, output.columns, Key<T>{}); }) {
            f.each(g, [&](int, int i, Key<T> key) { output.place(p, std::size_t(i), key); });
            g.lanes([&](int l) {
                for (std::size_t i = k + std::size_t(l); i < output.columns; i += G::width)
                    output.place(p, i, Key<T>{});
            });
        } else {
            f.hand_over(g, [&](auto const& found) { output(p, found); });
        }
    }

    ZWALK_INLINE void assume(Fold& f, T d2) const requires collects { f.assume(min_of(d2, limit2)); }
    ZWALK_INLINE bool is_short(Fold const& f) const requires collects {
        return f.size() < k && f.worst().d2 < limit2;
    }
    ZWALK_INLINE T enough(Fold const& f) const requires collects {
        return f.size() < k ? limit2 : f.d2(int(k - 1));
    }

    /// All keys that are wanted are before it.
    [[nodiscard]] ZWALK_HD Key<T> limit() const { return {limit2, no_pos}; }

    pos_t k;
    std::conditional_t<collects, Selector<T>, Empty> selector{};
};

/// Nodes see neither the output nor the folds of devices, whose Reach is one type.
template <int D, class T, class Output, class Fold>
requires(!Nearest<D, T, Output, Fold>::collects) struct NodePart<Nearest<D, T, Output, Fold>> {
    using type = Nearest<D, T, NoOutput, Candidates<T>>;
    static type of(Nearest<D, T, Output, Fold> const& trait) {
        type nodes(trait.k);
        nodes.limit2 = trait.limit2;
        nodes.exclude_self = trait.exclude_self;
        return nodes;
    }
};

}}  // namespace zwalk::v0
