// The sources within a radius of each target, as lists.
//
// Shows the two-pass pattern for outputs of unknown size: count with RadiusCount, scan, then walk
// this trait to fill. Sources come in no particular order inside a list. (The library does all of that for list traits:
// ball_lists.hpp.)
#pragma once
#include "zwalk/walk/interaction.hpp"

namespace zwalk::examples {

template <int D, class T>
struct RadiusLists : Types<D, T> {
    using typename Types<D, T>::Node, typename Types<D, T>::Point, typename Types<D, T>::Target,
        typename Types<D, T>::State;
    static constexpr Uses uses{};

    T radius2;
    size_type const* offset;  ///< list of target i: source[offset[i]] up to source[offset[i + 1]]
    pos_t* source;

    ZWALK_HD Decision decide(Node const&, Node const&, Range<T> d) const {
        return d.lo2 > radius2 ? Decision::discard : Decision::descend;
    }
    using Fold = pos_t*;  // where the next one goes
    ZWALK_HD Fold begin(Target const& p, State) const { return source + offset[p.index]; }
    ZWALK_HD void visit(Fold& next, Target const&, Point const& q, T d2) const {
        if (d2 <= radius2) *next++ = q.position;
    }
    ZWALK_HD void end(Fold const&, Target const&) const {}
};

}  // namespace zwalk::examples
