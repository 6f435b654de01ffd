// The nearest point that is brighter: the building block of density-peak clustering, and of finding
// the host of a satellite. The trait that docs/tutorial-new-algorithm.md builds.
#pragma once
#include "zwalk/walk/interaction.hpp"

namespace zwalk::examples {

// tutorial-begin types
struct Star {
    float light;
};
struct Lights {
    float faintest, brightest;
};

struct NearestBrighter : zwalk::Types<3, float, Star, Lights> {
    static constexpr zwalk::Uses uses{.reach = true, .ordered = true, .summary = true};
    pos_t* brighter;  // the answer: one position per star, no_pos for the brightest
    // tutorial-end types

    // tutorial-begin summary
    ZWALK_HD Lights summarize(Point const& p) const { return {p.payload.light, p.payload.light}; }
    ZWALK_HD Lights merge(Lights a, Lights b) const {
        return {min_of(a.faintest, b.faintest), max_of(a.brightest, b.brightest)};
    }
    // tutorial-end summary

    // tutorial-begin decide
    ZWALK_HD Decision decide(Node const& t, Node const& s, Bounds d) const {
        if (s.summary.brightest <= t.summary.faintest) return Decision::discard;
        return Key<float>{d.lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }
    // tutorial-end decide

    // tutorial-begin reach
    using Reach = Key<float>;
    ZWALK_HD Reach reach_begin(Node const&) const { return {}; }
    ZWALK_HD void reach_add(Reach& r, Node const& t, Node const& s, Bounds d) const {
        bool const serves_all = s.summary.brightest > t.summary.brightest;
        if (serves_all && Key<float>{d.hi2, s.last()} < r) r = {d.hi2, s.last()};
    }
    ZWALK_HD Key<float> reach_end(Reach const& r, Node const&) const { return r; }
    // tutorial-end reach

    // tutorial-begin leaf
    using Fold = Key<float>;
    ZWALK_HD Fold begin(Target const&, State) const { return {}; }
    ZWALK_HD void visit(Fold& best, Target const& p, Point const& q, float d2) const {
        Key<float> const key{d2, q.position};
        if (q.payload.light > p.payload.light && key < best) best = key;
    }
    ZWALK_HD Key<float> horizon(Fold const& best) const { return best; }
    ZWALK_HD void end(Fold const& best, Target const& p) const { brighter[p.index] = best.pos; }
    // tutorial-end leaf
};

}  // namespace zwalk::examples
