// DBSCAN over all pairs.
#pragma once
#include <algorithm>
#include <numeric>

#include "support/brute_knn.hpp"
#include "zwalk/dbscan/dbscan.hpp"

namespace test {

/// What DBSCAN is to find, in input order.
struct Clusters {
    std::vector<index_t> labels;
    std::vector<std::uint8_t> core;
    std::size_t clusters = 0, core_points = 0, noise = 0;
};

/// The definition, step by step: O(n^2).
template <class T>
Clusters brute_dbscan(Points<T> points, DbscanOptions const& o) {
    auto const n = points.size;
    InRange<T> const all(points, o.box);
    T const e = T(o.epsilon);
    auto const d2 = [&](std::size_t i, std::size_t j) { return all.distance2(i, j); };
    auto const near = [&](T there) { return all.distance(there) <= e; };
    Clusters r{std::vector<index_t>(n), std::vector<std::uint8_t>(n)};
    for (std::size_t i = 0; i < n; ++i) {
        index_t neighbours = 0;
        for (std::size_t j = 0; j < n; ++j) neighbours += near(d2(i, j));
        r.core[i] = neighbours >= o.min_samples;
        r.core_points += r.core[i];
    }
    std::vector<std::size_t> group(n);
    std::iota(group.begin(), group.end(), std::size_t(0));
    auto const root = [&](std::size_t i) {
        while (group[i] != i) i = group[i];
        return i;
    };
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i && r.core[i]; ++j)
            if (r.core[j] && near(d2(i, j))) group[root(i)] = root(j);
    // The nearest core point, of those at the same distance the first in z-order.
    auto const z = z_order(all.first());
    constexpr auto none = std::size_t(-1);
    std::vector<std::size_t> cluster(n, none);
    for (std::size_t i = 0; i < n; ++i) {
        T nearest = infinity<T>;
        if (r.core[i]) cluster[i] = root(i);
        else
            for (std::size_t j : z)
                if (T const there = d2(i, j); r.core[j] && near(there) && there < nearest) {
                    nearest = there;
                    cluster[i] = root(j);
                }
    }
    std::vector<index_t> smallest(n, -1);
    for (std::size_t i = 0; i < n; ++i)
        if (cluster[i] == none) ++r.noise;
        else if (smallest[cluster[i]] < 0) smallest[cluster[i]] = index_t(i);
    for (std::size_t i = 0; i < n; ++i) {
        r.labels[i] = cluster[i] == none ? -1 : smallest[cluster[i]];
        r.clusters += r.labels[i] == index_t(i);
    }
    return r;
}

template <class Result>
bool clusters_are(Result const& r, Clusters const& expected) {
    return listed(r.labels) == expected.labels && listed(r.core) == expected.core &&
           r.clusters == expected.clusters && r.core_points == expected.core_points &&
           r.noise == expected.noise;
}

/// dbscan() finds what brute force finds, on one thread and on several.
template <int D, class T>
bool dbscan_right(Rows<D, T> const& rows, DbscanOptions const& o) {
    auto const expected = brute_dbscan(view<D>(rows), o);
    for (int threads : {1, 3})
        if (!clusters_are(dbscan(rows, o, Cpu(threads)), expected)) return false;
    return true;
}

}  // namespace test
