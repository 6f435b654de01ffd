// Gravity on any place: masses and lengths in units that keep powers of them in range, the walk, and results in the order asked
// for.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithm.hpp"
#include "images.hpp"
#include "zwalk/core/least_normal.hpp"
#include "zwalk/exec/columns_on.hpp"
#include "zwalk/run/instance.hpp"
#include "zwalk/tree/copy_tree.hpp"

namespace zwalk::inline v0::detail {

/// Where a tree's points begin and end along an axis, by its coarsest plane.
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

/// The sources of a walk in a periodic box in one process, on its place; made by threads of the host.
template <int order, class T, class P>
class PeriodicPart {
  public:
    PeriodicPart(P& place, PreparedPoints<T, P> const& points, GravityOptions const& o,
                 double unit_of_mass, double unit_of_length) {
        auto const make = [&](Cpu const& host, Tree<T, Cpu> const& tree) {
            auto const rows = masses_in<T>(unit_of_mass, o.masses, tree.size());
            std::vector<PointMass<T>> masses(rows.size());
            for (std::size_t i = 0; i < rows.size(); ++i) masses[i] = rows[tree.input[i]];
            all_ = periodic_sources(host, gravity_trait<order, T>(o, unit_of_length), tree,
                                    std::span<PointMass<T> const>(masses), points.period,
                                    in_unit(points.extent, points.unit));
        };
        if constexpr (is_device<P>) {
            Cpu host;
            auto const tree = copy_tree(host, place, points.tree);
            host.run([&] { make(host, tree); });
            there_ = copy_tree(place, host, all_.near.tree);
            all_.near.tree = {};
        } else {
            make(place, points.tree);
        }
        part.targets = all_.near.targets;
        part.size = points.tree.size();
        part.masses = all_.near.masses;
        part.unit_of_mass = unit_of_mass;
        part.unit_of_length = unit_of_length;
        part.known = &all_.near.known;
        part.far = all_.far;
    }
    PeriodicPart(PeriodicPart const&) = delete;
    PeriodicPart& operator=(PeriodicPart const&) = delete;

    [[nodiscard]] Tree<T, P> const& tree() const {
        if constexpr (is_device<P>) return there_;
        else return all_.near.tree;
    }
    GravityPart<order, T> part;

