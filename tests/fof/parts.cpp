// Friends-of-friends in a tree that was put together from parts, the points of one part after the other as targets. Links
// are of one tree: a union-find of the core over its positions. Nothing of the trait is indexed by anything.
#include "support/parts.hpp"

#include "zwalk/fof/trait.hpp"

using namespace test;

TEST_CASE("FoF: the groups of a tree that was put together from parts") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 350, 22);
        auto const groups = [](Cpu const& cpu, auto const& walker, auto const& tree,
                               std::vector<TargetNodes> const& parts, float link) {
            auto group = links_init(cpu, tree.size());
            WalkInputs<Fof<3, float>> inputs;
            inputs.links = group.data();
            for (TargetNodes const& targets : parts) {
                inputs.targets = targets;
                inputs.grouped = &targets != &parts.front();
                walker(Fof<3, float>(link), Open<3, float>{}, tree, tree, inputs);
            }
            links_settle(cpu, group);
            return listed(group);
        };
        for (float link : {.02f, .1f}) {
            Cpu const one(1);
            auto const plain = [&](auto const&... arguments) { walk(one, arguments...); };
            auto const expected = one.run(
                [&] { return groups(one, plain, build_tree(one, view<3>(rows), 3), {{}}, link); });
            check_everywhere(expected,
                             [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
                                 Parts<3, float> const parts(cpu, rows, options);
                                 return groups(cpu, walker, parts.together, parts.targets, link);
                             });
        }
    }
}
