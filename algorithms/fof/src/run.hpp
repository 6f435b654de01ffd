// Friends-of-friends for one compiled dimension: build and walk. Included by the generated instances only.
#pragma once
#include "../../common/dispatch.hpp"
#include "job.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/joint.hpp"
#include "zwalk/walk/links.hpp"
#include "zwalk/walk/walk.hpp"

namespace zwalk::inline v0::detail {

template <int D, class T>
FofResult<T> run_fof(Cpu const& cpu, FofJob<T> const& job) {
    BuildSeconds built;
    auto tree = build_tree(cpu, job.points, D, job.tree, &built);
    double const start = now_seconds();
    FofResult<T> result;
    result.root = links_init(cpu, tree.size());
    using Trait = Fof<D, T>;
    WalkInputs<Trait> inputs;
    inputs.links = result.root.data();
    WalkCounts const counts = with_space<D>(job.period, [&](auto const& space) {
        return walk(cpu, Trait(job.linking_length), space, tree, tree, inputs);
    });
    links_settle(cpu, result.root);
    result.stats = {{{"walk", now_seconds() - start}},
                    {{"node_entries", counts.node_entries},
                     {"leaf_entries", counts.leaf_entries},
                     {"leaves", tree.planes.empty() ? 0 : tree.planes.front().nodes()},
                     {"planes", tree.planes.size()}}};
    add_build(result.stats, built);
    result.z_order = std::move(tree.input);
    return result;
}

}  // namespace zwalk::inline v0::detail
