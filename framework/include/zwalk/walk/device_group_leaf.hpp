// Point meets point where a group of lanes shares one fold (tuning.group): lanes are sources, targets come one
// after another. For folds that are too large for one thread.
#pragma once
#include <cmath>

#include "zwalk/core/bits.hpp"
#include "zwalk/walk/detail/device_kernels.hpp"

namespace zwalk { inline namespace v0 {

/// Lanes of the groups that share a fold: they exchange values, which those of one warp can.
inline constexpr int device_group_width = 32;
/// Groups per leaf for n of them: several keep a GPU busy where points are few.
inline pos_t device_group_parts(pos_t n) { return n < no_pos / 4 ? 4 : 1; }

namespace detail {

/// Target point t and its fold: what meets it, a leaf at a time.
template <class G, class I, class Space, class Fold>
class GroupTarget {
    using T = typename I::real;
    using Target = typename I::Target;

  public:
    ZWALK_INLINE GroupTarget(G const& g, I const& trait, Space const& space, LeafPoints<I> const& points,
                             Fold& fold, pos_t t, typename I::State const& state)
        : g_(g),
          trait_(trait),
          space_(space),
          points_(points),
          fold_(fold),
          p_(points.target(t, [&](int j) { return points.targets.at(j, t); })) {
        trait_.group_begin(g_, fold_, p_, state);
        horizon_ = trait_.template group_horizon<G>(fold_);
    }

    /// Sources behind this key don't matter any more.
    [[nodiscard]] ZWALK_INLINE Key<T> horizon() const { return horizon_; }
    /// Lower bound of the squared distance to any point of node s of a plane of the sources.
    [[nodiscard]] ZWALK_INLINE T box_distance(PlaneView<I::dim, T> const& plane, pos_t s) const {
        Range<T> r{0, 0};
        ZWALK_UNROLL
        for (int j = 0; j < I::dim; ++j)
            add_axis(space_, j, p_.x[j], p_.x[j], plane.box_lo(j, s), plane.box_hi(j, s), r);
        return r.lo2;
    }
    /// The sources [first, last), one per lane. Lanes behind the last one read on in the columns, whose padding
    /// is wider than a group.
    ZWALK_INLINE void meet(pos_t first, pos_t last) {
        typename G::template var<T> d2;
        for (pos_t c = first; c < last; c += G::width) {
            g_.lanes([&](int l) { d2[l] = 0; });
            ZWALK_UNROLL
            for (int j = 0; j < I::dim; ++j) {
                T const* const column = points_.sources.from(j, c);
                g_.lanes([&](int l) {
                    T const dx = space_.axis(j, abs_of(column[l] - p_.x[j]));
                    d2[l] = std::fma(dx, dx, d2[l]);
                });
            }
            trait_.group_visit(g_, fold_, p_, c, min_of(unsigned(G::width), unsigned(last - c)), d2);
            horizon_ = trait_.template group_horizon<G>(fold_);
        }
    }
    ZWALK_INLINE void end() { trait_.group_end(g_, fold_, p_); }

  private:
    G const& g_;
    I const& trait_;
    Space const& space_;
    LeafPoints<I> const& points_;
    Fold& fold_;
    Target const p_;
    Key<T> horizon_{};
};

/// Entries e, e + 1, ... of a list, one per lane, meet a target; which of them matter is tested anew after each that
/// did.
template <class G, class T, class Target, class Plane>
ZWALK_INLINE void meet_leaves(G const& g, Target& target, Plane const& leaves, ListView<T> list,
                              size_type e) {
    typename G::template var<T> lo2;
    typename G::template var<pos_t> first, last;
    g.lanes([&](int l) {
        size_type const at = min_of(e + size_type(l), list.size - 1);
        pos_t const s = list.entries[at].source;
        first[l] = leaves.first[s];
        last[l] = leaves.first[s + 1];
        lo2[l] = target.box_distance(leaves, s);
    });
    auto const near = [&] {
        return g.ballot([&](int l) {
            return e + size_type(l) < list.size && Key<T>{lo2[l], first[l]} <= target.horizon();
        });
    };
    unsigned left = near();
    while (left != 0) {
        int const next = trailing_zeros(left);
        target.meet(g.broadcast(first, next), g.broadcast(last, next));
        left = near() & ~((2U << next) - 1);
    }
}
/// All listed leaves meet a target.
template <class G, class T, class Target, class Plane>
ZWALK_INLINE void meet_list(G const& g, Target& target, Plane const& leaves, ListView<T> list) {
    for (size_type e = 0; e < list.size; e += G::width) {
        Entry<T> const nearest = list.entries[e];
        if (!(Key<T>{nearest.lo2, leaves.first[nearest.source]} <= target.horizon())) break;
        meet_leaves(g, target, leaves, list, e);
    }
}

/// The points of target leaves with their lists; group i takes every `parts`-th one of leaf i / parts.
template <class I, class Space>
struct GroupLeafKernel {
    static constexpr int width = device_group_width;
    static constexpr int min_blocks = 1;
    static constexpr bool persistent = false;
    static_assert(width <= int(column_padding));
    Step<I, Space> step;
    LeafPoints<I> points;
    PlaneLists<typename I::real> lists;
    pos_t parts;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        using Fold = typename I::template GroupFold<G>;
        pos_t const leaf = lists.base + i / parts, end = step.targets.first[leaf + 1];
        typename I::State state{};
        if constexpr (I::uses.state) state = step.state[leaf - step.base];
        Fold fold;
        pos_t const begin = step.targets.first[leaf] + i % parts;
        for (pos_t t = begin; t < end; t += parts) {
            GroupTarget<G, I, Space, Fold> target(g, step.trait, step.space, points, fold, t, state);
            meet_list(g, target, step.sources, lists.of(leaf));
            target.end();
        }
    }
};

}  // namespace detail
}}  // namespace zwalk::v0
