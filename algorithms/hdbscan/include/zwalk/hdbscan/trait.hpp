// For each point the nearest source by the larger of distance and core distance, as an interaction trait.
#pragma once
#include "zwalk/core/config.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk { inline namespace v0 {

/// A length as the least square whose rounded root is no less (core/within.hpp): of a source its core distance, of a target the bound
/// that it looks below.
template <class T>
struct ReachSquare {
    T square;
};
/// The least of a node's core distances, and the largest of its bounds, both as such squares.
template <class T>
struct ReachSquares {
    T least, most;
};

/// Finds for each target the source of the least mutual reachability, the larger of distance and core distance of the source, if that
/// is below the target's bound. Of equal ones the nearest, and of those the first in z-order. The core distance of the target takes no
/// part: where it decides, nothing is to be found.
///
/// A node of sources none of which has a core distance below the bounds is discarded. How far others matter: a source node holds a point of
/// its least core distance, no further away than the node.
template <int D, class T>
struct NearestReachable : Types<D, T, ReachSquare<T>, ReachSquares<T>> {
    using Base = Types<D, T, ReachSquare<T>, ReachSquares<T>>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State,
        typename Base::Summary;
    static constexpr Uses uses{.reach = true, .ordered = true, .summary = true};

    pos_t* nearest;  ///< for each target, by its index: a position; no_pos: none is below its bound
    T* distance2;    ///< how far that is, squared; of no meaning without

    ZWALK_HD Summary summarize(Point const& p) const { return {p.payload.square, p.payload.square}; }
    ZWALK_HD Summary merge(Summary const& a, Summary const& b) const {
        return {min_of(a.least, b.least), max_of(a.most, b.most)};
    }

    /// A key, in parts, since a Key of doubles has padding, and nvcc up to 13.0 gets copies of such members wrong.
    struct Reach {
        T square;
        pos_t source;
    };
    ZWALK_HD Reach reach_begin(Node const& t) const { return {t.summary.most, 0}; }
    ZWALK_HD void reach_add(Reach& r, Node const&, Node const& s, Range<T> d) const {
        // Where the core distance is the larger one, nothing at that distance is better: it would be further away.
        T const least = s.summary.least;
        Key<T> const key = d.hi2 < least ? Key<T>{least, 0} : Key<T>{d.hi2, s.last()};
        if (key < Key<T>{r.square, r.source}) r = {key.d2, key.pos};
    }
    ZWALK_HD Key<T> reach_end(Reach const& r, Node const&) const { return {r.square, r.source}; }

    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        if (!(s.summary.least < t.summary.most)) return Decision::discard;
        return Key<T>{d.lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }

    /// The best source so far: its mutual reachability, and its distance. At first the bound, which is better than all that equal it.
    struct Fold {
        T reach2, d2;
        pos_t source;
    };
    ZWALK_HD Fold begin(Target const& p, State const&) const {
        return {p.payload.square, T(-1), no_pos};
    }
    ZWALK_HD void visit(Fold& best, Target const&, Point const& q, T d2) const {
        T const reach2 = max_of(d2, q.payload.square);
        if (reach2 > best.reach2) return;
        if (reach2 < best.reach2 || Key<T>{d2, q.position} < Key<T>{best.d2, best.source})
            best = {reach2, d2, q.position};
    }
    ZWALK_HD Key<T> horizon(Fold const& best) const {
        return {best.reach2, best.d2 == best.reach2 ? best.source : 0};
    }
    ZWALK_HD void end(Fold const& best, Target const& p) const {
        nearest[p.index] = best.source;
        distance2[p.index] = best.d2;
    }
};

}}  // namespace zwalk::v0