  private:
    PeriodicSources<order, T> all_;
    Tree<T, P> there_;  // devices
};

/// Results in the units of the input, and in rows as the user wants them; for Place::for_each.
template <class T>
struct FinishForces {
    Vec<3, T> const* acceleration;
    T const* potential;
    Pull<T> const* far;  ///< beside these, of each point; null: none
    pos_t const* row;    ///< of each point; null: its position
    T unit_of_acceleration, unit_of_potential;
    int dim;
    T *accelerations, *potentials;
    ZWALK_HD void operator()(std::size_t i) const {
        std::size_t const to = row ? row[i] : i;
        for (int j = 0; j < dim; ++j) {  // no array of a thread's own, which would be memory on a GPU
            T a = acceleration[i][j];
            if (far) a += far[i].gradient[j];
            accelerations[to * std::size_t(dim) + std::size_t(j)] = a * unit_of_acceleration;
        }
        T p = potential[i];
        if (far) p -= far[i].sum;
        potentials[to] = p * unit_of_potential;
    }
};

/// Flags what ForcesInRange counts; for Place::for_each.
template <class T>
struct FlagForces {
    Vec<3, T> const* acceleration;
    Pull<T> const* far;  ///< beside these; null: none
    T unit;
    std::uint8_t *pulled, *held;
    ZWALK_HD void operator()(std::size_t i) const {
        T most = 0;
        for (int j = 0; j < 3; ++j)
            most = max_of(most, abs_of(acceleration[i][j] + (far ? far[i].gradient[j] : T(0))));
        pulled[i] = most > 0;
        held[i] = most * unit >= least_normal<T> && most * unit < infinity<T>;
    }
};

template <class T, class P>
ForcesInRange forces_in_range(P& place, std::size_t n, FlagForces<T> flags) {
    auto pulled = place.template buffer<std::uint8_t>(n), held = place.template buffer<std::uint8_t>(n);
    flags.pulled = pulled.data();
    flags.held = held.data();
    place.for_each(n, flags);
    if (n == 0) return {};
    return {place.count(pulled.data(), n), place.count(held.data(), n)};
}

template <int order>
template <int D, class T, class P>
GravityResult<T, P> GravityByOrder<order>::run(P& place, RunPoints<T, P>& points,
                                               GravityTask<order, T> const& task) {
    GravityOptions const& o = task.options;
    Tree<T, P> const& own = points->tree;
    auto const* part = task.part;
    std::size_t const n = part ? part->size : own.size(), dim = std::size_t(points->dim);
    GravityResult<T, P> r;
    r.rows = n;
    r.columns = dim;
    r.expansion_order = order;
    r.opening = o.opening;
    RunPhases phases(place);
    T const unit = T(part ? part->unit_of_mass : unit_of_mass(largest_mass(o.masses)));
    double const length = part             ? part->unit_of_length
                          : n == 0         ? 1
                          : is_periodic(o) ? unit_of_length(double(points->period[0]))
                                           : unit_of_length(extent_of(place, own));
    std::optional<PeriodicPart<order, T, P>> periodic;
    if (!part && n > 0 && is_periodic(o)) {
        periodic.emplace(place, *points, o, double(unit), length);
        part = &periodic->part;
        phases.end(r.stats, "images");
    }
    Tree<T, P> const& tree = periodic ? periodic->tree() : own;
    auto masses = [&]() -> ColumnsOn<PointMass<T>, P> {
        if (!part) return {place, masses_in<T>(double(unit), o.masses, n), own.input};
        return {place, part->masses};
    }();
    auto acceleration = place.template buffer<Vec<3, T>>(n);
    auto potential = place.template buffer<T>(n);
    phases.end(r.stats, "masses");

    WalkCounts counts;
    if (n > 0) {
        auto trait = gravity_trait<order, T>(o, length);
        trait.acceleration = acceleration.data();
        trait.potential = potential.data();
        WalkInputs<Gravity<order, T>> inputs{masses.view(), masses.view()};
        if (part) inputs.targets = part->targets, inputs.known = part->known;
        counts = walk(place, trait, Open<D, T>{}, tree, tree, inputs);
    }
    phases.end(r.stats, "walk");
    masses = {};

    auto const far = copy_to(place, part ? part->far : std::span<Pull<T> const>());
    r.accelerations = place.template buffer<T>(n * dim);
    r.potentials = place.template buffer<T>(n);
    bool const in_z_order = task.part || o.order == Order::z;
    T const acceleration_unit = T(std::ldexp(double(unit), -2 * task.unit.exponent())),
            potential_unit = T(std::ldexp(double(unit), -task.unit.exponent()));
    place.for_each(
        n, FinishForces<T>{acceleration.data(), potential.data(), far.size() > 0 ? far.data() : nullptr,
                           in_z_order ? nullptr : own.input.data(), acceleration_unit, potential_unit,
                           int(dim), r.accelerations.data(), r.potentials.data()});
    if (!task.unit.is_plain()) {
        auto const counted =
            forces_in_range(place, n,
                            FlagForces<T>{acceleration.data(), far.size() > 0 ? far.data() : nullptr,
                                          acceleration_unit, nullptr, nullptr});
        if (task.part && task.part->in_range) *task.part->in_range = counted;
        else if (counted.most_are_lost()) refuse_forces<T>();
    }
    add_counts(r.stats, place, own, counts);
    if (!task.part) r.z_order = points.take_order(place);
    phases.end(r.stats, "order");
    return r;
}

}  // namespace zwalk::inline v0::detail
