// What a round of Borůvka's algorithm asks of the tree, as an interaction trait.
#pragma once
#include "zwalk/emst/fragments.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk::inline v0 {

/// What a node knows of its points in one round.
template <class T>
struct FragmentSummary {
    pos_t component;  ///< of all points; no_pos: they are of several
    T core2;          ///< the least squared core distance
    T limit;          ///< no edge longer than this (squared) matters to any point; -1: none does
};

/// Finds, for every component but one, the least edge that leaves it. Points that are known to have no
/// shorter edge than the least one offered to their component want nothing; the others look not much further
/// than that edge, which other threads may make shorter meanwhile.
template <int D, class T>
struct LeastEdges : Types<D, T, Empty, FragmentSummary<T>> {
    using Base = Types<D, T, Empty, FragmentSummary<T>>;
    using typename Base::Node, typename Base::Point, typename Base::State, typename Base::Summary;
    static constexpr Uses uses{.reach = true, .ordered = true, .summary = true, .idle = true};

    Fragments<T> fragments;
    pos_t excluded = no_pos;  ///< the component that need not be served

    [[nodiscard]] bool open(pos_t i, pos_t c) const {
        return fragments.wanted[i] && c != excluded && fragments.open(i, c);
    }

    /// How far point i looks when the least edge known is this one: beyond it, since what it learns there
    /// spares it the next searches. Where a margin says nothing positions decide, as always.
    static Key<T> horizon_of(pos_t i, Edge<T> const& least) {
        T const further = 2 * least.w2;  // a shorter edge must never widen what is behind the horizon
        return further > least.w2 ? Key<T>{further, 0} : Fragments<T>::horizon(i, least);
    }

    Summary summarize(Point const& p) const {
        pos_t const c = fragments.component[p.index];
        return {c, fragments.core(p.index),
                open(p.index, c) ? horizon_of(p.index, fragments.least_of(c)).d2 : T(-1)};
    }
    Summary merge(Summary const& a, Summary const& b) const {
        return {a.component == b.component ? a.component : no_pos, min_of(a.core2, b.core2),
                max_of(a.limit, b.limit)};
    }

    ZWALK_INLINE bool idle(Node const& t) const { return t.summary.limit < 0; }

    // No bound is made of the sources: each component has one from the start.
    using Reach = Empty;
    ZWALK_INLINE Reach reach_begin(Node const&) const { return {}; }
    ZWALK_INLINE void reach_add(Reach&, Node const&, Node const&, Range<T>) const {}
    ZWALK_INLINE Key<T> reach_end(Reach const&, Node const& t) const {
        Summary const& own = t.summary;
        if (own.limit < 0) return {T(-1), 0};
        if (own.component == no_pos) return {own.limit, no_pos};
        return horizon_of(t.first, fragments.least_of(own.component));  // the last of its points'
    }

    ZWALK_INLINE Decision decide(Node const& t, Node const& s, Range<T> d) const {
        Summary const &own = t.summary, &other = s.summary;
        bool const inside = own.component == other.component && own.component != no_pos;
        if (own.limit < 0 || inside) return Decision::discard;
        T const lo2 = max_of(d.lo2, max_of(own.core2, other.core2));
        return Key<T>{lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }

    struct Fold {
        Key<T> best;
        pos_t point, component;
        bool open;
    };
    ZWALK_INLINE Fold begin(Point const& p, State const&) const {
        pos_t const c = fragments.component[p.index];
        return {{}, p.index, c, open(p.index, c)};
    }
    ZWALK_INLINE void visit(Fold& f, Point const& p, Point const& q, T d2) const {
        if (fragments.component[q.index] == f.component) return;
        Key<T> const key{fragments.weight(p.index, q.index, d2), q.index};
        if (key < f.best) f.best = key;
    }
    ZWALK_INLINE Key<T> horizon(Fold const& f) const {
        if (!f.open) return {T(-1), 0};
        Key<T> const known = horizon_of(f.point, fragments.least_of(f.component));
        return f.best < known ? f.best : known;
    }
    ZWALK_INLINE void end(Fold const& f, Point const& p) const {
        if (!f.open) return;
        // What was shown to this point had to be within a horizon that was no nearer than it is now.
        Key<T> const known = horizon_of(p.index, fragments.least_of(f.component));
        if (f.best <= known && f.best.pos != no_pos) {
            fragments.candidate[p.index] = f.best;
            fragments.offer(f.component, p.index);
            fragments.offer(fragments.component[f.best.pos], p.index);
        } else if (fragments.proven[p.index] < known) {
            fragments.proven[p.index] = known;
        }
    }
};

}  // namespace zwalk::inline v0
