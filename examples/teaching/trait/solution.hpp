// Exercise 1, solved: how many points lie within a radius of each.
#pragma once
#include "zwalk/walk/interaction.hpp"

// tutorial-begin solution
using zwalk::Decision;
using zwalk::pos_t;

struct CountNear : zwalk::Types<2, double, zwalk::Empty, zwalk::Empty, pos_t> {
    static constexpr zwalk::Uses uses{.state = true};
    double radius2;
    pos_t* count;  // one for each target

    ZWALK_HD Decision decide(Node const&, Node const&, Bounds d) const {
        if (d.lo2 > radius2) return Decision::discard;  // none of them is near
        return d.hi2 <= radius2 ? Decision::accept : Decision::descend;
    }
    // What is accepted for a node is counted once for all of its points, and handed down to them.
    ZWALK_HD pos_t top_state() const { return 0; }
    ZWALK_HD pos_t inherit(pos_t n, Node const&, Node const&) const { return n; }
    ZWALK_HD void absorb(pos_t& n, Node const&, Node const& s, Bounds) const { n += s.count; }

    using Fold = pos_t;
    ZWALK_HD Fold begin(Target const&, pos_t n) const { return n; }
    ZWALK_HD void visit(Fold& n, Target const&, Point const&, double d2) const { n += d2 <= radius2; }
    ZWALK_HD void end(Fold const& n, Target const& p) const { count[p.index] = n; }
};
// tutorial-end solution
