// Density peaks (Rodriguez and Laio 2014): the nearest point of higher density, and how far it is. Peaks are far from theirs.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "zwalk/run/point_tree.hpp"
#include "zwalk/walk/interaction.hpp"

namespace authors {
using namespace zwalk;

/// How dense it is at a point: the less, the denser.
template <class T>
struct Sparseness {
    T radius2;  ///< squared distance to the k-th neighbour
};
template <class T>
struct Sparsenesses {
    T least, most;
};
template <class T>
struct Denser {
    pos_t position = no_pos;
    T d2 = infinity<T>;
};

/// Which of two points is denser is settled by position where both are alike, which decide() can't see; it descends then.
template <int D, class T>
struct DensityPeaks : Types<D, T, Sparseness<T>, Sparsenesses<T>> {
    using Base = Types<D, T, Sparseness<T>, Sparsenesses<T>>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State;
    static constexpr Uses uses{.reach = true, .ordered = true, .summary = true};
    Denser<T>* denser = nullptr;

    ZWALK_HD Sparsenesses<T> summarize(Point const& p) const {
        return {p.payload.radius2, p.payload.radius2};
    }
    ZWALK_HD Sparsenesses<T> merge(Sparsenesses<T> a, Sparsenesses<T> b) const {
        return {min_of(a.least, b.least), max_of(a.most, b.most)};
    }

    using Reach = Key<T>;
    ZWALK_HD Reach reach_begin(Node const&) const { return {}; }
    ZWALK_HD void reach_add(Reach& r, Node const& t, Node const& s, Range<T> d) const {
        bool const serves_all = s.summary.least < t.summary.least;
        if (serves_all && Key<T>{d.hi2, s.last()} < r) r = {d.hi2, s.last()};
    }
    ZWALK_HD Key<T> reach_end(Reach const& r, Node const&) const { return r; }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        if (s.summary.least > t.summary.most) return Decision::discard;
        return Key<T>{d.lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }

    using Fold = Key<T>;
    ZWALK_HD Fold begin(Target const&, State) const { return {}; }
    ZWALK_HD void visit(Fold& best, Target const& p, Point const& q, T d2) const {
        T const own = p.payload.radius2, other = q.payload.radius2;
        bool const is_denser = other < own || (other == own && q.position < p.position);
        if (is_denser && Key<T>{d2, q.position} < best) best = {d2, q.position};
    }
    ZWALK_HD Key<T> horizon(Fold const& best) const { return best; }
    ZWALK_HD void end(Fold const& best, Target const& p) const { denser[p.index] = {best.pos, best.d2}; }
};

/// Keeps the distance to the last of the k nearest.
template <class T>
struct KeepRadius {
    T* radius2;
    template <class Found>
    ZWALK_HD void operator()(auto const& p, Found const& found) const {
        T last = 0;
        found.each([&](int, Key<T> key) { last = key.d2; });
        radius2[p.index] = last;
    }
};

/// For each point the row of the nearest denser one, -1 for the highest peak, and how far it is, squared.
template <int D, class T, class P>
std::pair<std::vector<index_t>, std::vector<T>> density_peaks(PointTree<D, T, P> const& tree, int k) {
    auto radius2 = tree.template array<T>();
    tree.nearest({.k = k}, KeepRadius<T>{radius2.data()});
    std::vector<Sparseness<T>> densities;
    for (T const r2 : radius2.in_input_order()) densities.push_back({r2});
    auto denser = tree.template array<Denser<T>>();
    DensityPeaks<D, T> trait;
    trait.denser = denser.data();
    tree.walk(trait, tree.payload(densities));
    std::vector<T> d2;
    for (auto const& found : denser.in_input_order()) d2.push_back(found.d2);
    return {tree.rows_at(denser, &Denser<T>::position), d2};
}

}  // namespace authors
