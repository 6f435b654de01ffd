// The search for least edges in a round of Borůvka's algorithm, as an interaction trait.
#pragma once
#include <cmath>
#include <cstdint>

#include "zwalk/core/bits.hpp"
#include "zwalk/emst/detail/fragments.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// What is known of a node's points in one round.
template <class T>
struct FragmentSummary {
    pos_t component;  ///< of all points; no_pos: they are of several
    T core2;          ///< the least squared core distance
    T limit;          ///< no edge longer than this (squared) matters to any point; -1: none does
    T margin2;        ///< of points that want something: see LeastEdges::horizon_of
};

/// Finds, for every component but one, the least edge that leaves it. Points that are known to have no
/// shorter edge than the least one offered to their component want nothing; the others look a little further
/// than that edge, which other threads may make shorter meanwhile.
///
/// Sources have a place and a payload. An edge is also offered to the component at its other end, which is
/// named by that payload: only to spare points of that component, if they search, a part of the way. They'd find the
/// edge themselves, so where they are targets of another walk nothing is lost.
template <int D, class T>
struct LeastEdges : Types<D, T, FragmentPoint<T>, FragmentSummary<T>> {
    using Base = Types<D, T, FragmentPoint<T>, FragmentSummary<T>>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State,
        typename Base::Summary, typename Base::Leaf;
    static constexpr Uses uses{.reach = true, .ordered = true, .summary = true, .idle = true};
    static constexpr Tuning tuning{.leaf_summary = true, .blocks = true, .sift = true};

    Fragments<T> fragments;
    pos_t excluded = no_pos;  ///< the component that need not be served
    /// How far (squared) each target looks, whatever was offered to its component; null: as far as the edge offered decides.
    T const* reach2 = nullptr;

    /// How far a point looks when the least edge known is this one: a quarter beyond it (squared), since what it finds there
    /// spares it the next searches. But no further than where some thousands of points are (`margin2`): where
    /// clusters are far apart all distances between them are about the same, and a margin made of these would
    /// let everything meet everything. Where a margin says nothing positions decide, as always.
    /// @param i  position among the sources
    static ZWALK_INLINE Key<T> horizon_of(pos_t i, Edge<T> const& least, T margin2) {
        // A shorter edge must never widen what is behind the horizon: sums and rounding are monotone.
        T const further = min_of(std::fma(least.w2, T(0.25), least.w2), least.w2 + margin2);
        return further > least.w2 ? Key<T>{further, 0} : Fragments<T>::horizon(i, least);
    }
    /// How far point i looks now, if it is a target; d2 = -1: it wants nothing.
    [[nodiscard]] ZWALK_INLINE Key<T> limit_of(pos_t i, FragmentPoint<T> const& known) const {
        if (!known.wanted || known.component == excluded) return {T(-1), 0};
        return limit_below(i, reach2 ? Edge<T>{} : fragments.least_of(known.component));
    }
    /// ... if it searches, and this is the least edge that its component was offered.
    [[nodiscard]] ZWALK_INLINE Key<T> limit_below(pos_t i, Edge<T> const& least) const {
        if (reach2) return {reach2[i], no_pos};
        if (!fragments.open(i, least)) return {T(-1), 0};
        return horizon_of(fragments.position(i), least, fragments.margin2[i]);
    }

    ZWALK_INLINE Summary summarize(Point const& p) const {
        pos_t const i = fragments.index(p.position);  // where it is a target
        T const limit = limit_of(i, p.payload).d2;
        return {p.payload.component, p.payload.core2, limit, limit < 0 ? T(0) : fragments.margin2[i]};
    }
    /// Plain loops: most leaves want nothing.
    ZWALK_HD Summary summarize_leaf(Leaf const& leaf) const {
        auto const& known = leaf.payload;
        pos_t const begin = leaf.first, end = leaf.end();
        pos_t const* const component = known.template column<0>();
        std::uint8_t const* const is_wanted = known.template column<1>();
        T const* const core2 = known.template column<2>();
        pos_t const c = component[begin];
        pos_t differ = 0;
        unsigned wanted = 0;
        for (pos_t i = begin; i < end; ++i) {
            differ |= component[i] ^ c;
            wanted |= is_wanted[i];
        }
        Summary sum{differ ? no_pos : c, known[begin].core2, T(-1), T(0)};
        if (core2)
            for (pos_t i = begin; i < end; ++i) sum.core2 = min_of(sum.core2, core2[i]);
        if (!wanted) return sum;
        Edge<T> least;
        pos_t of = no_pos;  // the component that was offered it, most often that of all points
        for (pos_t p = begin; p < end; ++p) {
            if (!is_wanted[p] || component[p] == excluded) continue;
            if (component[p] != of && !reach2) least = fragments.least_of(of = component[p]);
            pos_t const i = fragments.index(p);
            T const limit = limit_below(i, least).d2;
            if (limit < 0) continue;
            sum.limit = max_of(sum.limit, limit);
            sum.margin2 = max_of(sum.margin2, fragments.margin2[i]);
        }
        return sum;
    }
    ZWALK_INLINE Summary merge(Summary const& a, Summary const& b) const {
        return {a.component == b.component ? a.component : no_pos, min_of(a.core2, b.core2),
                max_of(a.limit, b.limit), max_of(a.margin2, b.margin2)};
    }

