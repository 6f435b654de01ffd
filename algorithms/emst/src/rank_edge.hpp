// Edges between points of different ranks, by positions among all points.
#pragma once
#include <cstdint>
#include <utility>

#include "zwalk/core/index.hpp"
#include "zwalk/core/key.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// As Edge (fragments.hpp), for 64-bit positions a < b: the same order. The default lies behind all.
template <class T>
struct EdgeName {
    T w2 = infinity<T>;
    std::uint64_t a = ~std::uint64_t(0), b = ~std::uint64_t(0);

    friend bool operator<(EdgeName const& x, EdgeName const& y) {
        if (x.w2 != y.w2) return x.w2 < y.w2;
        return x.a != y.a ? x.a < y.a : x.b < y.b;
    }
    friend bool operator==(EdgeName const&, EdgeName const&) = default;
};

/// With the rows of the input that its ends are.
template <class T>
struct RankEdge {
    EdgeName<T> name;
    index_t row_a, row_b;

    friend bool operator<(RankEdge const& x, RankEdge const& y) { return x.name < y.name; }
};

/// An end of an edge: position among all points, and row of the input.
struct RankPoint {
    std::uint64_t position;
    index_t row;
};

template <class T>
RankEdge<T> rank_edge(T w2, RankPoint a, RankPoint b) {
    if (b.position < a.position) std::swap(a, b);
    return {{w2, a.position, b.position}, a.row, b.row};
}

/// An edge that may be one of the tree, and the parts (skeleton.hpp) that it joins, in any order.
template <class T>
struct OpenEdge {
    RankEdge<T> edge;
    pos_t from, to;
};

}}}  // namespace zwalk::v0::detail
