// Neighbours and rounds on CPU threads, for one compiled dimension.
#pragma once
#include <algorithm>

#include "algorithm.hpp"
#include "edges.hpp"
#include "forest.hpp"
#include "rule.hpp"
#include "zwalk/emst/trait.hpp"
#include "zwalk/knn/search.hpp"
#include "zwalk/run/instance.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/tree/joint.hpp"
#include "zwalk/tree/steps_along_order.hpp"
#include "zwalk/walk/walk.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Hands what kNN finds to the tree that grows from it.
template <class T>
struct TakeNeighbours {
    TreeGrower<T>* grower;
    int core_neighbour = -1;   ///< which neighbour is at the core distance, if any is asked for
    T const* core2 = nullptr;  ///< where core distances are known already: squared, by position

    void operator()(index_t row, Neighbours<T> const& n) const {
        Key<T>* const out = grower->neighbours(pos_t(row));
        for (int i = 0; i < n.size(); ++i) out[i] = {n.scaled_distance2(i), pos_t(n.index(i))};
        if (core2) grower->filled(pos_t(row), core2[row]);
        else grower->filled(pos_t(row), core_neighbour < 0 ? T(0) : n.scaled_distance2(core_neighbour));
    }
};

template <int D, class T>
Buffer<T> steps_along_order(Cpu const& cpu, Tree<T, Cpu> const& tree, std::vector<T> const& period) {
    auto step2 = cpu.buffer<T>(tree.size() - 1);
    StepsAlongOrder<D, T, Periodic<D, T>> const step{tree.template points<D>(),
                                                     periodic_space<D>(period), step2.data()};
    cpu.for_each(step2.size(), step);
    return step2;
}

template <int D, class T>
WalkCounts search_edges(Cpu& cpu, PreparedPoints<T, Cpu> const& points, EdgeSearch<T> const& search) {
    LeastEdges<D, T> trait;
    trait.fragments = search.fragments;
    trait.excluded = search.excluded;
    trait.reach2 = search.reach2;
    WalkInputs<LeastEdges<D, T>> inputs{search.known, search.known};
    inputs.targets = search.targets;
    return with_space<D>(points.period, [&](auto const& space) {
        return walk(cpu, trait, space, points.tree, points.tree, inputs);
    });
}
template <int D, class T>
WalkCounts EdgeSearching::run(Cpu& cpu, RunPoints<T, Cpu>& points, EdgeSearch<T> const& search) {
    return search_edges<D>(cpu, *points, search);
}

/// The tree of at least two points.
/// @param core2_known  squared core distances, by position, if they aren't those among these points; else null
template <int D, class T>
GrownTree<T, Cpu> grow_tree(Cpu& cpu, PreparedPoints<T, Cpu> const& points, int min_samples,
                            T const* core2_known, Stats& stats) {
    Tree<T, Cpu> const& tree = points.tree;
    double const start = now_seconds();
    pos_t const n = tree.size(), k = listed_neighbours(n, pos_t(min_samples));
    bool const mutual = min_samples > 1;
    TreeGrower<T> grower(cpu, n, k, mutual, steps_along_order<D>(cpu, tree, points.period),
                         chunk_log2(n, k, cpu.threads()));
    TakeNeighbours<T> const take{&grower, mutual ? min_samples - 2 : -1,  // among the others
                                 core2_known};
    RunPoints<T, Cpu> shown(points);
    NearestAsked<T, Cpu> neighbours{{.k = index_t(k), .exclude_self = true}};
    neighbours.visitor = make_visitor<T>(take);
    (void)Instance<NearestSearching, D, T, Cpu>::run(cpu, shown, neighbours);
    stats.seconds.emplace_back("neighbours", now_seconds() - start);
    add_tree_counts(stats, tree);
    auto const search = [&](Fragments<T> const& fragments, ColumnsView<FragmentPoint<T>> const& known,
                            pos_t excluded) {
        return search_edges<D, T>(cpu, points, {fragments, known, excluded});
    };
    auto edges = grower.grow(search, stats);
    return {std::move(edges), grower.take_core2()};
}

template <int D, class T>
Buffer<Edge<T>> OwnTree::run(Cpu& cpu, RunPoints<T, Cpu>& points, OwnTreeTask<T> const& task) {
    if (points->tree.size() < 2) return {};
    Stats stats;
    auto edges = grow_tree<D>(cpu, *points, task.min_samples, task.core2, stats).edges;
    sort_edges(cpu, edges);
    return edges;
}

template <int D, class T>
EmstResult<T> EmstAlgorithm::run(Cpu& cpu, RunPoints<T, Cpu>& points, EmstOptions const& options) {
    EmstResult<T> r;
    if (points->tree.size() < 2) return r;
    auto tree = grow_tree<D, T>(cpu, *points, options.min_samples, nullptr, r.stats);
    // The result takes the memory that all else has had: fresh pages were a third of its time.
    auto const rows = points.take_order(cpu);
    points.drop_tree();
    write_result<T>(cpu, std::move(tree.edges), tree.core2, rows, r);
    return r;
}

}}}  // namespace zwalk::v0::detail
