// The unique minimum spanning tree by looking at every pair.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

#include "support/brute_knn.hpp"
#include "zwalk/emst/emst.hpp"

namespace test {

/// A tree as emst() gives it: edges (i, j) of input indices, and lengths.
template <class T>
struct SpanningTree {
    std::vector<index_t> edges;
    std::vector<T> lengths, core_distances;
    bool operator==(SpanningTree const&) const = default;
};

/// Squared distance to the m-th neighbour by z-order position, each point being its own first one.
template <class T>
std::vector<T> brute_core2(Points<T> points, std::vector<pos_t> const& z, std::size_t m,
                           std::vector<double> const& box) {
    std::vector<T> core2(points.size);
    for (std::size_t i = 0; i < points.size; ++i)
        core2[i] = brute_knn(points, z, points.data + z[i] * std::size_t(points.dim), m, box)[m - 1].d2;
    return core2;
}

/// Prim's algorithm in the order (d2, smaller z-order position, larger one). O(N^2).
/// @param z, core2  input rows and squared core distances by z-order position
template <class T>
SpanningTree<T> prim_with(InRange<T> const& all, std::vector<pos_t> const& z,
                          std::vector<T> const& core2) {
    std::size_t const n = z.size();
    using Candidate = std::tuple<T, pos_t, pos_t>;
    std::vector<Candidate> best(n, {infinity<T>, no_pos, no_pos}), edges;
    std::vector<bool> inside(n);
    for (pos_t at = 0, step = 0; step < n; ++step) {
        inside[at] = true;
        pos_t next = no_pos;
        for (pos_t i = 0; i < n; ++i) {
            if (inside[i]) continue;
            T const d2 = all.distance2(z[at], z[i]);
            best[i] = std::min(best[i], Candidate{std::max({d2, core2[at], core2[i]}), std::min(at, i),
                                                  std::max(at, i)});
            if (next == no_pos || best[i] < best[next]) next = i;
        }
        if (next != no_pos) edges.push_back(best[next]);
        at = next;
    }
    std::sort(edges.begin(), edges.end());
    SpanningTree<T> tree;
    for (auto const& [w2, a, b] : edges) {
        tree.edges.push_back(std::min(z[a], z[b]));
        tree.edges.push_back(std::max(z[a], z[b]));
        tree.lengths.push_back(all.distance(w2));
    }
    return tree;
}

template <class T>
SpanningTree<T> prim(Points<T> input, int min_samples = 1, std::vector<double> const& lengths = {}) {
    InRange<T> const all(input, lengths);
    auto const points = all.first();
    auto const z = z_order(points);
    std::size_t const n = points.size;
    auto const core2 = min_samples > 1 ? brute_core2(points, z, std::size_t(min_samples), all.box())
                                       : std::vector<T>(n, T(0));
    auto tree = prim_with(all, z, core2);
    if (min_samples > 1) {
        tree.core_distances.resize(n);
        for (std::size_t i = 0; i < n; ++i) tree.core_distances[z[i]] = all.distance(core2[i]);
    }
    return tree;
}

template <class T>
SpanningTree<T> tree_of(Points<T> points, EmstOptions const& options, Cpu const& cpu = Cpu()) {
    auto const r = emst(points, options, cpu);
    return {{r.edges.begin(), r.edges.end()},
            {r.lengths.begin(), r.lengths.end()},
            {r.core_distances.begin(), r.core_distances.end()}};
}

/// emst() finds the tree that brute force finds, on one thread and on several.
template <int D, class T>
bool tree_right(Rows<D, T> const& rows, EmstOptions const& options = {}) {
    auto const expected = prim(view<D>(rows), options.min_samples, options.box);
    for (int threads : {1, 3})
        if (tree_of(view<D>(rows), options, Cpu(threads)) != expected) return false;
    return true;
}

}  // namespace test
