// HDBSCAN* by its definition: sets of points, taken apart where their longest edges are removed.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "support/points.hpp"
#include "zwalk/hdbscan/clusters.hpp"

namespace test {
using namespace zwalk;

using Set = std::vector<index_t>;

/// A spanning tree as single_linkage() takes it.
struct Forest {
    std::size_t points = 0;
    std::vector<index_t> edges;
    std::vector<double> lengths;

    [[nodiscard]] Linkage linkage() const { return single_linkage<double>(points, edges, lengths); }
};

/// A random tree whose lengths are `levels` different numbers (0: all different), 0 among them if asked.
inline Forest random_forest(std::size_t n, std::size_t levels, bool zero, std::uint64_t seed) {
    Random r(seed);
    Forest f{n, {}, {}};
    for (std::size_t i = 1; i < n; ++i)
        f.lengths.push_back(levels == 0 ? .1 + r.uniform() : double(r.below(levels) + !zero) / 4);
    std::sort(f.lengths.begin(), f.lengths.end());
    std::vector<std::pair<index_t, index_t>> edges;
    std::vector<index_t> name(n);
    for (std::size_t i = 0; i < n; ++i) name[i] = index_t(i);
    for (std::size_t i = n; i > 1; --i) std::swap(name[i - 1], name[r.below(i)]);
    for (std::size_t i = 1; i < n; ++i)  // some trees are bushes, some nearly chains
        edges.emplace_back(name[i], name[i - 1 - r.below(std::min<std::size_t>(i, 1 + seed % 7))]);
    for (std::size_t i = edges.size(); i > 1; --i) std::swap(edges[i - 1], edges[r.below(i)]);
    for (auto const& [a, b] : edges) f.edges.push_back(a), f.edges.push_back(b);
    return f;
}

/// f(forest) for random trees, each of `more` points more than the one before, with and without equal lengths.
template <class F>
void for_forests(std::uint64_t trees, std::size_t least, std::size_t more, F const& f) {
    for (std::uint64_t seed = 1; seed <= trees; ++seed) {
        CAPTURE(seed);
        std::size_t const levels[] = {0, 3, 12};
        f(random_forest(least + more * seed, levels[seed % 3], seed % 2, seed));
    }
}

/// Connected parts of a set of points by edges shorter than `length`.
inline std::vector<Set> parts_of(Forest const& f, Set const& set, double length) {
    std::map<index_t, index_t> group;
    for (index_t const p : set) group[p] = p;
    auto const root = [&](index_t i) {
        while (group[i] != i) i = group[i];
        return i;
    };
    for (std::size_t e = 0; e < f.lengths.size(); ++e)
        if (f.lengths[e] < length && group.count(f.edges[2 * e]) && group.count(f.edges[2 * e + 1]))
            group[root(f.edges[2 * e])] = root(f.edges[2 * e + 1]);
    std::map<index_t, Set> parts;
    for (index_t const p : set) parts[root(p)].push_back(p);
    std::vector<Set> out;
    for (auto& [r, part] : parts) out.push_back(std::move(part));
    return out;
}

/// What points count as, and the distances from which on the points that each stands for are together. Empty: 1 each.
struct Weights {
    std::vector<double> weight, core;

    [[nodiscard]] double of(Set const& set) const {
        double sum = 0;
        for (index_t const p : set) sum += weight.empty() ? 1 : weight[std::size_t(p)];
        return sum;
    }
    /// As how much a part counts whose points are connected by edges below `length`.
    [[nodiscard]] double of(Set const& part, double length) const {
        bool const apart = part.size() == 1 && !weight.empty() && !(core[std::size_t(part[0])] < length);
        return apart ? std::min(1., of(part)) : of(part);
    }
};

/// The longest edge inside a connected set.
inline double longest_in(Forest const& f, Set const& set) {
    double longest = 0;
    for (std::size_t e = 0; e < f.lengths.size(); ++e)
        if (std::binary_search(set.begin(), set.end(), f.edges[2 * e]) &&
            std::binary_search(set.begin(), set.end(), f.edges[2 * e + 1]))
            longest = std::max(longest, f.lengths[e]);
    return longest;
}

inline double lambda_of(double distance) {
    return distance > 0 ? 1 / distance : std::numeric_limits<double>::infinity();
}

/// A cluster and everything about it that has no arbitrary names: birth, points, and at which lambda each
/// of those that leave it one by one does.
struct DefinedCluster {
    double birth = 0;
    Set points;
    std::map<index_t, double> leaves;
    bool operator<(DefinedCluster const& o) const { return points < o.points; }
    bool operator==(DefinedCluster const&) const = default;
};

inline std::vector<DefinedCluster> define_clusters(Forest const& f, std::size_t min_size,
                                                   Weights const& weights = {}) {
    std::vector<DefinedCluster> out;
    if (f.points < 2) return out;
    DefinedCluster root;
    for (std::size_t i = 0; i < f.points; ++i) root.points.push_back(index_t(i));
    std::vector<DefinedCluster> open{root};
    while (!open.empty()) {
        DefinedCluster c = open.back();
        open.pop_back();
        for (Set now = c.points; !now.empty();) {
            if (now.size() == 1) {  // a heavy point: its own points stay together until they aren't
                c.leaves[now[0]] = lambda_of(weights.core[std::size_t(now[0])]);
                break;
            }
            double const length = longest_in(f, now), lambda = lambda_of(length);
            std::vector<Set> large;
            for (Set const& part : parts_of(f, now, length))
                if (weights.of(part, length) >= double(min_size)) large.push_back(part);
                else
                    for (index_t const p : part) c.leaves[p] = lambda;
            now = large.size() == 1 ? large[0] : Set();
            if (large.size() > 1)
                for (Set const& part : large) open.push_back({lambda, part, {}});
        }
        out.push_back(std::move(c));
    }
    std::sort(out.begin(), out.end());
    return out;
}

/// Index in tree.clusters of what a row is about, or the point.
inline std::size_t below(CondensedTree const& t, index_t id) { return std::size_t(id) - t.points; }

/// All points of every cluster of a condensed tree.
inline std::vector<Set> members_of(CondensedTree const& t) {
    std::vector<Set> members(t.clusters.size());
    for (std::size_t r = 0; r < t.rows(); ++r)
        if (std::size_t(t.child[r]) < t.points)
            for (auto c = index_t(below(t, t.parent[r])); c >= 0; c = t.clusters[std::size_t(c)].parent)
                members[std::size_t(c)].push_back(t.child[r]);
    for (Set& m : members) std::sort(m.begin(), m.end());
    return members;
}

/// A condensed tree in the words of the definition: where more than two clusters part at once, those that
/// hold several of them for no time are left out.
inline std::vector<DefinedCluster> as_defined(CondensedTree const& t) {
    auto const members = members_of(t);
    std::vector<DefinedCluster> out(t.clusters.size());
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = {t.clusters[c].birth, members[c], {}};
    for (std::size_t r = 0; r < t.rows(); ++r)
        if (std::size_t(t.child[r]) < t.points)
            out[below(t, t.parent[r])].leaves[t.child[r]] = t.lambda[r];
    std::vector<DefinedCluster> lasting;
    for (std::size_t c = 0; c < out.size(); ++c)
        if (c == 0 || t.clusters[c].death > t.clusters[c].birth) lasting.push_back(out[c]);
    std::sort(lasting.begin(), lasting.end());
    return lasting;
}

}  // namespace test
