// What points do while a spanning tree grows, on CPUs and on devices.
#pragma once
#include <cstdint>

#include "zwalk/emst/detail/fragments.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Neighbours to list for each point: with more of them fewer points search, but kNN takes longer.
inline constexpr pos_t usual_neighbours = 8;

/// What a point does in a round.
enum class Doing : std::uint8_t {
    offering,  ///< it has a candidate
    sleeping,  ///< its list is used up: all that is known is that its edges are behind `proven`
    retired    ///< another point has all its edges, and they are less
};

/// What is left of a point's list of neighbours.
template <class T>
struct ListedEdges {
    Key<T>* keys;
    pos_t size;

    /// The least edge that leaves the point's component. Drops those that don't: some of them if the list is
    /// in order, else all.
    template <class Inside>
    ZWALK_HD Key<T> first_leaving(bool in_order, Inside const& inside) {
        if (in_order) {
            while (size > 0 && inside(keys->pos)) ++keys, --size;
            return size > 0 ? *keys : Key<T>{};
        }
        Key<T> least;
        pos_t left = 0;
        for (pos_t e = 0; e < size; ++e) {
            Key<T> const key = keys[e];
            if (inside(key.pos)) continue;
            keys[left++] = key;
            if (key < least) least = key;
        }
        size = left;
        return least;
    }
};

/// How points find the edges that they offer. Different threads may look after different points at once.
/// `inside(j)` returns whether point j is known to be in the same component as the point in question. More may
/// come to lie inside, never fewer, so a candidate or hint that was the least stays the least as long as it
/// leaves the component, and the next one is no less. A view: plain pointers.
template <class T>
struct PointRules {
    Fragments<T> view;
    T const* core2 = nullptr;  ///< squared core distances; null: all 0
    T const* step2 =
        nullptr;  ///< squared distance from each point to the next one in z-order; -1: it is equal
    Doing* doing = nullptr;
    pos_t points = 0;
    pos_t listed = 0;  ///< neighbours per point, nearest first, to begin with

    [[nodiscard]] ZWALK_INLINE Edge<T> candidate_edge(pos_t i) const {
        return edge_of(i, view.candidate[i]);
    }
    /// Squared mutual reachability distance of two points whose squared distance is d2.
    [[nodiscard]] ZWALK_INLINE T weight(pos_t i, pos_t j, T d2) const {
        return core2 ? max_of(d2, max_of(core2[i], core2[j])) : d2;
    }

    /// The whole list of point i, a component of its own, becomes one of its edges.
    ZWALK_HD void begin(pos_t i, ListedEdges<T>& list) const {
        Key<T> const last = list.keys[listed - 1];
        // Others that aren't listed are behind the last one that is, or there are none.
        view.proven[i] = listed + 1 == points ? Key<T>{} : last;
        view.margin2[i] = Fragments<T>::margin * last.d2;
        view.hint[i] = {};
        if (core2)
            for (pos_t e = 0; e < listed; ++e)
                list.keys[e].d2 = weight(i, list.keys[e].pos, list.keys[e].d2);
        take(i, list.first_leaving(in_order(), [](pos_t) { return false; }));
    }
    /// Finds the next candidate of point i, whose last one has come to lie inside.
    template <class Inside>
    ZWALK_HD void look_up(pos_t i, ListedEdges<T>& list, Inside const& inside) const {
        // The last candidate was the least edge.
        if (view.proven[i] < view.candidate[i]) view.proven[i] = view.candidate[i];
        // An equal point before this one, in the same component, has all its edges, and they are less.
        if (i > 0 && step2[i - 1] < 0 && inside(i - 1)) {
            view.candidate[i] = {};
            doing[i] = Doing::retired;
        } else {
            take(i, list.first_leaving(in_order(), inside));
        }
    }
    /// The least edge that is known to leave the component of point i, if it has no candidate: what is left
    /// of its list, or one to a neighbour in z-order.
    template <class Inside>
    ZWALK_HD void find_hint(pos_t i, ListedEdges<T>& list, Inside const& inside) const {
        if (view.hint[i].pos != no_pos && !inside(view.hint[i].pos)) return;
        Key<T> least = list.first_leaving(in_order(), inside);
        auto const consider = [&](pos_t j, T d2) {
            Key<T> const key{weight(i, j, max_of(T(0), d2)), j};
            if (!inside(j) && key < least) least = key;
        };
        if (i > 0) consider(i - 1, step2[i - 1]);
        if (i + 1 < points) consider(i + 1, step2[i]);
        view.hint[i] = least;
    }

  private:
    /// Whether lists are in order: by mutual reachability they aren't.
    [[nodiscard]] ZWALK_INLINE bool in_order() const { return core2 == nullptr; }
    ZWALK_INLINE void take(pos_t i, Key<T> first) const {
        bool const offers = first.pos != no_pos && first <= view.proven[i];
        view.candidate[i] = offers ? first : Key<T>{};
        doing[i] = offers ? Doing::offering : Doing::sleeping;
    }
};

}}}  // namespace zwalk::v0::detail
