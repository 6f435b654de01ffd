// The trait of a round on every group, instruction set and tree.
#include "support/everywhere.hpp"

#include "emst/rounds.hpp"
#include "forest.hpp"
#include "zwalk/emst/trait.hpp"

using namespace test;

namespace {

/// Rounds with short lists, so that most edges are found by walks, and short chunks.
template <int D, class T, Ways ways = Ways::all, class Space>
void check_rounds(Space const& space, Rows<D, T> const& rows, int min_samples, pos_t listed,
                  std::vector<double> const& box = {}) {
    check_everywhere<ways>(
        expected_edges<D>(rows, min_samples, box),
        [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
            auto const tree = build_tree(cpu, view<D>(rows), D, options);
            auto near = brute_neighbourhood<D>(rows, min_samples, listed, box);
            detail::TreeGrower<T> grower(cpu, near.points, listed, min_samples > 1,
                                         std::move(near.step2), 5);
            for (pos_t i = near.points; i-- > 0;) {  // lists come in any order
                std::copy(near.list[i].begin(), near.list[i].end(), grower.neighbours(i));
                grower.filled(i, min_samples > 1 ? near.core2[i] : T(0));
            }
            Stats stats;
            auto const edges = grower.grow(
                [&](Fragments<T> const& fragments, ColumnsView<FragmentPoint<T>> const& known,
                    pos_t excluded) {
                    LeastEdges<D, T> trait;
                    trait.fragments = fragments;
                    trait.excluded = excluded;
                    walker(trait, space, tree, tree, WalkInputs<LeastEdges<D, T>>{known, known});
                    return WalkCounts{};
                },
                stats);
            EdgeRows<T> found;
            for (auto const& e : edges) found.push_back({std::sqrt(e.w2), e.a, e.b});
            std::sort(found.begin(), found.end());
            return found;
        });
}

}  // namespace

TEST_CASE("EMST trait: trees equal Prim's") {
    for (auto const& kind : plain_kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 300, 21);
        check_rounds<3, float>(Open<3, float>{}, rows, 1, 1);
        check_rounds<3, float>(Open<3, float>{}, rows, 4, 4);
    }
    check_rounds<2, double, Ways::few>(Periodic<2, double>{{1, 1}},
                                       make_points<2, double>("uniform", 500, 4), 1, 2, {1, 1});
    check_rounds<2, double, Ways::few>(Periodic<2, double>{{1, 1}},
                                       make_points<2, double>("clustered", 500, 4), 5, 5, {1, 1});
}
