// Density peaks over all pairs, and their clusters step by step.
#pragma once
#include <algorithm>
#include <numeric>

#include "support/brute_knn.hpp"
#include "zwalk/peaks/peaks.hpp"

namespace test {

/// A decision graph, in input order.
template <class T>
struct Graph {
    std::vector<T> radius, delta;
    std::vector<index_t> nearest_denser;
};

/// The definition, step by step: O(n^2 log n).
template <class T>
Graph<T> brute_peaks(Points<T> points, PeaksOptions const& o) {
    auto const n = points.size;
    InRange<T> const all(points, o.box);
    Graph<T> r{std::vector<T>(n, infinity<T>), std::vector<T>(n, infinity<T>),
               std::vector<index_t>(n, -1)};
    auto const k = std::size_t(o.k);
    for (std::size_t i = 0; i < n && k <= n; ++i) {
        std::vector<T> d2(n);
        for (std::size_t j = 0; j < n; ++j) d2[j] = all.distance2(i, j);
        std::nth_element(d2.begin(), d2.begin() + std::ptrdiff_t(k - 1), d2.end());
        r.radius[i] = all.distance(d2[k - 1]);
    }
    // Of equally near ones the first in z-order.
    auto const z = z_order(all.first());
    for (std::size_t i = 0; i < n; ++i) {
        T nearest = infinity<T>;
        for (std::size_t const j : z) {
            bool const is_denser = std::pair(r.radius[j], j) < std::pair(r.radius[i], i);
            if (!is_denser || !(all.distance2(i, j) < nearest)) continue;
            nearest = all.distance2(i, j);
            r.nearest_denser[i] = index_t(j);
        }
        r.delta[i] = all.distance(nearest);
    }
    return r;
}

template <class Result, class T>
bool graph_is(Result const& r, Graph<T> const& expected) {
    return listed(r.radius) == expected.radius && listed(r.delta) == expected.delta &&
           listed(r.nearest_denser) == expected.nearest_denser;
}

/// density_peaks() finds what brute force finds, on one thread and on several.
template <int D, class T>
bool peaks_right(Rows<D, T> const& rows, PeaksOptions const& o) {
    auto const expected = brute_peaks(view<D>(rows), o);
    for (int threads : {1, 3})
        if (!graph_is(density_peaks(rows, o, Cpu(threads)), expected)) return false;
    return true;
}

/// The cut of a graph, by its definition: centres, the densest first, and labels that go down the order of density.
template <class T>
std::pair<std::vector<index_t>, std::vector<index_t>> brute_cut(Graph<T> const& graph,
                                                                PeaksCut const& cut) {
    std::vector<std::size_t> order(graph.radius.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return graph.radius[a] < graph.radius[b]; });
    std::vector<std::size_t> centres;
    for (auto const i : order)
        if (graph.delta[i] > cut.min_delta && graph.radius[i] <= cut.max_radius) centres.push_back(i);
    if (cut.clusters > 0) {
        auto const ratio = [&](auto i) {
            return std::isinf(graph.delta[i]) ? infinity<double>
                                              : double(graph.delta[i]) / double(graph.radius[i]);
        };
        auto best = centres;
        std::sort(best.begin(), best.end());
        std::stable_sort(best.begin(), best.end(), [&](auto a, auto b) {
            return std::pair(ratio(a), graph.delta[a]) > std::pair(ratio(b), graph.delta[b]);
        });
        best.resize(std::min(best.size(), std::size_t(cut.clusters)));
        std::erase_if(centres,
                      [&](auto i) { return std::find(best.begin(), best.end(), i) == best.end(); });
    }
    std::vector<index_t> labels(order.size(), -1);
    for (auto const i : order) {
        auto const centre = std::find(centres.begin(), centres.end(), i);
        if (centre != centres.end()) labels[i] = centre - centres.begin();
        else if (graph.nearest_denser[i] >= 0) labels[i] = labels[std::size_t(graph.nearest_denser[i])];
    }
    return {std::vector<index_t>(centres.begin(), centres.end()), labels};
}

}  // namespace test
