// The trait concept: what the author of an algorithm writes. Tree, lists, order, images, threads
// and devices are the core's.
//
// Four hooks make a trait (the target always comes first, the source second; all are const):
//
//   Decision decide(Node, Node, Range)        do none of their pairs of points matter, or some? Or are they dealt with as a whole?
//   Fold begin(Target, State)                 what a target point holds while it meets sources
//   void visit(Fold&, Target, Point, real d2) a target meets a source, d2 being their squared distance
//   void end(Fold&, Target)                   writes the result through pointers that the trait holds, at target.index;
//                                             the space may stand behind, for distances between the points of a fold
//
// All else is a service that it declares (Uses, below), and what makes it faster (walk/tuning.hpp). A trait is one trivially
// copyable struct, and no local one, since C++ gives these no static members. It has exactly the members that its services need.
// Hooks see one target and one source at a time; they may run any number of times and in any order, unless stated otherwise.
//
// One rule lets a trait run on sources that live elsewhere (those of another tree, or imported from other machines): it reads
// the Node of a source (with summary) and its Point (with payload), and nothing else. Arrays that the trait holds are indexed by
// targets only, which have an `index` for it. A `position` is a name, to be kept in an output, to settle ties, or to tell whether
// two points of one tree are the same. It is no index into an array of the trait, since the tree may have more points than there
// are targets. And decide() compares no position of a target with one of a source, since MPI ranks number these apart (symmetric
// traits meet in the order of positions anyway). Properties that are needed of sources come as payload, and go up the tree as
// summary. Arrays by something that a payload or a summary names (a component, a label) are the trait's own business.
#pragma once
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "zwalk/core/columns.hpp"
#include "zwalk/core/config.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/core/space.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/exec/group.hpp"
#include "zwalk/exec/isa.hpp"
#include "zwalk/walk/detail/lane_views.hpp"
#include "zwalk/walk/source_block.hpp"

namespace zwalk { inline namespace v0 {

/// What becomes of a pair of nodes. `discard`: no pair of their points matters, so their children (of one, the other or
/// both) are discarded as well when decide() gets them with the same reach. `descend`: look at
/// their children. `accept`: dealt with as a whole (absorb, accept or far), not looked at again.
///
/// Decisions are monotone: a pair that is discarded or accepted isn't descended into for parts of its nodes, whose
/// bounds, diagonals and counts are no larger, nor with another state than top_state(). On one machine nothing depends on
/// it; on MPI ranks it decides which nodes can travel without their points, and a walk that finds it broken throws.
enum class Decision : unsigned char { discard, descend, accept };

/// What a trait sees of a node. All hooks see plane, index, first, count, diag2 and summary. whole, idle and inherit
/// see nothing else, but for the state of inherit's parent. All others also see the labels, and a target's
/// state; decide, absorb and accept its reach.
template <class T, class Summary, class State>
struct NodeView {
    pos_t index = 0;  ///< on its plane
    /// Its plane in its own tree, 0: it is a leaf. It is there to look at: planes depend on tree options, places and
    /// ranks (for nodes of other ranks it isn't known: 0), so no decision may depend on it.
    pos_t plane = 0;
    pos_t first = 0;  ///< position of its first point; the points are contiguous
    pos_t count = 0;  ///< number of its points, >= 1
    T diag2 = 0;      ///< no two of its points are further apart than this (squared)
    pos_t label = 0;  ///< group of its first point so far (of all points, if whole)
    Summary summary{};
    State state{};   ///< as inherited: the one that absorb makes of it is for the children
    Key<T> reach{};  ///< result of the reach fold, or larger (unbounded where unused)

    [[nodiscard]] ZWALK_INLINE pos_t last() const { return first + (count - 1); }
};

/// What a trait sees of a point.
template <int D, class T, class Payload>
struct PointView {
    Vec<D, T> x;
    pos_t position;  ///< in the z-order of its tree
    Payload payload;
};

/// What a trait sees of a leaf.
template <int D, class T, class Payload>
struct LeafView {
    pos_t first;                   ///< position of its first point
    pos_t count;                   ///< number of its points, >= 1
    ColumnsView<Payload> payload;  ///< of the whole tree, by position
    PointColumns<D, T> points;     ///< likewise

