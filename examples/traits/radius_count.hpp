// How many sources lie within a radius of each target.
//
// Shows node-level accepts with a state: a source node that lies wholly inside the radius of a
// whole target node is counted once for the node, and the count is handed down to its points.
#pragma once
#include "zwalk/walk/interaction.hpp"

namespace zwalk::examples {

template <int D, class T>
struct RadiusCount : Types<D, T, Empty, Empty, size_type> {
    using Base = Types<D, T, Empty, Empty, size_type>;
    using typename Base::Node, typename Base::Point, typename Base::Target;
    // tutorial-begin state
    static constexpr Uses uses{.state = true};

    T radius2;
    size_type* count;  ///< one per target, z-order

    ZWALK_HD Decision decide(Node const&, Node const&, Range<T> d) const {
        if (d.lo2 > radius2) return Decision::discard;
        return d.hi2 <= radius2 ? Decision::accept : Decision::descend;
    }
    ZWALK_HD size_type top_state() const { return 0; }
    ZWALK_HD size_type inherit(size_type n, Node const&, Node const&) const { return n; }
    ZWALK_HD void absorb(size_type& n, Node const&, Node const& s, Range<T>) const { n += s.count; }

    using Fold = size_type;
    ZWALK_HD Fold begin(Target const&, size_type n) const { return n; }
    ZWALK_HD void visit(Fold& n, Target const&, Point const&, T d2) const { n += d2 <= radius2; }
    ZWALK_HD void end(Fold const& n, Target const& p) const { count[p.index] = n; }
    // tutorial-end state
};

}  // namespace zwalk::examples
