// Friends-of-friends over all pairs, with a union-find of its own.
#pragma once
#include <numeric>

#include "support/brute_knn.hpp"
#include "zwalk/fof/fof.hpp"

namespace test {

/// Smallest input index of each point's group: components of pairs whose distance is at most b.
template <class T>
std::vector<index_t> brute_fof(Points<T> points, double linking_length,
                               std::vector<double> const& box = {}) {
    InRange<T> const all(points, box);
    T const b = T(linking_length);
    std::vector<index_t> group(points.size);
    std::iota(group.begin(), group.end(), index_t(0));
    auto const root = [&](index_t i) {
        while (group[std::size_t(i)] != i) i = group[std::size_t(i)];
        return i;
    };
    for (std::size_t i = 0; i < points.size; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (all.distance(all.distance2(i, j)) <= b) {
                index_t const x = root(index_t(i)), y = root(index_t(j));
                group[std::size_t(std::max(x, y))] = std::min(x, y);
            }
    for (std::size_t i = 0; i < points.size; ++i) group[i] = root(index_t(i));
    return group;
}

template <class T>
std::vector<index_t> labels_of(Points<T> points, FofOptions const& options, Cpu const& cpu = Cpu()) {
    auto const r = fof(points, options, cpu);
    return {r.labels.begin(), r.labels.end()};
}

/// fof() finds the groups that brute force finds, on one thread and on several.
template <int D, class T>
bool groups_right(Rows<D, T> const& rows, FofOptions const& options) {
    auto const expected = brute_fof(view<D>(rows), options.linking_length, options.box);
    for (int threads : {1, 3})
        if (labels_of(view<D>(rows), options, Cpu(threads)) != expected) return false;
    return true;
}

/// Distances of some pairs, nearest ones too: linking lengths that are exactly that of a pair.
template <int D, class T>
std::vector<double> lengths_for(Rows<D, T> const& rows, std::uint64_t seed) {
    std::vector<double> lengths{0, 1e-3, 1e30};
    if (rows.size() < 2) return lengths;
    Random r(seed);
    std::vector<double> d;
    auto const distance = [&](std::size_t i, std::size_t j) {
        double sum = 0;
        for (int k = 0; k < D; ++k) {
            double const dx = double(rows[i][k]) - double(rows[j][k]);
            sum += dx * dx;
        }
        return std::sqrt(sum);
    };
    for (int trial = 0; trial < 200; ++trial)
        d.push_back(distance(r.below(rows.size()), r.below(rows.size())));
    double nearest = infinity<double>;
    for (std::size_t i = 1; i < rows.size(); ++i)
        if (double const there = distance(0, i); there > 0) nearest = std::min(nearest, there);
    std::sort(d.begin(), d.end());
    for (double b : {d[1], d[20], d[100], nearest})
        if (std::isfinite(T(b))) lengths.push_back(b);
    return lengths;
}

}  // namespace test
