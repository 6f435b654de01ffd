// The directed Hausdorff distance of two sets: how far the furthest target is from its nearest source. Targets that are known
// to be nearer than some distance needn't be looked at; that they are is their state.
#pragma once
#include "zwalk/walk/interaction.hpp"

namespace zwalk::examples {

/// The squared distance of each target to its nearest source, or `enough2` if it is at most this.
template <int D, class T>
struct Hausdorff : Types<D, T, Empty, Empty, pos_t> {
    using Base = Types<D, T, Empty, Empty, pos_t>;
    using typename Base::Node, typename Base::Point, typename Base::Target;
    static constexpr Uses uses{.reach = true, .ordered = true, .state = true};

    T enough2 =
        0;  ///< some target is at least as far as this from all sources, so nearer ones don't matter
    T* nearest2;

    // Any source bounds how far the nearest one is.
    using Reach = T;
    ZWALK_HD Reach reach_begin(Node const&) const { return infinity<T>; }
    ZWALK_HD void reach_add(Reach& r, Node const&, Node const&, Range<T> d) const {
        r = min_of(r, d.hi2);
    }
    ZWALK_HD Key<T> reach_end(Reach const& r, Node const&) const { return {r, no_pos}; }

    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        if (t.state) return Decision::discard;
        if (d.hi2 <= enough2) return Decision::accept;  // of all its points: near enough
        return Key<T>{d.lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }
    ZWALK_HD pos_t top_state() const { return false; }
    ZWALK_HD pos_t inherit(pos_t settled, Node const&, Node const&) const { return settled; }
    ZWALK_HD void absorb(pos_t& settled, Node const&, Node const&, Range<T>) const { settled = true; }

    using Fold = T;
    ZWALK_HD Fold begin(Target const&, pos_t settled) const { return settled ? enough2 : infinity<T>; }
    ZWALK_HD void visit(Fold& best, Target const&, Point const&, T d2) const { best = min_of(best, d2); }
    ZWALK_HD Key<T> horizon(Fold const& best) const {
        return best <= enough2 ? Key<T>{-1, 0} : Key<T>{best, no_pos};
    }
    ZWALK_HD void end(Fold const& best, Target const& p) const {
        nearest2[p.index] = max_of(best, enough2);
    }
};

}  // namespace zwalk::examples
