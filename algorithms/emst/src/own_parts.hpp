// What follows for the tree of all points from the tree of a rank's own points.
//
// An edge between two points of one rank that isn't in the tree of the rank's own points isn't in the tree of all: it is
// the longest one of a cycle. And an edge of the own tree that is less than every edge from one of its sides to other
// ranks is in it, since it is the least of all edges that leave that side. The sides of an edge are what less edges join.
#pragma once
#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "rank_edge.hpp"
#include "zwalk/core/buffer.hpp"
#include "zwalk/emst/detail/fragments.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Sets of points that edges join.
class PointSets {
  public:
    explicit PointSets(pos_t points) : parent_(points) {
        std::iota(parent_.begin(), parent_.end(), pos_t(0));
    }
    [[nodiscard]] pos_t root(pos_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    /// The smaller one of two roots becomes that of both.
    pos_t join(pos_t a, pos_t b) {
        auto const [to, from] = std::minmax({a, b});
        return parent_[from] = to;
    }

  private:
    Buffer<pos_t> parent_;
};

/// How far (squared) each of a rank's points should look for those of other ranks, so that only edges between sets of at
/// least `enough` points, and the longest ones (one in `enough`), can't be told to be in the tree of all for want of looking:
/// as far as the first edge is long that makes its set as large. The longest ones bridge gaps in a rank's range of the
/// z-order, which other ranks' points fill. -1: there is no edge.
/// @param tree  of the own points, by own positions, ascending
template <class T>
Buffer<T> reaches_of(pos_t points, std::span<Edge<T> const> tree, pos_t enough) {
    Buffer<T> reach2(points);
    Buffer<pos_t> size(points), next(points);  // of a set, at its root; circles of the points of sets
    PointSets sets(points);
    std::fill(size.begin(), size.end(), pos_t(1));
    std::iota(next.begin(), next.end(), pos_t(0));
    T const most = tree.empty() ? T(-1) : tree[tree.size() - 1 - tree.size() / enough].w2;
    auto const set_reach = [&](pos_t of, T to) {
        to = std::min(to, most);
        for (pos_t i = next[of];; i = next[i]) {
            reach2[i] = to;
            if (i == of) return;
        }
    };
    for (Edge<T> const& edge : tree) {
        pos_t const a = sets.root(edge.a), b = sets.root(edge.b), sum = size[a] + size[b];
        if (sum >= enough)
            for (pos_t const side : {a, b})
                if (size[side] < enough) set_reach(side, edge.w2);
        std::swap(next[a], next[b]);
        size[sets.join(a, b)] = sum;
    }
    if (points > 0 && points < enough) set_reach(0, most);
    return reach2;
}

/// Parts of a rank's points that the tree of all points joins, by own points: numbered by their first ones.
template <class T>
struct OwnParts {
    Buffer<pos_t> part;            ///< of each point
    std::vector<EdgeName<T>> low;  ///< of each part: no edge to other ranks is less
    std::vector<Edge<T>> sure;     ///< edges inside parts: all of them are in the tree of all points
    std::vector<Edge<T>> open;  ///< between parts; those that may be in it, beside edges between ranks

    [[nodiscard]] pos_t size() const { return pos_t(low.size()); }
};

/// @param tree  of the own points, by own positions, ascending
/// @param low   of each point: no edge to other ranks is less; is used up
/// @param base  position of the first own point among all
template <class T>
OwnParts<T> own_parts(std::span<Edge<T> const> tree, Buffer<EdgeName<T>> low, std::uint64_t base) {
    auto const n = pos_t(low.size());
    OwnParts<T> parts;
    PointSets sets(n);
    for (Edge<T> const& edge : tree) {
        pos_t const a = sets.root(edge.a), b = sets.root(edge.b);
        EdgeName<T> const name{edge.w2, base + edge.a, base + edge.b};
        if (name < low[a] || name < low[b]) {
            low[sets.join(a, b)] = std::min(low[a], low[b]);
            parts.sure.push_back(edge);
        } else {
            parts.open.push_back(edge);
        }
    }
    parts.part = Buffer<pos_t>(n);
    for (pos_t i = 0; i < n; ++i) {  // roots come first
        pos_t const root = sets.root(i);
        if (root == i) {
            parts.part[i] = parts.size();
            parts.low.push_back(low[i]);
        } else {
            parts.part[i] = parts.part[root];
        }
    }
    return parts;
}

}}}  // namespace zwalk::v0::detail
