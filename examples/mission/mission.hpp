// k nearest neighbours, friends-of-friends and a spanning tree in 200 lines, on CPU threads, GPUs and MPI ranks: one call, a trait
// with links, and one that Boruvka's rounds walk. mission.cpp compares them with knn(), fof() and emst(), which are faster.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "zwalk/core/within.hpp"
#include "zwalk/run/point_tree.hpp"

namespace zwalk::examples {

// --- The k nearest: the library keeps them, an output takes them -----------------------------------------------------------

/// The j-th neighbour of each point goes to array j.
template <int k, class T>
struct TakeNeighbours {
    pos_t* position[k];
    T* distance[k];

    template <class Point, class Found>
    ZWALK_HD void operator()(Point const& p, Found const& found) const {
        found.each([&](int j, Key<T> key) {
            position[j][p.index] = key.pos;
            distance[j][p.index] = std::sqrt(key.d2);
        });
    }
};
/// What the k nearest points of every point are, itself among them: by neighbour, rows of the input and distances.
template <class T>
struct Neighbours {
    std::vector<std::vector<index_t>> rows;
    std::vector<std::vector<T>> distances;
};
template <int k, int D, class T, class P>
Neighbours<T> nearest_neighbours(PointTree<D, T, P> const& tree) {
    std::vector<PointArray<pos_t, T, P>> positions;
    std::vector<PointArray<T, T, P>> distances;
    TakeNeighbours<k, T> take;
    for (int j = 0; j < k; ++j) {
        take.position[j] = positions.emplace_back(tree.array(no_pos)).data();
        take.distance[j] = distances.emplace_back(tree.array(infinity<T>)).data();
    }
    tree.nearest({.k = k}, take);
    Neighbours<T> found;
    for (auto const& of_all : positions) found.rows.push_back(tree.rows_at(of_all));
    for (auto const& of_all : distances) found.distances.push_back(of_all.in_input_order());
    return found;
}

// --- Friends-of-friends: who is linked is one group ------------------------------------------------------------------------

template <int D, class T>
struct Friends : Types<D, T> {
    using typename Types<D, T>::Node, typename Types<D, T>::Point;
    static constexpr Uses uses{.links = true, .symmetric = true};
    T link2;  ///< squared distance of the furthest that are linked

    ZWALK_HD bool whole(Node const& n) const { return n.diag2 <= link2; }  // one group in any case
    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        if (d.lo2 > link2) return Decision::discard;  // too far apart
        if (!whole(t) || !whole(s)) return Decision::descend;
        if (t.label == s.label) return Decision::discard;  // one group already, with all their points
        return d.hi2 <= link2 ? Decision::accept : Decision::descend;
    }
    ZWALK_HD void accept(Node const& t, Node const& s, Range<T>, auto& sink) const {
        sink.link(t.first, s.first);
    }
    ZWALK_HD void pair(Point const& p, Point const& q, T d2, auto& sink) const {
        if (d2 <= link2) sink.link(p.position, q.position);
    }
};
/// For each point the smallest row of those that chains of links no longer than this connect with it.
template <int D, class T, class P>
std::vector<index_t> friends_of_friends(PointTree<D, T, P> const& tree, T linking_length) {
    Friends<D, T> trait;
    trait.link2 = largest_square(linking_length);
    return tree.walk(trait).labels;
}

// --- A spanning tree: in each round every fragment takes its lightest edge to another one ----------------------------------

template <class T>
struct Member {
    index_t fragment, row;
    T core2;  ///< squared core distance: no edge of this point is shorter
};
template <class T>
struct Members {
    index_t first, last;  ///< fragments are between these
    T least2, largest2;   ///< core distances, too
};
template <class T>
struct Edge {
    T length2 = infinity<T>;
    index_t a = -1, b = -1;  ///< rows, a < b
    /// All edges differ, so that lightest ones close no cycle.
    ZWALK_HD friend bool operator<(Edge const& x, Edge const& y) {
        if (x.length2 != y.length2) return x.length2 < y.length2;
        return x.a != y.a ? x.a < y.a : x.b < y.b;
    }
};
/// The lightest edge from each point to another fragment.
template <int D, class T>
struct LightestEdges : Types<D, T, Member<T>, Members<T>> {
    using Base = Types<D, T, Member<T>, Members<T>>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State;
    static constexpr Uses uses{.reach = true, .metric = true, .ordered = true, .summary = true};
    Edge<T>* lightest;