    ZWALK_INLINE bool idle(Node const& t) const { return t.summary.limit < 0; }

    // No bound is made of the sources: each component has one from the start.
    using Reach = Empty;
    ZWALK_INLINE Reach reach_begin(Node const&) const { return {}; }
    ZWALK_INLINE void reach_add(Reach&, Node const&, Node const&, Range<T>) const {}
    ZWALK_INLINE Key<T> reach_end(Reach const&, Node const& t) const {
        Summary const& own = t.summary;
        if (own.limit < 0) return {T(-1), 0};
        if (own.component == no_pos || reach2) return {own.limit, no_pos};
        // The last of its points' horizons.
        return horizon_of(t.first, fragments.least_of(own.component), own.margin2);
    }

    ZWALK_INLINE Decision decide(Node const& t, Node const& s, Range<T> d) const {
        Summary const &own = t.summary, &other = s.summary;
        bool const inside = own.component == other.component && own.component != no_pos;
        if (own.limit < 0 || inside) return Decision::discard;
        T const lo2 = max_of(d.lo2, max_of(own.core2, other.core2));
        return Key<T>{lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }

    /// Two keys, the least edge and the limit: edges behind it need not be looked at; d2 = -1: the point wants nothing. In parts,
    /// since a Key of doubles has padding, and nvcc up to 13.0 gets copies of such members wrong.
    struct Fold {
        T best2, limit2;
        pos_t best_source, limit_source;
        pos_t component;
        pos_t other = no_pos;  ///< component of the source of the least edge

        [[nodiscard]] ZWALK_INLINE Key<T> best() const { return {best2, best_source}; }
        [[nodiscard]] ZWALK_INLINE Key<T> limit() const { return {limit2, limit_source}; }
    };
    // The limit stays as it was at first: the least edge that others offer meanwhile is hardly less, and
    // takes long to look up.
    ZWALK_INLINE Fold begin(Target const& p, State const&) const {
        Key<T> const limit = limit_of(p.index, p.payload);
        return {infinity<T>, limit.d2, no_pos, limit.pos, p.payload.component};
    }
    ZWALK_INLINE void visit(Fold& f, Target const& p, Point const& q, T d2) const {
        if (q.payload.component != f.component) consider(f, p, q.position, q.payload, d2);
    }
    /// Points of one component search together among points of others.
    ZWALK_INLINE bool alike(Fold const& f, Fold const& g) const { return f.component == g.component; }
    ZWALK_INLINE void narrow(Summary& leaf, Fold const& f) const { leaf.component = f.component; }
    template <Isa isa>
    ZWALK_INLINE std::uint32_t useful(Fold const& f, ColumnsView<FragmentPoint<T>> const& sources,
                                      pos_t first) const {
        return Simd<isa>::differ(sources.template column<0>() + first, f.component);
    }
    template <Isa isa, class Block>
    ZWALK_INLINE void visit_block(Fold& f, Target const& p, Block const& block) const {
        constexpr int W = simd_width<T>;
        T const limit = min_of(f.limit2, f.best2);
        for (pos_t c = 0; c < block.count; c += pos_t(W)) {
            std::uint32_t wanted = block.lanes(c);
            if (wanted == 0) continue;
            alignas(64) T d2[W];
            block.distances(c, d2);
            for (wanted &= Simd<isa>::at_most(d2, limit); wanted != 0; wanted &= wanted - 1) {
                int const l = trailing_zeros(wanted);
                pos_t const source = block.first + c + pos_t(l);
                consider(f, p, source, block.payload[source], d2[l]);
            }
        }
    }
    ZWALK_INLINE Key<T> horizon(Fold const& f) const {
        return f.best() < f.limit() ? f.best() : f.limit();
    }
    ZWALK_INLINE void end(Fold const& f, Target const& p) const {
        if (f.limit2 < 0) return;
        if (f.best() <= f.limit() && f.best_source != no_pos) {
            fragments.candidate[p.index] = f.best();
            fragments.offer(f.component, p.index);
            fragments.offer(f.other, p.index);
        } else if (fragments.proven[p.index] < f.limit()) {
            fragments.proven[p.index] = f.limit();
        }
    }

  private:
    /// Source j, of which this is known, is of another component than p.
    ZWALK_INLINE void consider(Fold& f, Point const& p, pos_t j, FragmentPoint<T> const& known,
                               T d2) const {
        Key<T> const key{max_of(d2, max_of(p.payload.core2, known.core2)), j};
        if (key < f.best()) f.best2 = key.d2, f.best_source = key.pos, f.other = known.component;
    }
};

}}  // namespace zwalk::v0
