// Pair counts over all pairs.
#pragma once
#include <optional>

#include "support/brute_knn.hpp"
#include "zwalk/pairs/pairs.hpp"

namespace test {

/// Separation along one axis, from the nearest image.
template <class T>
T along_axis(T a, T b, double period) {
    T const d = std::abs(b - a);
    return period > 0 ? std::min(d, T(period) - d) : d;
}

/// The bin of x among ascending edges, lower edges left out (but for the first, if `first` is set); -1: none.
template <class T>
int bin_of(T x, std::vector<T> const& edges, bool first = false) {
    if (first && x == edges[0]) return 0;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i)
        if (edges[i] < x && x <= edges[i + 1]) return int(i);
    return -1;
}

/// Adds up all pairs (i, j), i != j if the sets are one. Weighted sums are those of doubles: rounded.
template <class T>
PairCounts brute_pairs(Points<T> points, std::optional<Points<T>> const& second, PairOptions const& o) {
    InRange<T> const all(second ? *second : points, points, o.box);
    Points<T> const others = all.first();
    auto const dim = std::size_t(points.dim);
    auto box = all.box();
    if (box.empty()) box.assign(dim, 0);
    bool const two = o.bins != PairBins::distance;
    std::size_t const los = two ? o.los_edges.size() - 1 : 1;
    auto const axis = std::size_t(o.line_of_sight < 0 ? int(dim) - 1 : o.line_of_sight);
    std::vector<T> const edges(o.edges.begin(), o.edges.end()),
        los_edges(o.los_edges.begin(), o.los_edges.end());
    auto const weight = [](std::span<double const> w, std::size_t i) { return w.empty() ? 1. : w[i]; };
    bool const weighted = !o.weights.empty() || !o.second_weights.empty();
    PairCounts r;
    r.counts.resize((o.edges.size() - 1) * los);
    if (weighted) r.weighted.resize(r.counts.size());
    for (std::size_t i = 0; i < points.size; ++i)
        for (std::size_t j = 0; j < others.size; ++j) {
            if (!second && i == j) continue;
            T const *const p = all.second().data + i * dim, *const q = others.data + j * dim;
            T const d2 = plain_distance2(p, q, points.dim, box);
            T by2 = d2;
            int along = 0;
            if (two) {
                T const pi = along_axis(p[axis], q[axis], box[axis]);
                if (o.bins == PairBins::rp_pi) {
                    by2 = 0;
                    for (std::size_t a = 0; a < dim; ++a)
                        if (a != axis) {
                            T const x = along_axis(p[a], q[a], box[a]);
                            by2 = std::fma(x, x, by2);
                        }
                    along = bin_of(all.length(pi), los_edges, true);
                } else {
                    auto scaled2 = los_edges;
                    for (T& e : scaled2) e = e * e * d2;
                    along = bin_of(pi * pi, scaled2, true);
                }
            }
            int const bin = bin_of(all.distance(by2), edges);
            if (bin < 0 || along < 0) continue;
            auto const cell = std::size_t(bin) * los + std::size_t(along);
            ++r.counts[cell];
            if (weighted)
                r.weighted[cell] +=
                    weight(o.weights, i) * weight(second ? o.second_weights : o.weights, j);
        }
    return r;
}

/// The same counts, and weighted sums up to the rounding of `pairs` doubles.
inline bool pairs_are(PairCounts const& r, PairCounts const& expected) {
    if (r.counts != expected.counts || r.weighted.size() != expected.weighted.size()) return false;
    for (std::size_t i = 0; i < r.weighted.size(); ++i)
        if (std::abs(r.weighted[i] - expected.weighted[i]) >
            1e-9 * (1 + double(r.counts[i])))  // weights of tests are of order 1
            return false;
    return true;
}

/// Both on one thread and on several: what brute force finds, with the same bits.
template <int D, class T>
bool pairs_right(Rows<D, T> const& points, std::optional<Rows<D, T>> const& second,
                 PairOptions const& o) {
    auto const sources = view<D>(points);
    std::optional<Points<T>> others;
    if (second) others = view<D>(*second);
    auto const expected = brute_pairs(sources, others, o);
    std::vector<double> sums;
    for (int threads : {1, 3}) {
        Cpu const cpu(threads);
        auto const r = second ? pair_counts(sources, *others, o, cpu) : pair_counts(sources, o, cpu);
        if (!pairs_are(r, expected)) return false;
        if (threads == 1) sums = r.weighted;
        else if (sums != r.weighted) return false;
    }
    return true;
}

/// Weights of order 1, of both signs.
inline std::vector<double> some_weights(std::size_t n, unsigned seed) {
    std::vector<double> w;
    for (std::size_t i = 0; i < n; ++i) w.push_back(double((i * 7919 + seed) % 1009) / 700 - .3);
    return w;
}

}  // namespace test
