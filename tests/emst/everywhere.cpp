// The trait of a round on every group, instruction set and tree.
#include "support/everywhere.hpp"

#include <map>

#include "emst/brute.hpp"
#include "forest.hpp"
#include "zwalk/emst/trait.hpp"

using namespace test;

namespace {

/// Positions and lengths of a tree's edges, ascending.
template <class T>
using EdgeRows = std::vector<std::tuple<T, pos_t, pos_t>>;

template <int D, class T>
EdgeRows<T> expected_edges(Rows<D, T> const& rows, int min_samples, std::vector<double> const& box) {
    auto const z = z_order(view<D>(rows));
    std::vector<pos_t> position(z.size());
    for (pos_t i = 0; i < z.size(); ++i) position[z[i]] = i;
    auto const tree = prim(view<D>(rows), min_samples, box);
    EdgeRows<T> edges;
    for (std::size_t e = 0; e < tree.lengths.size(); ++e) {
        auto const [a, b] = std::minmax(position[std::size_t(tree.edges[2 * e])],
                                        position[std::size_t(tree.edges[2 * e + 1])]);
        edges.push_back({tree.lengths[e], a, b});
    }
    return edges;
}

/// Rounds with short lists, so that most edges are found by walks.
template <int D, class T, Ways ways = Ways::all, class Space>
void check_rounds(Space const& space, Rows<D, T> const& rows, int min_samples, pos_t listed,
                  std::vector<double> const& box = {}) {
    auto const z = z_order(view<D>(rows));
    auto const n = pos_t(rows.size());
    auto const core2 = min_samples > 1 ? brute_core2(view<D>(rows), z, std::size_t(min_samples), box)
                                       : std::vector<T>();
    check_everywhere<ways>(
        expected_edges<D>(rows, min_samples, box),
        [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
            auto const tree = build<D, T>(cpu, view<D>(rows), options);
            detail::Neighbourhood<T> near{n, listed, Buffer<Key<T>>(std::size_t(n) * listed),
                                          Buffer<T>(core2.size()), Buffer<T>(n - 1)};
            std::copy(core2.begin(), core2.end(), near.core2.begin());
            for (pos_t i = 0; i < n; ++i) {
                auto const keys = brute_knn(view<D>(rows), z, rows[z[i]].data(), listed, box, z[i]);
                std::copy(keys.begin(), keys.end(), near.list.begin() + i * listed);
                if (i == 0) continue;
                near.step2[i - 1] = plain_distance2(rows[z[i - 1]].data(), rows[z[i]].data(), D, box);
                if (rows[z[i - 1]] == rows[z[i]]) near.step2[i - 1] = T(-1);
            }
            Stats stats;
            auto const edges = detail::grow_tree<T>(
                std::move(near),
                [&](Fragments<T> const& fragments, pos_t excluded) {
                    LeastEdges<D, T> trait;
                    trait.fragments = fragments;
                    trait.excluded = excluded;
                    walker(trait, space, tree, tree, WalkInputs<LeastEdges<D, T>>{});
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
    for (auto const& kind : kinds()) {
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
