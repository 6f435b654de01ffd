// Exercise 1, to be completed: how many points lie within a radius of each.
#pragma once
#include "zwalk/walk/interaction.hpp"

// tutorial-begin start
struct CountNear : zwalk::Types<2, double> {
    static constexpr zwalk::Uses uses{};
    double radius2;
    zwalk::pos_t* count;  // one for each target

    // TODO: this looks at everything, as the double loop does.
    ZWALK_HD zwalk::Decision decide(Node const&, Node const&, Bounds) const {
        return zwalk::Decision::descend;
    }

    using Fold = zwalk::pos_t;
    ZWALK_HD Fold begin(Target const&, State) const { return 0; }
    ZWALK_HD void visit(Fold& n, Target const&, Point const&, double d2) const { n += d2 <= radius2; }
    ZWALK_HD void end(Fold const& n, Target const& p) const { count[p.index] = n; }
};
// tutorial-end start
