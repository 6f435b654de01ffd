// Gravity on any place: masses and lengths in units that keep powers of them in range, the walk, and results in the order asked
// for.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "algorithm.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/run/instance.hpp"

namespace zwalk::inline v0::detail {

/// Where a tree's points begin and end along an axis, as its coarsest plane says.
template <class T, class P>
std::pair<double, double> bounds_of(P& place, Tree<T, P> const& tree, int axis) {
    auto const top = tree.template plane<3>(tree.planes.size() - 1);
    std::vector<T> lo(top.nodes), hi(top.nodes);
    place.download(lo.data(), top.lo_from(axis, 0), lo.size());
    place.download(hi.data(), top.hi_from(axis, 0), hi.size());
    return {double(*std::min_element(lo.begin(), lo.end())),
            double(*std::max_element(hi.begin(), hi.end()))};
}
/// The largest extent of a tree's points.
template <class T, class P>
double extent_of(P& place, Tree<T, P> const& tree) {
    double most = 0;
    for (int j = 0; j < 3; ++j) {
        auto const [lo, hi] = bounds_of(place, tree, j);
        most = std::max(most, hi - lo);
    }
    return most;
}

/// In a periodic box; on CPU threads only (cpu_driver.hpp).
template <int order, class T>
WalkCounts walk_periodic(Cpu& place, Gravity<order, T> const& trait, std::vector<T> const& period,
                         Tree<T, Cpu> const& tree, ColumnsView<PointMass<T>> const& masses, Stats& stats,
                         RunPhases<Cpu>& phases);

/// Results in units of masses, and in rows as the user wants them; for Place::for_each.
template <class T>
struct FinishForces {
    Vec<3, T> const* acceleration;
    T const* potential;
    pos_t const* row;  ///< of each point; null: its position
    T unit;
    int dim;
    T *accelerations, *potentials;
    ZWALK_HD void operator()(std::size_t i) const {
        std::size_t const to = row ? row[i] : i;
        for (int j = 0; j < dim; ++j)
            accelerations[to * std::size_t(dim) + std::size_t(j)] = acceleration[i][j] * unit;
        potentials[to] = potential[i] * unit;
    }
};

template <int order>
template <int D, class T, class P>
GravityResult<T, P> GravityByOrder<order>::run(P& place, RunPoints<T, P>& points,
                                               GravityTask<order, T> const& task) {
    GravityOptions const& o = task.options;
    auto const* const part = task.part;
    Tree<T, P> const& tree = points->tree;
    std::size_t const n = part ? part->size : tree.size(), dim = std::size_t(points->dim);
    GravityResult<T, P> r;
    r.rows = n;
    r.columns = dim;
    r.expansion_order = order;
    r.opening = o.opening;
    RunPhases phases(place);
    T const unit = T(part ? part->unit_of_mass : unit_of_mass(largest_mass(o.masses)));
    auto const masses = [&]() -> ColumnsOn<PointMass<T>, P> {
        if (!part) return {place, masses_in<T>(double(unit), o.masses, n), tree.input};
        return {place, part->masses};
    }();
    auto acceleration = place.template buffer<Vec<3, T>>(n);
    auto potential = place.template buffer<T>(n);
    phases.end(r.stats, "masses");

    WalkCounts counts;
    if (n > 0) {
        double const length = part             ? part->unit_of_length
                              : is_periodic(o) ? unit_of_length(double(points->period[0]))
                                               : unit_of_length(extent_of(place, tree));
        auto trait = gravity_trait<order, T>(o, length);
        trait.acceleration = acceleration.data();
        trait.potential = potential.data();
        auto const in_open_space = [&] {
            WalkInputs<Gravity<order, T>> inputs{masses.view(), masses.view()};
            if (part) inputs.targets = part->targets, inputs.known = part->known;
            return walk(place, trait, Open<D, T>{}, tree, tree, inputs);
        };
        if constexpr (is_device<P>) counts = in_open_space();
        else
            counts = is_periodic(o) ? walk_periodic(place, trait, points->period, tree, masses.view(),
                                                    r.stats, phases)
                                    : in_open_space();
    }
    phases.end(r.stats, "walk");

    r.accelerations = place.template buffer<T>(n * dim);
    r.potentials = place.template buffer<T>(n);
    bool const in_z_order = part || o.order == Order::z;
    place.for_each(n, FinishForces<T>{acceleration.data(), potential.data(),
                                      in_z_order ? nullptr : tree.input.data(), unit, int(dim),
                                      r.accelerations.data(), r.potentials.data()});
    add_counts(r.stats, place, tree, counts);
    if (!part) r.z_order = points.take_order(place);
    phases.end(r.stats, "order");
    return r;
}

}  // namespace zwalk::inline v0::detail
