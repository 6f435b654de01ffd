// What is within a radius, or within each target's own one, over all pairs.
#pragma once
#include <atomic>
#include <optional>

#include "support/brute_knn.hpp"
#include "zwalk/radius/radius.hpp"

namespace test {

/// A source in a list.
template <class T>
struct Listed {
    T distance;
    index_t row;
};

/// Rows of `sources` and distances, of each query: nearest first, ties by row.
template <class T>
std::vector<std::vector<Listed<T>>> brute_radius(Points<T> sources, Points<T> queries,
                                                 RadiusOptions const& o) {
    InRange<T> const all(sources, queries, o.box);
    auto const radius_of = [&](std::size_t i, std::size_t j) {
        if (o.radii.empty()) return T(o.radius);
        return o.larger ? std::max(T(o.radii[i]), T(o.radii[j])) : T(o.radii[i]);
    };
    std::vector<std::vector<Listed<T>>> lists(queries.size);
    for (std::size_t i = 0; i < queries.size; ++i) {
        std::vector<ListedSource<T>> near;
        for (std::size_t j = 0; j < sources.size; ++j) {
            T const d2 = all.distance2(i, j);
            if (all.distance(d2) <= radius_of(i, j) && !(o.exclude_self && i == j))
                near.push_back({d2, index_t(j)});
        }
        std::sort(near.begin(), near.end());
        for (auto const& source : near) lists[i].push_back({all.distance(source.d2), source.row});
    }
    return lists;
}

template <class T>
bool counts_are(RadiusResult<T> const& r, std::vector<std::vector<Listed<T>>> const& expected) {
    if (r.counts.size() != expected.size() || !r.offsets.empty() || !r.indices.empty()) return false;
    std::size_t found = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (r.counts[i] != index_t(expected[i].size())) return false;
        found += expected[i].size();
    }
    return r.found == found;
}

template <class T>
bool lists_are(RadiusResult<T> const& r, std::vector<std::vector<Listed<T>>> const& expected,
               bool with_distances = true) {
    if (r.offsets.size() != expected.size() + 1 || r.offsets[0] != 0 || !r.counts.empty()) return false;
    if (r.found != r.indices.size() || r.offsets[expected.size()] != r.found) return false;
    if (r.distances.size() != (with_distances ? r.found : 0)) return false;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (r.offsets[i + 1] - r.offsets[i] != expected[i].size()) return false;
        for (std::size_t k = 0; k < expected[i].size(); ++k) {
            auto const at = r.offsets[i] + k;
            if (r.indices[at] != expected[i][k].row) return false;
            if (with_distances && r.distances[at] != expected[i][k].distance) return false;
        }
    }
    return true;
}

/// A visitor that holds what it sees against the lists expected.
template <class T>
struct HoldAgainst {
    std::vector<std::vector<Listed<T>>> const* expected;
    std::atomic<std::size_t>* right;  ///< rows that were
    void operator()(index_t row, NearestFirst<T> const& list) const {
        auto const& own = (*expected)[std::size_t(row)];
        bool same = list.size() == own.size();
        for (std::size_t k = 0; same && k < own.size(); ++k)
            same = list.index(k) == own[k].row && list.distance(k) == own[k].distance;
        *right += same;
    }
};
/// True if visit(visitor) shows each row of `expected` once, as it should be.
template <class T, class Visit>
bool visits_lists(std::vector<std::vector<Listed<T>>> const& expected, Visit const& visit) {
    std::atomic<std::size_t> right = 0;
    visit(HoldAgainst<T>{&expected, &right});
    return right == expected.size();
}

/// All three ways find what brute force finds, on one thread and on several.
template <int D, class T>
bool radius_right(Rows<D, T> const& points, RadiusOptions const& o,
                  std::optional<Rows<D, T>> const& queries = {}) {
    auto const sources = view<D>(points);
    auto const all = [&](auto const& find) {
        if (queries) return find(sources, view<D>(*queries));
        return find(sources);
    };
    auto const expected = brute_radius(sources, queries ? view<D>(*queries) : sources, o);
    for (int threads : {1, 3}) {
        Cpu const cpu(threads);
        if (!counts_are(all([&](auto... who) { return radius_count(who..., o, cpu); }), expected))
            return false;
        if (!lists_are(all([&](auto... who) { return radius_search(who..., o, cpu); }), expected))
            return false;
        if (!visits_lists(expected, [&](auto const& f) {
                all([&](auto... who) { return radius_visit(who..., f, o, cpu); });
            }))
            return false;
    }
    return true;
}

}  // namespace test
