// Exercise 2, solved: reach_add() promised to all targets what a source had for some of them only.
#pragma once
#include "zwalk/walk/interaction.hpp"

struct Colour {
    int colour;
};
/// Least and largest colour of a node: one colour only if they are equal.
struct Colours {
    int least, largest;
};

/// For each point the nearest one of a larger colour.
struct NearestLarger : zwalk::Types<2, float, Colour, Colours> {
    static constexpr zwalk::Uses uses{.reach = true, .ordered = true, .summary = true};
    zwalk::pos_t* nearest;

    ZWALK_HD Colours summarize(Point const& p) const { return {p.payload.colour, p.payload.colour}; }
    ZWALK_HD Colours merge(Colours a, Colours b) const {
        return {zwalk::min_of(a.least, b.least), zwalk::max_of(a.largest, b.largest)};
    }

    // tutorial-begin solution
    using Reach = zwalk::Key<float>;
    ZWALK_HD Reach reach_begin(Node const&) const { return {}; }
    ZWALK_HD void reach_add(Reach& r, Node const& t, Node const& s, Bounds d) const {
        bool const serves_all = s.summary.largest > t.summary.largest;
        zwalk::Key<float> const farthest{d.hi2, s.last()};
        if (serves_all && farthest < r) r = farthest;
    }
    // tutorial-end solution
    ZWALK_HD zwalk::Key<float> reach_end(Reach const& r, Node const&) const { return r; }

    ZWALK_HD zwalk::Decision decide(Node const& t, Node const& s, Bounds d) const {
        if (s.summary.largest <= t.summary.least) return zwalk::Decision::discard;
        bool const in_reach = zwalk::Key<float>{d.lo2, s.first} <= t.reach;
        return in_reach ? zwalk::Decision::descend : zwalk::Decision::discard;
    }

    using Fold = zwalk::Key<float>;
    ZWALK_HD Fold begin(Target const&, State) const { return {}; }
    ZWALK_HD void visit(Fold& best, Target const& p, Point const& q, float d2) const {
        zwalk::Key<float> const key{d2, q.position};
        if (q.payload.colour > p.payload.colour && key < best) best = key;
    }
    ZWALK_HD zwalk::Key<float> horizon(Fold const& best) const { return best; }
    ZWALK_HD void end(Fold const& best, Target const& p) const { nearest[p.index] = best.pos; }
};