    [[nodiscard]] ZWALK_INLINE pos_t end() const { return first + count; }
    /// Point i of the leaf.
    [[nodiscard]] ZWALK_INLINE PointView<D, T, Payload> operator[](pos_t i) const {
        return {points.point(first + i), first + i, payload[first + i]};
    }
};

/// What a trait sees of a target point where its outputs are written.
template <int D, class T, class Payload>
struct TargetView : PointView<D, T, Payload> {
    /// Number of the target in z-order: of its element in arrays that the trait holds. Its position, unless only a part of
    /// the tree's points are targets (WalkInputs::targets).
    pos_t index;
};

/// Services that a trait uses: what pairs of nodes and points mean. Each line names the members that come with it. A trait
/// needs nothing else to be right on every place. What makes one faster is in walk/tuning.hpp.
struct Uses {
    /// `Reach`, `Reach reach_begin(t)`, `void reach_add(Reach&, t, s, range)`, `Key reach_end(Reach, t)`: a fold over all
    /// candidate sources of a target node, run before decide. At any moment reach_end bounds from above the sources that still
    /// matter (paper, FindRmax). decide itself discards those behind it, by Key{range.lo2, s.first} <= t.reach. It uses the
    /// reach for nothing else: a settled target has a state that shows it. What is listed may not depend on who looked before.
    /// If `Reach` is an empty struct, the bound depends on the target alone: reach_add must be there, but need not be called. On
    /// MPI ranks points ask for sources as nodes of one point, within their own reach. A `Reach` that isn't an empty struct is
    /// also folded by the rank that has the sources.
    bool reach = false;
    /// `Range metric(t, s, range)`: the trait's own bounds in place of the geometric ones. They
    /// must not widen on descent: lo2 of children >= lo2 of parents, hi2 of children <= parents'.
    bool metric = false;
    /// `Key horizon(Fold)`: lists are ordered by (lo2, first position); a target point is done with
    /// sources behind its horizon. Visits behind the horizon may be left out, or happen. Where ranks find out which sources they
    /// need of others (ranks/import.hpp), a target begins and meets some of its own rank's sources for its horizon alone, without
    /// end(). If its Fold has a `void settle()`, that is called before the horizon is read, to make it as small as it can.
    bool ordered = false;
    /// `State top_state()`, `State inherit(State, parent, child)`,
    /// `void absorb(State&, t, s, range)`: a value handed down from node to node, changed by
    /// accepts, passed to begin.
    bool state = false;
    /// `Summary summarize(point)`, `Summary merge(Summary, Summary)`: reduced up the tree, in
    /// z-order. merge is associative.
    bool summary = false;
    /// `bool whole(node)`: all points of this node belong together (the core links them before the
    /// walk). Union-find over positions, those of one hierarchy that meets itself: sink.link(a, b).
    /// Labels of nodes only ever merge, so a pair that decide() discards for equal labels stays
    /// discarded. With symmetric and without total, pairs that are of one group already may be left
    /// out, and pairs met again.
    bool links = false;
    /// `Total`, `void combine(Total&, Total)`: one global accumulator, sink.total(). combine must
    /// be exact (integers, min, max), since its order isn't fixed; it runs on GPUs, too. Without symmetric
    /// `end(Fold&, Target, auto& sink)` may add what came of a target: end is called once for each of them.
    bool total = false;
    /// `void far(Fold&, point, Summary, space)`: accepted sources enter the fold of every target
    /// point by their summary, coarsest plane first.
    bool far = false;
    /// `void pair(p, q, d2, sink)` replaces begin/visit/end: every unordered pair of nodes and of
    /// points is met once, in the order of positions (but for a node with itself). Targets and sources
    /// must be the same hierarchy.
    bool symmetric = false;
    /// `real cutoff2()`: no two points further apart (squared) than this matter. Such nodes may be discarded
    /// without calling decide, such points without calling pair or visit; where these are called all the same
    /// they must apply the cutoff themselves. CPUs compare the distances of a register of sources at once.
    /// With visit also `real cutoff2(Target)`, where targets differ in it: then nodes are left to decide.
    /// Goes without ordered, whose horizon says as much.
    bool cutoff = false;
    /// visit (or pair) gets `Vec dx` = q - p to the nearest image behind d2.
    bool displacement = false;
    /// `bool idle(target)`: nothing can come of this node's points, as its summary shows. A walk may
    /// leave it out with all its points: accept, begin and end are not called for them then. Goes with
    /// summary. With ordered, a single point shows the same by a horizon of negative d2 when it begins.
    bool idle = false;
    /// The leaf action is a template and takes several sources at once, at the width of the CPU's registers:
    /// `template <class V> void visit(Fold<V>&, p, auto const& q, V d2) const`, or `pair(p, q, d2, sink)` likewise (and
    /// `Vec<dim, V> dx` behind d2, if uses.displacement), where V is `real`, on GPUs and in the reference walk, or
    /// a Pack of them (exec/pack.hpp). The sources q have `x`, `Vec<dim, V>`, and `payload`, of V's, too: so
    /// a payload is a class template, `template <class T> struct Mass { T mass; }`, or none.
    /// With visit, `template <class V> Fold`, and `void join(Fold<real>&, auto const& lanes) const`: adds what a fold of
    /// packs has taken in to that of the target. The fold of packs was a `Fold<V>{}` and hasn't seen begin.
    /// Behind the last source there are lanes whose d2 is NaN, and all else finite: take in only what a comparison
    /// of d2 holds for. Floating-point sums come in another order than one by one, so their last bits may differ from
    /// those of a place that takes sources so; they are the same for any number of threads and on every CPU. Goes
    /// without ordered, links and scratch.
    bool lanes = false;
    /// `std::size_t scratch_bytes()`: memory per target point while it folds, for a result that grows, as third
    /// argument `void*` of begin; aligned to 8 bytes, valid until end.
    bool scratch = false;
};

/// Convenience base: the names that every trait must have. Derive from it, or spell them out.
template <int D, class T, class PayloadT = Empty, class SummaryT = Empty, class StateT = Empty>
struct Types {
    static constexpr int dim = D;
    using real = T;
    using Payload = PayloadT;
    using Summary = SummaryT;
    using State = StateT;
    using Node = NodeView<T, SummaryT, StateT>;
    using Point = PointView<D, T, PayloadT>;
    using Leaf = LeafView<D, T, PayloadT>;
    using Target = TargetView<D, T, PayloadT>;
    using Bounds = Range<T>;
    using Displacement = Vec<D, T>;
};

/// What a trait sees of a leaf, if it has other names than Types.
template <class I>
using LeafOf = LeafView<I::dim, typename I::real, typename I::Payload>;

namespace detail {

template <class I, class = void>
struct TotalOf {
    using type = Empty;
};
template <class I>
struct TotalOf<I, std::void_t<typename I::Total>> {
    using type = typename I::Total;
};
}  // namespace detail
}}  // namespace zwalk::v0
