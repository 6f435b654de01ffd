// The k smallest keys (d2, source position) by looking at every pair.
#pragma once
#include <algorithm>

#include "support/everywhere.hpp"

namespace test {

/// The distance of core/space.hpp written once more, from its definition in docs/architecture.md,
/// for any number of columns. `box` is empty or holds one period per axis, 0 on open ones.
template <class T>
T plain_distance2(T const* p, T const* q, int dim, std::vector<double> const& box) {
    T d2 = 0;
    for (int j = 0; j < dim; ++j) {
        T a = std::abs(q[j] - p[j]);
        if (!box.empty() && box[std::size_t(j)] > 0) {
            T const other = T(box[std::size_t(j)]) - a;
            if (other < a) a = other;
        }
        d2 = std::fma(a, a, d2);
    }
    return d2;
}

/// Source rows in z-order, found through a tree of the largest dimension (padding with zero
/// columns doesn't change the order; the order itself is tested in tests/zorder).
template <class T>
std::vector<pos_t> z_order(Points<T> points) {
    Cpu const cpu(1);
    return listed(build_tree(cpu, points, 64).input);
}

/// Row of input query `q`: keys with positions in z-order, ascending, at most k of them.
template <class T>
std::vector<Key<T>> brute_knn(Points<T> sources, std::vector<pos_t> const& z, T const* query,
                              std::size_t k, std::vector<double> const& box,
                              std::size_t excluded = std::size_t(-1)) {
    std::vector<Key<T>> keys;
    keys.reserve(z.size());
    for (pos_t s = 0; s < z.size(); ++s)
        if (z[s] != excluded)
            keys.push_back({plain_distance2(query, sources.data + z[s] * std::size_t(sources.dim),
                                            sources.dim, box),
                            s});
    k = std::min(k, keys.size());
    std::partial_sort(keys.begin(), keys.begin() + std::ptrdiff_t(k), keys.end());
    keys.resize(k);
    return keys;
}

}  // namespace test
