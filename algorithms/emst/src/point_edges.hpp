// What the points of a growing spanning tree know of their own edges.
#pragma once
#include <algorithm>
#include <utility>

#include "neighbour_lists.hpp"
#include "zwalk/emst/doing.hpp"
#include "zwalk/emst/fragments.hpp"

namespace zwalk::inline v0::detail {

/// The lists of the points, of which is dropped what has come to lie inside. Different threads may look
/// after different points at once. `inside(j)` says whether point j is known to be in the same component as
/// the point in question. More may come to lie inside, never fewer, so a candidate or hint that was the least
/// stays the least as long as it leaves the component, and the next one is no less.
template <class T>
struct PointEdges {
    NeighbourLists<T> lists;
    Buffer<T> core2;  ///< squared core distances; empty: none
    /// Squared distance from each point to the next one; -1 if they are equal. points - 1 elements.
    Buffer<T> step2;
    Buffer<Key<T>> candidate, hint, proven;  ///< see Fragments
    Buffer<T> margin2;                       ///< see Fragments
    Buffer<Doing> doing;

    /// @param mutual  whether there are core distances; they are to be written before `begin`
    PointEdges(pos_t points, pos_t listed, bool mutual, Buffer<T>&& steps, int chunk_log2)
        : lists(points, listed, chunk_log2),
          core2(mutual ? points : 0),
          step2(std::move(steps)),
          candidate(points),
          hint(points),
          proven(points),
          margin2(points),
          doing(points) {}

    [[nodiscard]] bool mutual() const { return !core2.empty(); }
    [[nodiscard]] T weight(pos_t i, pos_t j, T d2) const {
        return mutual() ? max_of(d2, max_of(core2[i], core2[j])) : d2;
    }
    [[nodiscard]] Edge<T> candidate_edge(pos_t i) const { return edge_of(i, candidate[i]); }

    /// The list of point i, a component of its own, becomes one of its edges.
    void begin(pos_t i) {
        lists.begin(i);
        Key<T>* const first = lists.list(i);
        Key<T>* const last = first + lists.listed();
        // Others that aren't listed are behind the last one that is, or there are none.
        proven[i] = lists.listed() + 1 == lists.points() ? Key<T>{} : last[-1];
        margin2[i] = Fragments<T>::margin * last[-1].d2;
        hint[i] = {};
        if (mutual())
            for (Key<T>* at = first; at < last; ++at) at->d2 = weight(i, at->pos, at->d2);
        take(i, first_listed(i, [](pos_t) { return false; }));
    }

    /// Finds the next candidate of point i, whose last one has come to lie inside.
    template <class Inside>
    void look_up(pos_t i, Inside const& inside) {
        // The last candidate was the least edge.
        if (proven[i] < candidate[i]) proven[i] = candidate[i];
        // An equal point before this one, in the same component, has all its edges, and they are less.
        if (i > 0 && step2[i - 1] < 0 && inside(i - 1)) {
            candidate[i] = {};
            doing[i] = Doing::retired;
        } else {
            take(i, first_listed(i, inside));
        }
    }

    /// The least edge that is known to leave the component of point i, if it has no candidate: what is left
    /// of its list, or one to a neighbour in z-order.
    template <class Inside>
    void find_hint(pos_t i, Inside const& inside) {
        if (hint[i].pos != no_pos && !inside(hint[i].pos)) return;
        Key<T> least = first_listed(i, inside);
        auto const consider = [&](pos_t j, T d2) {
            if (!inside(j)) least = std::min(least, Key<T>{weight(i, j, max_of(T(0), d2)), j});
        };
        if (i > 0) consider(i - 1, step2[i - 1]);
        if (i + 1 < lists.points()) consider(i + 1, step2[i]);
        hint[i] = least;
    }

  private:
    void take(pos_t i, Key<T> listed) {
        bool const offers = listed.pos != no_pos && listed <= proven[i];
        candidate[i] = offers ? listed : Key<T>{};
        doing[i] = offers ? Doing::offering : Doing::sleeping;
    }

    /// The least edge in the list of point i that leaves its component.
    template <class Inside>
    Key<T> first_listed(pos_t i, Inside const& inside) {
        if (!mutual()) {
            while (lists.size(i) > 0 && inside(lists.list(i)->pos)) lists.pop(i);
            return lists.size(i) > 0 ? *lists.list(i) : Key<T>{};
        }
        // By mutual reachability the list isn't in order: those inside are taken out of it.
        Key<T>* const listed = lists.list(i);
        Key<T> least;
        pos_t left = 0;
        for (pos_t e = 0, end = lists.size(i); e < end; ++e) {
            Key<T> const key = listed[e];
            if (inside(key.pos)) continue;
            listed[left++] = key;
            if (key < least) least = key;
        }
        lists.resize(i, left);
        return least;
    }
};

}  // namespace zwalk::inline v0::detail
