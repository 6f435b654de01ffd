// Distance bounds between nodes (paper eqs. 14-16, on tight boxes instead of Morton cells).
#pragma once
#include <cmath>
#include <type_traits>

#include "zwalk/core/space.hpp"
#include "zwalk/tree/tree.hpp"

namespace zwalk { inline namespace v0 {

/// Adds one axis to the squared bounds, in the same expression as distance2.
template <class Space, class T>
ZWALK_INLINE void add_axis(Space const& space, int axis, T plo, T phi, T qlo, T qhi, Range<T>& range) {
    AxisRange<T> const a = space.axis_range(axis, open_axis_range(plo, phi, qlo, qhi));
    range.lo2 = std::fma(a.lo, a.lo, range.lo2);
    range.hi2 = std::fma(a.hi, a.hi, range.hi2);
}

/// A box that tightly holds some points, along each axis.
template <int D, class T>
struct Box {
    T lo[D], hi[D];
};
template <int D, class T>
ZWALK_INLINE Box<D, T> box_of(PlaneView<D, T> const& plane, pos_t node) {
    Box<D, T> box;
    ZWALK_UNROLL
    for (int j = 0; j < D; ++j) {
        box.lo[j] = plane.box_lo(j, node);
        box.hi[j] = plane.box_hi(j, node);
    }
    return box;
}

/// Bounds of the squared distance between any point of node p and any point of node q.
template <class Space, int D, class T>
ZWALK_INLINE Range<T> node_range(Space const& space, PlaneView<D, T> const& ps, pos_t p,
                                 PlaneView<D, T> const& qs, pos_t q) {
    Range<T> r{0, 0};
    ZWALK_UNROLL
    for (int j = 0; j < D; ++j)
        add_axis(space, j, ps.box_lo(j, p), ps.box_hi(j, p), qs.box_lo(j, q), qs.box_hi(j, q), r);
    return r;
}

/// Upper bound of the squared distance between two points of one node.
template <class Space, int D, class T>
ZWALK_INLINE T node_diagonal2(Space const& space, PlaneView<D, T> const& plane, pos_t i) {
    return node_range(space, plane, i, plane, i).hi2;
}

/// Node i of a plane, whose nodes have these summaries, as a trait I sees it: without the members that
/// depend on where the walk is (label, reach, state).
template <class I, class Space>
ZWALK_INLINE typename I::Node node_view(Space const& space,
                                        PlaneView<I::dim, typename I::real> const& plane,
                                        [[maybe_unused]] typename I::Summary const* summary, pos_t i) {
    typename I::Node n;
    n.index = i;
    n.plane = plane.number;
    n.first = plane.first[i];
    n.count = plane.count(i);
    n.diag2 = node_diagonal2(space, plane, i);
    if constexpr (I::uses.summary) n.summary = summary[i];
    return n;
}

/// True for target nodes that the trait of a Step declares idle.
template <class Step>
ZWALK_INLINE bool is_idle([[maybe_unused]] Step const& step, [[maybe_unused]] pos_t t) {
    using I = std::remove_cvref_t<decltype(step.trait)>;
    if constexpr (I::uses.idle)
        return step.trait.idle(node_view<I>(step.space, step.targets, step.target_summary, t));
    else return false;
}

}}  // namespace zwalk::v0
