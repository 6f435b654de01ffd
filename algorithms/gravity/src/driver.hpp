// Gravity: masses and lengths in units that keep powers of them in range, the walk, and results in the order asked for.
#pragma once
#include <algorithm>
#include <utility>

#include "algorithm.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/run/instance.hpp"

namespace zwalk::inline v0::detail {

/// The largest extent of a tree's points.
template <class T>
double extent_of(Tree<T, Cpu> const& tree) {
    auto const top = tree.template plane<3>(tree.planes.size() - 1);
    double most = 0;
    for (int j = 0; j < 3; ++j) {
        auto const [lo, hi] = std::pair(top.lo_from(j, 0), top.hi_from(j, 0));
        pos_t const n = tree.planes.back().nodes();
        most = std::max(most,
                        double(*std::max_element(hi, hi + n)) - double(*std::min_element(lo, lo + n)));
    }
    return most;
}

template <int order>
template <int D, class T, class P>
GravityResult<T> GravityByOrder<order>::run(P& place, RunPoints<T, P>& points,
                                            GravityTask<order, T> const& task) {
    GravityOptions const& o = task.options;
    auto const* const part = task.part;
    Tree<T, P> const& tree = points->tree;
    std::size_t const n = part ? part->size : tree.size(), dim = std::size_t(points->dim);
    GravityResult<T> r;
    r.rows = n;
    r.columns = dim;
    r.expansion_order = order;
    r.opening = o.opening;
    RunPhases phases(place);
    T const unit = T(part ? part->unit_of_mass : unit_of_mass(largest_mass(o.masses)));
    ColumnsOn<PointMass<T>, P> own;
    if (!part) own = {place, masses_in<T>(double(unit), o.masses, n), tree.input};
    auto acceleration = place.template buffer<Vec<3, T>>(n);
    auto potential = place.template buffer<T>(n);
    phases.end(r.stats, "masses");

    WalkCounts counts;
    if (n > 0) {
        auto trait =
            gravity_trait<order, T>(o, part ? part->unit_of_length : unit_of_length(extent_of(tree)));
        trait.acceleration = acceleration.data();
        trait.potential = potential.data();
        auto const masses = part ? part->masses : own.view();
        WalkInputs<Gravity<order, T>> inputs{masses, masses};
        if (part) inputs.targets = part->targets, inputs.known = part->known;
        counts = walk(place, trait, Open<D, T>{}, tree, tree, inputs);
    }
    phases.end(r.stats, "walk");

    r.accelerations = place.template buffer<T>(n * dim);
    r.potentials = place.template buffer<T>(n);
    bool const in_z_order = part || o.order == Order::z;
    place.for_each(n, [&](std::size_t i) {
        std::size_t const row = in_z_order ? i : tree.input[i];
        for (std::size_t j = 0; j < dim; ++j)
            r.accelerations[row * dim + j] = acceleration[i][int(j)] * unit;
        r.potentials[row] = potential[i] * unit;
    });
    add_counts(r.stats, place, tree, counts);
    if (!part) r.z_order = points.take_order(place);
    phases.end(r.stats, "order");
    return r;
}

}  // namespace zwalk::inline v0::detail
