// Gravity by the Barnes-Hut method with monopoles.
//
// Shows summaries (mass and centre of mass, reduced up the tree), a payload (the mass of each
// point), far fields (accepted nodes act on points by their summary) and displacements. Below it is the same with a leaf
// action that takes as many sources at once as a CPU's registers hold (lanes).
#pragma once
#include <cmath>
#include <string>

#include "zwalk/walk/interaction.hpp"

namespace zwalk::examples {

template <class T>
struct Mass {
    T mass;
};
template <int D, class T>
struct Moments {
    T mass;
    Vec<D, T> weighted;  ///< sum of mass * position
};

template <int D, class T>
struct Monopole : Types<D, T, Mass<T>, Moments<D, T>> {
    using Base = Types<D, T, Mass<T>, Moments<D, T>>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State;
    static constexpr Uses uses{.summary = true, .far = true, .displacement = true};

    T theta2;      ///< squared opening angle: a node acts as a whole if its diagonal is smaller
    T softening2;  ///< squared Plummer softening
    Vec<D, T>* acceleration;  ///< one per target, z-order, G = 1

    ZWALK_HD Moments<D, T> summarize(Point const& p) const {
        Moments<D, T> m{p.payload.mass, {}};
        for (int i = 0; i < D; ++i) m.weighted[i] = p.payload.mass * p.x[i];
        return m;
    }
    ZWALK_HD Moments<D, T> merge(Moments<D, T> a, Moments<D, T> const& b) const {
        a.mass += b.mass;
        for (int i = 0; i < D; ++i) a.weighted[i] += b.weighted[i];
        return a;
    }
    ZWALK_HD Decision decide(Node const&, Node const& s, Range<T> d) const {
        return s.diag2 < theta2 * d.lo2 ? Decision::accept : Decision::descend;
    }

    using Fold = Vec<D, T>;
    ZWALK_HD void pull(Fold& a, Vec<D, T> const& dx, T mass) const {
        T r2 = softening2;
        for (int i = 0; i < D; ++i) r2 = std::fma(dx[i], dx[i], r2);
        T const w = mass / (r2 * std::sqrt(r2));
        for (int i = 0; i < D; ++i) a[i] = std::fma(w, dx[i], a[i]);
    }
    ZWALK_HD Fold begin(Target const&, State) const { return {}; }
    ZWALK_HD void far(Fold& a, Target const& p, Moments<D, T> const& m, auto const& space) const {
        if (m.mass == 0) return;  // no centre
        Vec<D, T> centre;
        for (int i = 0; i < D; ++i) centre[i] = m.weighted[i] / m.mass;
        pull(a, displacement(space, p.x, centre), m.mass);
    }
    ZWALK_HD void visit(Fold& a, Target const&, Point const& q, T d2, Vec<D, T> const& dx) const {
        if (d2 > 0) pull(a, dx, q.payload.mass);
    }
    ZWALK_HD void end(Fold const& a, Target const& p) const { acceleration[p.index] = a; }

    /// For pages of a walk (zwalk/walk/trace.hpp), on the host.
    [[nodiscard]] std::string describe(Node const& node) const {
        return "mass " + std::to_string(node.summary.mass);
    }
};

/// Several times as fast where points meet, on CPUs. Sums come in another order there, so their last bits aren't those
/// of other places.
template <int D, class T>
struct MonopoleLanes : Monopole<D, T> {
    using typename Monopole<D, T>::Target;
    static constexpr Uses uses{.summary = true, .far = true, .displacement = true, .lanes = true};

    // tutorial-begin lanes
    template <class V>
    using Fold = Vec<D, V>;
    /// V is T, or a pack of T's: the lines are the same.
    template <class V>
    ZWALK_HD void visit(Fold<V>& a, Target const&, auto const& q, V d2, Vec<D, V> const& dx) const {
        V const r2 = d2 + this->softening2;
        V const w = select(d2 > 0, q.payload.mass / (r2 * sqrt_of(r2)), 0);
        for (int i = 0; i < D; ++i) a[i] = fma_of(w, dx[i], a[i]);
    }
    ZWALK_HD void join(Fold<T>& a, auto const& lanes) const {
        for (int i = 0; i < D; ++i) a[i] += sum_of(lanes[i]);
    }
    // tutorial-end lanes
};

}  // namespace zwalk::examples
