// Sources that were put together from parts, as one of several machines has them: its own points, in front of them
// those brought in from machines with lower positions, behind them the others. So a source's position in that tree
// isn't the target's own one.
#pragma once
#include "support/everywhere.hpp"
#include "zwalk/tree/concat.hpp"

namespace test {

/// Points in their ordinary tree, and the same in parts.
template <int D, class T>
struct Parts {
    Tree<T, Cpu> whole;
    std::vector<pos_t> begin;          ///< part p: positions [begin[p], begin[p + 1])
    Tree<T, Cpu> together;             ///< all of them, from trees of the parts
    std::vector<TargetNodes> targets;  ///< of each part, in that tree

    Parts(Cpu const& cpu, Rows<D, T> const& rows, TreeOptions const& options)
        : whole(build_tree(cpu, view<D>(rows), D, options)), begin{0} {
        pos_t const n = whole.size();
        std::vector<Tree<T, Cpu>> own;
        pos_t node = 0;
        // Of unlike sizes, through leaves and runs of equal points; one is empty.
        for (pos_t end : {n / 5, n / 5, n / 5 + n / 2 + 1, n}) {
            end = std::min(end, n);
            Rows<D, T> part;
            for (pos_t i = begin.back(); i < end; ++i) part.push_back(rows[whole.input[i]]);
            // Built one by one, so that they are of different depths.
            own.push_back(build_tree(cpu, view<D>(part), D, options));
            pos_t const nodes = own.back().planes.empty() ? 0 : own.back().planes.back().nodes();
            targets.push_back({node, node + nodes});
            node += nodes;
            begin.push_back(end);
        }
        std::vector<Tree<T, Cpu> const*> all;
        for (auto const& tree : own) all.push_back(&tree);
        Cpu place = cpu;
        together = concat<Cpu, T>(place, all, D);
    }
};

/// run(tree, targets, begin, end) -> a vector of one value per target, those at positions [begin, end): on the whole
/// tree, as is expected; then in all ways for each part's targets in the tree that was put together.
template <int D, class T, Ways ways = Ways::all, class Run>
void check_parts(Rows<D, T> const& rows, Run const& run) {
    Cpu const one(1);
    auto const plain = [&](auto const&... arguments) { walk(one, arguments...); };
    auto const expected = one.run([&] {
        auto const tree = build_tree(one, view<D>(rows), D);
        return run(plain, tree, TargetNodes{}, 0, tree.size());
    });
    check_everywhere<ways>(
        expected, [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
            Parts<D, T> const parts(cpu, rows, options);
            auto all = expected;
            all.clear();
            for (std::size_t p = 0; p < parts.targets.size(); ++p) {
                auto const found =
                    run(walker, parts.together, parts.targets[p], parts.begin[p], parts.begin[p + 1]);
                all.insert(all.end(), found.begin(), found.end());
            }
            return all;
        });
}

}  // namespace test
