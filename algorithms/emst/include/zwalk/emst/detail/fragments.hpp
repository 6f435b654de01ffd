// The components of a growing spanning tree, as all threads of a round see them.
#pragma once
#include <cstdint>

#include "zwalk/core/columns.hpp"
#include "zwalk/core/config.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/exec/device.hpp"

namespace zwalk { inline namespace v0 {

/// A pair of points by z-order positions a < b, and its squared length. The default lies behind all.
template <class T>
struct Edge {
    T w2 = infinity<T>;
    pos_t a = no_pos, b = no_pos;

    /// The total order in which the minimum spanning tree is unique.
    ZWALK_INLINE friend bool operator<(Edge const& x, Edge const& y) {
        if (x.w2 != y.w2) return x.w2 < y.w2;
        return x.a != y.a ? x.a < y.a : x.b < y.b;
    }
    ZWALK_INLINE friend bool operator==(Edge const& x, Edge const& y) {
        return x.w2 == y.w2 && x.a == y.a && x.b == y.b;
    }
};

/// An edge of point i as a key (squared length, other end): for one i, keys and edges have the same
/// order, because an end before i makes the smaller pair.
template <class T>
ZWALK_INLINE Edge<T> edge_of(pos_t i, Key<T> other) {
    return {other.d2, min_of(i, other.pos), max_of(i, other.pos)};
}

/// A point as a source: all that a search reads of it, beside where it is.
template <class T>
struct FragmentPoint {
    static constexpr std::size_t required_columns = 2;

    /// The component's name: on CPUs a number (Forest), on devices its smallest position. The column goes on for a block of
    /// lanes (simd_width) behind the last point.
    pos_t component;
    std::uint8_t wanted;  ///< not 0: it is a target, and searches
    T core2;              ///< squared core distance; without the column 0
};

/// What is known of the edges that leave components. A view: plain pointers. Arrays are by point or by component.
/// Points are those whose edges are looked for: in a walk the targets, never the sources. Components are all that targets
/// and sources are of, by their names, which a walk has from their payload. Keys and edges call points by their positions
/// among the sources.
///
/// Any number of threads may offer edges at once. The least one offered is unique, so the outcome doesn't
/// depend on their order.
template <class T>
struct Fragments {
    T* margin2 = nullptr;         ///< how much further than needed a point may look, at most (squared)
    Key<T>* candidate = nullptr;  ///< a point's least edge to other components, once proven
    Key<T>* hint = nullptr;       ///< some edge to another component, where there's no candidate
    Key<T>* proven = nullptr;     ///< all of a point's edges to other components lie behind this
    pos_t* least = nullptr;       ///< per component: whose edge is the least one offered (see offer)
    pos_t first = 0;              ///< position of target 0 among the sources

    /// Searches may look so many times further (squared) than a point's listed neighbours are: in three
    /// dimensions some 4000 points, a hundred leaves.
    static constexpr int margin = 64;

    /// Set in `least` where the edge is a hint.
    static constexpr pos_t is_hint = 0x80000000U;

    /// What keys and edges call target i, and the other way round.
    [[nodiscard]] ZWALK_INLINE pos_t position(pos_t i) const { return first + i; }
    [[nodiscard]] ZWALK_INLINE pos_t index(pos_t position) const { return position - first; }
    [[nodiscard]] ZWALK_INLINE Edge<T> edge_by(pos_t id) const {
        pos_t const i = id & ~is_hint;
        Key<T> const* const key = (id & is_hint ? hint : candidate) + i;
        return edge_of(position(i), Key<T>{read_published(&key->d2), read_published(&key->pos)});
    }
    /// The least edge of component c that has been offered so far.
    [[nodiscard]] ZWALK_INLINE Edge<T> least_of(pos_t c) const {
        pos_t const id = atomic_read(least + c);
        return id == no_pos ? Edge<T>{} : edge_by(id);
    }
    /// Offers component c the candidate of point `id`, or its hint (id | is_hint). That must not change
    /// until the round is over.
    ZWALK_INLINE void offer(pos_t c, pos_t id) const {
        Edge<T> const edge = edge_by(id);
        pos_t known = atomic_read(least + c);
        while ((known == no_pos || edge < edge_by(known)) && !atomic_publish(least + c, known, id)) {
        }
    }

    /// No edge of the point at position i whose key lies behind this is less than `edge`.
    static ZWALK_INLINE Key<T> horizon(pos_t i, Edge<T> const& edge) {
        return {edge.w2, i < edge.a ? no_pos : i == edge.a ? edge.b : edge.a};
    }
    /// True if point i may have an edge to another component that is less than this one.
    [[nodiscard]] ZWALK_INLINE bool open(pos_t i, Edge<T> const& edge) const {
        return proven[i] < horizon(position(i), edge);
    }
};

}}  // namespace zwalk::v0
