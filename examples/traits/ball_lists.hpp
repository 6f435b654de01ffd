// List traits: which sources a target wants. Counting them, memory and the lists are the library's.
//
// Ball shows node-level answers: a node that lies wholly inside the radius of a whole target node is taken as a whole.
// BrighterNearby shows a payload, and a summary of it that lets nodes be discarded.
#pragma once
#include "zwalk/lists/list_trait.hpp"

namespace zwalk::examples {

// tutorial-begin ball
/// All sources within a radius of each target.
template <int D, class T>
struct Ball : Types<D, T> {
    using typename Types<D, T>::Node, typename Types<D, T>::Point, typename Types<D, T>::Target;
    static constexpr ListUses uses{.cutoff = true};

    T radius2;

    ZWALK_HD Decision decide(Node const&, Node const&, Range<T> d) const {
        if (d.lo2 > radius2) return Decision::discard;
        return d.hi2 <= radius2 ? Decision::accept : Decision::descend;
    }
    ZWALK_HD bool wanted(Target const&, Point const&, T d2) const { return d2 <= radius2; }
    ZWALK_HD T cutoff2() const { return radius2; }
};
// tutorial-end ball

struct Lamp {
    float light;
};

/// All brighter sources within a radius of each target.
template <int D, class T>
struct BrighterNearby : Types<D, T, Lamp, Lamp> {
    using Base = Types<D, T, Lamp, Lamp>;
    using typename Base::Node, typename Base::Point, typename Base::Target;
    static constexpr ListUses uses{.summary = true};

    T radius2;

    /// The brightest of a node.
    ZWALK_HD Lamp summarize(Point const& p) const { return p.payload; }
    ZWALK_HD Lamp merge(Lamp a, Lamp b) const { return a.light < b.light ? b : a; }

    ZWALK_HD Decision decide(Node const&, Node const& s, Range<T> d) const {
        return d.lo2 > radius2 || s.summary.light <= 0 ? Decision::discard : Decision::descend;
    }
    ZWALK_HD bool wanted(Target const& p, Point const& q, T d2) const {
        return d2 <= radius2 && q.payload.light > 0 && p.payload.light < q.payload.light;
    }
};

}  // namespace zwalk::examples
