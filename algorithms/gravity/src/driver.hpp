// Gravity: masses and lengths in units that keep powers of them in range, the walk, and results in the order asked for.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "algorithm.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/gravity/trait.hpp"
#include "zwalk/run/instance.hpp"

namespace zwalk::inline v0::detail {

/// The smallest power of two > x; 1 for 0.
inline double power_of_two(double x) {
    int exponent = 0;
    (void)std::frexp(x, &exponent);
    return std::ldexp(1, exponent);
}

/// A length to measure nodes by: a thousandth of the largest extent, as a power of two. The smallest and the largest distance
/// that expansions see are about as many orders of magnitude away from it.
template <class T>
double unit_of_length(Tree<T, Cpu> const& tree) {
    auto const top = tree.planes.back().template view<3>();
    double most = 0;
    for (int j = 0; j < 3; ++j) {
        auto const [lo, hi] = std::pair(top.lo_from(j, 0), top.hi_from(j, 0));
        pos_t const n = tree.planes.back().nodes();
        most = std::max(most,
                        double(*std::max_element(hi, hi + n)) - double(*std::min_element(lo, lo + n)));
    }
    return power_of_two(most / 1024);
}

/// Masses as multiples of `unit`, one if there are none.
template <class T>
std::vector<PointMass<T>> masses_in(double unit, std::span<double const> masses, std::size_t n) {
    std::vector<PointMass<T>> rows(n, {T(1)});
    if (!masses.empty())
        for (std::size_t i = 0; i < n; ++i) rows[i].mass = T(masses[i] / unit);
    return rows;
}

template <int order>
template <int D, class T, class P>
GravityResult<T> GravityByOrder<order>::run(P& place, RunPoints<T, P>& points, GravityOptions const& o) {
    Tree<T, P> const& tree = points->tree;
    std::size_t const n = tree.size(), dim = std::size_t(points->dim);
    GravityResult<T> r;
    r.rows = n;
    r.columns = dim;
    r.expansion_order = order;
    r.opening = o.opening;
    RunPhases phases(place);
    double most = 0;
    for (double const m : o.masses) most = std::max(most, m);
    T const unit = o.masses.empty() ? T(1) : T(power_of_two(most));
    ColumnsOn<PointMass<T>, P> const masses(place, masses_in<T>(double(unit), o.masses, n), tree.input);
    auto acceleration = place.template buffer<Vec<3, T>>(n);
    auto potential = place.template buffer<T>(n);
    phases.end(r.stats, "masses");

    WalkCounts counts;
    if (n > 0) {
        Gravity<order, T> trait;
        trait.opening2 = T(o.opening * o.opening);
        trait.softening2 = T(o.softening) * T(o.softening);
        trait.per_unit = 1 / unit_of_length(tree);
        trait.acceleration = acceleration.data();
        trait.potential = potential.data();
        counts = walk(place, trait, Open<D, T>{}, tree, tree,
                      WalkInputs<Gravity<order, T>>{masses.view(), masses.view()});
    }
    phases.end(r.stats, "walk");

    r.accelerations = place.template buffer<T>(n * dim);
    r.potentials = place.template buffer<T>(n);
    bool const in_z_order = o.order == Order::z;
    place.for_each(n, [&](std::size_t i) {
        std::size_t const row = in_z_order ? i : tree.input[i];
        for (std::size_t j = 0; j < dim; ++j)
            r.accelerations[row * dim + j] = acceleration[i][int(j)] * unit;
        r.potentials[row] = potential[i] * unit;
    });
    add_counts(r.stats, place, tree, counts);
    r.z_order = points.take_order(place);
    phases.end(r.stats, "order");
    return r;
}

}  // namespace zwalk::inline v0::detail
