// Gravity on CPU threads: what driver.hpp has, and periodic boxes.
#pragma once
#include "driver.hpp"
#include "images.hpp"

namespace zwalk::inline v0::detail {

template <class T>
Vec<3, double> middle_of(Cpu& place, Tree<T, Cpu> const& tree) {
    Vec<3, double> middle;
    for (int j = 0; j < 3; ++j) {
        auto const [lo, hi] = bounds_of(place, tree, j);
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
    LatticeField const field(box, middle_of(place, tree), tree.size(), [&](std::size_t i) {
        return LatticeField::Mass{at(i), double(masses[i].mass)};
    });
    place.for_each(tree.size(), [&](std::size_t i) {
        auto const pull = field.at(at(i));
        trait.potential[i] -= T(pull.sum);
        for (int j = 0; j < 3; ++j) trait.acceleration[i][j] += T(pull.gradient[j]);
    });
    return counts;
}

}  // namespace zwalk::inline v0::detail
