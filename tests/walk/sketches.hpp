// One Borůvka round in its barest form: it shows that the trait concept carries it (metric).
#pragma once
#include "zwalk/walk/interaction.hpp"

namespace test {
using namespace zwalk;

template <class T>
struct Member {
    pos_t component;
    T core2;
};
template <class T>
struct MemberRange {
    pos_t lowest, highest;
    T core_lo, core_hi;
};

/// The lightest edge from every point to another component, under mutual reachability.
template <int D, class T>
struct BoruvkaSketch : Types<D, T, Member<T>, MemberRange<T>> {
    using Base = Types<D, T, Member<T>, MemberRange<T>>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State;
    static constexpr Uses uses{.reach = true, .metric = true, .ordered = true, .summary = true};

    struct Edge {
        T w2 = infinity<T>;
        pos_t a = no_pos, b = no_pos;
        friend bool operator<(Edge const& x, Edge const& y) {
            if (x.w2 != y.w2) return x.w2 < y.w2;
            return x.a != y.a ? x.a < y.a : x.b < y.b;
        }
    };
    Edge* best;

    MemberRange<T> summarize(Point const& p) const {
        return {p.payload.component, p.payload.component, p.payload.core2, p.payload.core2};
    }
    MemberRange<T> merge(MemberRange<T> a, MemberRange<T> const& b) const {
        return {min_of(a.lowest, b.lowest), max_of(a.highest, b.highest), min_of(a.core_lo, b.core_lo),
                max_of(a.core_hi, b.core_hi)};
    }
    Range<T> metric(Node const& t, Node const& s, Range<T> d) const {
        return {max_of(d.lo2, max_of(t.summary.core_lo, s.summary.core_lo)),
                max_of(d.hi2, max_of(t.summary.core_hi, s.summary.core_hi))};
    }

    struct Reach {
        T bound = infinity<T>;
    };
    Reach reach_begin(Node const&) const { return {}; }
    void reach_add(Reach& r, Node const& t, Node const& s, Range<T> d) const {
        bool const mixed = s.summary.lowest != s.summary.highest;
        bool const foreign =
            s.summary.highest < t.summary.lowest || s.summary.lowest > t.summary.highest;
        if (mixed || foreign) r.bound = min_of(r.bound, d.hi2);
    }
    Key<T> reach_end(Reach const& r, Node const&) const { return {r.bound, no_pos}; }

    Decision decide(Node const& t, Node const& s, Range<T> d) const {
        auto const &a = t.summary, &b = s.summary;
        bool const same = a.lowest == a.highest && b.lowest == b.highest && a.lowest == b.lowest;
        return !same && d.lo2 <= t.reach.d2 ? Decision::descend : Decision::discard;
    }
    using Fold = Edge;
    Fold begin(Point const&, State) const { return {}; }
    void visit(Fold& f, Point const& p, Point const& q, T d2) const {
        if (p.payload.component == q.payload.component) return;
        Edge const e{max_of(d2, max_of(p.payload.core2, q.payload.core2)),
                     min_of(p.position, q.position), max_of(p.position, q.position)};
        if (e < f) f = e;
    }
    Key<T> horizon(Fold const& f) const { return {f.w2, no_pos}; }
    void end(Fold const& f, Target const& p) const { best[p.index] = f; }
};

}  // namespace test
