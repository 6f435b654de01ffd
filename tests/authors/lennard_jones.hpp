// Forces of Lennard-Jones' potential within a radius: each target adds up its own, so a pair of points is met twice.
#pragma once
#include "zwalk/exec/pack.hpp"
#include "zwalk/walk/interaction.hpp"

namespace authors {
using namespace zwalk;

/// Lengths in units of the potential's; force of p towards q if positive, divided by their distance.
template <class V>
ZWALK_HD V lennard_jones(V d2) {
    V const i2 = V(1) / d2, i6 = i2 * i2 * i2;
    return V(24) * i2 * i6 * (V(1) - V(2) * i6);
}

template <int D, class T>
struct LennardJones : Types<D, T> {
    using Base = Types<D, T>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State;
    static constexpr Uses uses{.cutoff = true, .displacement = true, .lanes = true};
    T radius2;
    Vec<D, T>* force = nullptr;

    ZWALK_HD Decision decide(Node const&, Node const&, Range<T> d) const {
        return d.lo2 <= radius2 ? Decision::descend : Decision::discard;
    }
    ZWALK_HD T cutoff2() const { return radius2; }
    template <class V>
    using Fold = Vec<D, V>;
    ZWALK_HD Fold<T> begin(Target const&, State) const { return {}; }
    template <class V>
    ZWALK_HD void visit(Fold<V>& f, Target const&, auto const&, V d2, Vec<D, V> const& dx) const {
        auto const is_near = (d2 > 0) & (d2 <= radius2);
        if (!any_of(is_near)) return;
        V const w = select(is_near, lennard_jones(d2), 0);
        for (int i = 0; i < D; ++i) f[i] = fma_of(w, dx[i], f[i]);
    }
    ZWALK_HD void join(Fold<T>& f, auto const& lanes) const {
        for (int i = 0; i < D; ++i) f[i] += sum_of(lanes[i]);
    }
    ZWALK_HD void end(Fold<T> const& f, Target const& p) const { force[p.index] = f; }
};

}  // namespace authors
