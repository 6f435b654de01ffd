// What the rounds of a spanning tree start from and end with, by looking at every pair.
#pragma once
#include "emst/brute.hpp"

namespace test {

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

/// What the rounds start from.
template <class T>
struct Neighbourhood {
    pos_t points, listed;
    std::vector<std::vector<Key<T>>> list;  ///< of others, nearest first
    std::vector<T> core2;                   ///< empty: none
    Buffer<T> step2;                        ///< to the next point; -1: it is equal
};

template <int D, class T>
Neighbourhood<T> brute_neighbourhood(Rows<D, T> const& rows, int min_samples, pos_t listed,
                                     std::vector<double> const& box = {}) {
    auto const z = z_order(view<D>(rows));
    auto const n = pos_t(rows.size());
    Neighbourhood<T> near{n, listed, {}, {}, Buffer<T>(n - 1)};
    if (min_samples > 1) near.core2 = brute_core2(view<D>(rows), z, std::size_t(min_samples), box);
    for (pos_t i = 0; i < n; ++i) {
        near.list.push_back(brute_knn(view<D>(rows), z, rows[z[i]].data(), listed, box, z[i]));
        if (i == 0) continue;
        near.step2[i - 1] = plain_distance2(rows[z[i - 1]].data(), rows[z[i]].data(), D, box);
        if (rows[z[i - 1]] == rows[z[i]]) near.step2[i - 1] = T(-1);
    }
    return near;
}

}  // namespace test
