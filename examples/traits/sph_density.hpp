// Densities of particles, each smoothed over a length of its own.
#pragma once
#include "zwalk/exec/pack.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk::examples {

/// A particle: the length that its mass is smoothed over, and the mass.
template <class T>
struct Particle {
    T length, mass;
};
template <class T>
struct Longest {
    T length;
};

/// For each target the sum of m_j W(d_ij, h) over the sources; W is Wendland's kernel C2 in three dimensions, h the target's
/// length (gather) or, with `scatter`, the longer of both.
template <class T, bool scatter>
struct SphDensities : Types<3, T, Particle<T>, Longest<T>> {
    using Base = Types<3, T, Particle<T>, Longest<T>>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State;
    static constexpr Uses uses{.summary = true, .lanes = true};
    T* density;

    ZWALK_HD Longest<T> summarize(Point const& p) const { return {p.payload.length}; }
    ZWALK_HD Longest<T> merge(Longest<T> a, Longest<T> b) const { return {max_of(a.length, b.length)}; }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        T const own = t.summary.length, h = scatter ? max_of(own, s.summary.length) : own;
        return d.lo2 < h * h ? Decision::descend : Decision::discard;
    }

    template <class V>
    using Fold = V;
    ZWALK_HD T begin(Target const&, State) const { return 0; }
    template <class V>
    ZWALK_HD void visit(Fold<V>& sum, Target const& p, auto const& q, V d2) const {
        V h = p.payload.length;
        if constexpr (scatter) h = max_of(h, q.payload.length);
        auto const is_near = d2 < h * h;
        if (!any_of(is_near)) return;
        V const r = sqrt_of(d2) / h, far = V(1) - r, far2 = far * far;
        V const norm = V(T(21 / (2 * 3.14159265358979))) / (h * h * h);
        sum += select(is_near, q.payload.mass * norm * far2 * far2 * (V(1) + V(4) * r), 0);
    }
    ZWALK_HD void join(T& sum, auto const& lanes) const { sum += sum_of(lanes); }
    ZWALK_HD void end(T const& sum, Target const& p) const { density[p.index] = sum; }
};

}  // namespace zwalk::examples
