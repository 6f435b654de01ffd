// Gravity: masses and lengths in units that keep powers of them in range, the walk, and results in the order asked for.
#pragma once
#include <algorithm>
#include <utility>

#include "algorithm.hpp"
#include "images.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/run/instance.hpp"

namespace zwalk::inline v0::detail {

/// Where a tree's points begin and end along an axis.
template <class T>
std::pair<double, double> bounds_of(Tree<T, Cpu> const& tree, int axis) {
    auto const top = tree.template plane<3>(tree.planes.size() - 1);
    auto const [lo, hi] = std::pair(top.lo_from(axis, 0), top.hi_from(axis, 0));
    pos_t const n = tree.planes.back().nodes();
    return {double(*std::min_element(lo, lo + n)), double(*std::max_element(hi, hi + n))};
}
/// The largest extent of a tree's points.
template <class T>
double extent_of(Tree<T, Cpu> const& tree) {
    double most = 0;
    for (int j = 0; j < 3; ++j) {
        auto const [lo, hi] = bounds_of(tree, j);
        most = std::max(most, hi - lo);
    }
    return most;
}
template <class T>
Vec<3, double> middle_of(Tree<T, Cpu> const& tree) {
    Vec<3, double> middle;
    for (int j = 0; j < 3; ++j) {
        auto const [lo, hi] = bounds_of(tree, j);
        middle[j] = lo + (hi - lo) / 2;
    }
    return middle;
}

/// Where masses repeat: the walk has images as further sources, and what is too far for these is added to its results.
template <int order, class T>
WalkCounts walk_periodic(Cpu& place, Gravity<order, T> const& trait, std::vector<T> const& period,
                         Tree<T, Cpu> const& tree, ColumnsView<PointMass<T>> const& masses, Stats& stats,
                         RunPhases<Cpu>& phases) {
    std::array<double, 3> const box{double(period[0]), double(period[1]), double(period[2])};
    auto const all = Images<order, T>(place, trait, tree, masses, box).run();
    phases.end(stats, "images");
    WalkInputs<Gravity<order, T>> inputs{all.masses.view(), all.masses.view()};
    inputs.targets = all.targets;
    inputs.known = &all.known;
    auto const counts = walk(place, trait, Open<3, T>{}, all.tree, all.tree, inputs);

    auto const x = tree.template points<3>();
    auto const at = [&](std::size_t i) {
        auto const p = x.point(pos_t(i));
        return Vec<3, double>{double(p[0]), double(p[1]), double(p[2])};
    };
    LatticeField const field(box, middle_of(tree), tree.size(), [&](std::size_t i) {
        return LatticeField::Mass{at(i), double(masses[i].mass)};
    });
    place.for_each(tree.size(), [&](std::size_t i) {
        auto const pull = field.at(at(i));
        trait.potential[i] -= T(pull.sum);
        for (int j = 0; j < 3; ++j) trait.acceleration[i][j] += T(pull.gradient[j]);
    });
    return counts;
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
        double const extent = is_periodic(o) ? double(points->period[0]) : extent_of(tree);
        auto trait = gravity_trait<order, T>(o, part ? part->unit_of_length : unit_of_length(extent));
        trait.acceleration = acceleration.data();
        trait.potential = potential.data();
        auto const masses = part ? part->masses : own.view();
        WalkInputs<Gravity<order, T>> inputs{masses, masses};
        if (part) inputs.targets = part->targets, inputs.known = part->known;
        if (!is_periodic(o)) counts = walk(place, trait, Open<D, T>{}, tree, tree, inputs);
        else counts = walk_periodic(place, trait, points->period, tree, masses, r.stats, phases);
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
