// Exercise 4, to be completed: potentials by moments that go up the tree and fields that come down.
#pragma once
#include <cmath>

#include "zwalk/walk/interaction.hpp"

using V3 = zwalk::Vec<3, double>;

struct Mass {
    double mass;
};
/// What goes up: a node's box, its mass, and the sum of mass times place.
struct Moments {
    V3 lo, hi;
    double mass;
    V3 weighted;
};
// tutorial-begin start
/// What comes down: the potential of all that was accepted, as a number. TODO: it isn't the same everywhere in a node.
struct Field {
    V3 middle;
    double potential;
};
// tutorial-end start

struct Potential : zwalk::Types<3, double, Mass, Moments, Field> {
    static constexpr zwalk::Uses uses{.state = true, .summary = true};
    double opening2;
    double* potential;

    ZWALK_HD Moments summarize(Point const& p) const {
        double const m = p.payload.mass;
        return {p.x, p.x, m, {m * p.x[0], m * p.x[1], m * p.x[2]}};
    }
    ZWALK_HD Moments merge(Moments a, Moments const& b) const {
        a.mass += b.mass;
        for (int i = 0; i < 3; ++i) {
            a.lo[i] = zwalk::min_of(a.lo[i], b.lo[i]);
            a.hi[i] = zwalk::max_of(a.hi[i], b.hi[i]);
            a.weighted[i] += b.weighted[i];
        }
        return a;
    }
    /// Both small, as seen from each other.
    ZWALK_HD zwalk::Decision decide(Node const& t, Node const& s, Bounds d) const {
        bool const far = t.diag2 + s.diag2 < opening2 * d.lo2;
        return far ? zwalk::Decision::accept : zwalk::Decision::descend;
    }

    // tutorial-begin down
    ZWALK_HD Field top_state() const { return {}; }
    ZWALK_HD Field inherit(Field const& own, Node const&, Node const& child) const {
        return {middle_of(child), own.potential};
    }
    ZWALK_HD void absorb(Field& own, Node const& t, Node const& s, Bounds) const {
        V3 const to = from_to(middle_of(t), centre_of(s));
        own.potential -= s.summary.mass / length(to);
    }

    using Fold = double;
    ZWALK_HD Fold begin(Target const&, Field const& own) const { return own.potential; }
    // tutorial-end down
    ZWALK_HD void visit(Fold& sum, Target const&, Point const& q, double d2) const {
        if (d2 > 0) sum -= q.payload.mass / std::sqrt(d2);
    }
    ZWALK_HD void end(Fold const& sum, Target const& p) const { potential[p.index] = sum; }

  private:
    static ZWALK_HD V3 middle_of(Node const& n) {
        V3 m;
        for (int i = 0; i < 3; ++i) m[i] = (n.summary.lo[i] + n.summary.hi[i]) / 2;
        return m;
    }
    static ZWALK_HD V3 centre_of(Node const& n) {
        V3 m;
        for (int i = 0; i < 3; ++i) m[i] = n.summary.weighted[i] / n.summary.mass;
        return m;
    }
    static ZWALK_HD V3 from_to(V3 const& a, V3 const& b) {
        return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    }
    static ZWALK_HD double dot(V3 const& a, V3 const& b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
    static ZWALK_HD double length(V3 const& a) { return std::sqrt(dot(a, a)); }
};
