// Friends-of-friends on any place: walk, labels.
#pragma once
#include "zwalk/fof/algorithm.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/run/instance.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/walk/groups.hpp"
#include "zwalk/walk/inputs.hpp"
#include "zwalk/walk/links.hpp"

namespace zwalk::inline v0::detail {

template <int D, class T, class P>
FofResult<P> FofAlgorithm::run(P& place, RunPoints<T, P>& points, FofOptions const& options) {
    FofResult<P> r;
    Tree<T, P> const& tree = points->tree;
    RunPhases phases(place);
    using Trait = Fof<D, T>;
    r.root = links_init(place, tree.size());
    WalkInputs<Trait> inputs;
    inputs.links = r.root.data();
    auto const counts = with_space<D>(points->period, [&](auto const& space) {
        return walk(place, Trait(T(options.linking_length)), space, tree, tree, inputs);
    });
    links_settle(place, r.root);
    phases.end(r.stats, "walk");

    auto found = label_groups(place, r.root, tree.input, options.order);
    r.labels = std::move(found.labels);
    r.groups = found.groups;
    phases.end(r.stats, "labels");
    add_counts(r.stats, place, tree, counts);
    r.z_order = points.take_order(place);
    return r;
}

}  // namespace zwalk::inline v0::detail