    ZWALK_HD Members<T> summarize(Point const& p) const {
        auto const& m = p.payload;
        return {m.fragment, m.fragment, m.core2, m.core2};
    }
    ZWALK_HD Members<T> merge(Members<T> const& a, Members<T> const& b) const {
        return {min_of(a.first, b.first), max_of(a.last, b.last), min_of(a.least2, b.least2),
                max_of(a.largest2, b.largest2)};
    }
    /// Mutual reachability: an edge is as long as the largest of the distance and the two core distances.
    ZWALK_HD Range<T> metric(Node const& t, Node const& s, Range<T> d) const {
        return {max_of(d.lo2, max_of(t.summary.least2, s.summary.least2)),
                max_of(d.hi2, max_of(t.summary.largest2, s.summary.largest2))};
    }
    ZWALK_HD static bool one(Members<T> const& a, Members<T> const& b) {
        return a.first == a.last && b.first == b.last && a.first == b.first;
    }
    // A node with a fragment that no target is of bounds how far these have to look; what is as far counts (no_pos).
    using Reach = T;
    ZWALK_HD Reach reach_begin(Node const&) const { return infinity<T>; }
    ZWALK_HD void reach_add(Reach& r, Node const& t, Node const& s, Range<T> d) const {
        auto const &a = t.summary, &b = s.summary;
        if (b.first != b.last || b.last < a.first || b.first > a.last) r = min_of(r, d.hi2);
    }
    ZWALK_HD Key<T> reach_end(Reach const& r, Node const&) const { return {r, no_pos}; }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        if (one(t.summary, s.summary)) return Decision::discard;
        return Key<T>{d.lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }

    using Fold = Edge<T>;
    ZWALK_HD Fold begin(Target const&, State) const { return {}; }
    ZWALK_HD void visit(Fold& best, Target const& p, Point const& q, T d2) const {
        auto const &m = p.payload, &n = q.payload;
        if (m.fragment == n.fragment) return;
        Edge<T> const edge{max_of(d2, max_of(m.core2, n.core2)), min_of(m.row, n.row),
                           max_of(m.row, n.row)};
        if (edge < best) best = edge;
    }
    /// Walks compare it with the metric above.
    ZWALK_HD Key<T> horizon(Fold const& best) const { return {best.length2, no_pos}; }
    ZWALK_HD void end(Fold const& best, Target const& p) const { lightest[p.index] = best; }
};

/// The edges of a Euclidean minimum spanning tree, by length; with min_samples above 1 by mutual reachability, as HDBSCAN* has it.
/// @param all_of  all_of(own) puts what ranks have for their own rows together, on all of them; elsewhere it returns `own`
/// @param first   row of the first own point among those of all
template <int min_samples, int D, class T, class P, class All>
std::vector<Edge<T>> spanning_tree(PointTree<D, T, P> const& tree, All const& all_of,
                                   std::size_t first = 0) {
    std::vector<Member<T>> members;
    auto const nearest = nearest_neighbours<min_samples>(tree);
    for (T const core : nearest.distances.back())
        members.push_back({0, index_t(first + members.size()), core * core});
    std::vector<index_t> fragment(all_of(members).size());
    std::iota(fragment.begin(), fragment.end(), 0);
    std::vector<Edge<T>> edges;
    while (edges.size() + 1 < fragment.size()) {
        for (auto& m : members) m.fragment = fragment[std::size_t(m.row)];
        auto lightest = tree.template array<Edge<T>>();
        LightestEdges<D, T> trait;
        trait.lightest = lightest.data();
        tree.walk(trait, tree.payload(members));
        auto of_all = all_of(lightest.in_input_order());
        std::sort(of_all.begin(), of_all.end());  // so the first of a fragment is its lightest
        auto const root = [&](index_t i) {
            while (fragment[std::size_t(i)] != i) i = fragment[std::size_t(i)];
            return i;
        };
        std::vector<index_t> const before = fragment;
        std::vector<bool> has_edge(fragment.size());
        for (auto const& edge : of_all) {
            if (edge.a < 0) break;
            auto const u = std::size_t(before[std::size_t(edge.a)]),
                       v = std::size_t(before[std::size_t(edge.b)]);
            bool const lightest_of_one = !has_edge[u] || !has_edge[v];
            has_edge[u] = has_edge[v] = true;
            index_t const from = std::min(root(edge.a), root(edge.b)),
                          to = std::max(root(edge.a), root(edge.b));
            if (!lightest_of_one || from == to) continue;
            fragment[std::size_t(to)] = from;
            edges.push_back(edge);
        }
        for (index_t& f : fragment) f = root(f);
    }
    std::sort(edges.begin(), edges.end());
    return edges;
}

}  // namespace zwalk::examples
