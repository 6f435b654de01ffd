// The events that a reference walk reports while it goes on (walk/reference.hpp).
#pragma once
#include "zwalk/walk/interaction.hpp"

namespace zwalk { inline namespace v0 {

/// The planes that targets and sources are on; 0 are the leaves.
struct WalkPlanes {
    int target, source;
};

/// A pair of nodes, and what became of it.
template <class I>
struct Decided {
    WalkPlanes planes;
    typename I::Node const& target;  ///< as decide() saw it: with reach, label and state
    typename I::Node const& source;
    Range<typename I::real> range;  ///< lo2 and hi2, the trait's own where it has a metric
    Decision decision;
};

/// Takes all events and keeps nothing: a walk that it observes is as fast as one without an observer. Derive an observer from it,
/// with members for those events that it uses.
struct NoObserver {
    /// decide() was called, once for each pair of nodes that meets, the coarsest plane first.
    template <class I>
    void decided(Decided<I> const&) {}
    /// Points p and q meet: visit() or pair() comes next.
    template <class Target, class Point, class T>
    void met(Target const&, Point const&, T /*d2*/) {}
    /// A target point has met all its sources: end() comes next. Not with uses.symmetric, which has no folds.
    template <class Target, class Fold>
    void folded(Target const&, Fold const&) {}
};

}}  // namespace zwalk::v0
