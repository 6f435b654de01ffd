// The rounds of a spanning tree on a device: what is done for every point and every component, for
// Device::for_each. The steps are those of src/forest.cpp; src/device_forest.hpp puts them in order.
#pragma once
#include "zwalk/emst/doing.hpp"
#include "zwalk/emst/fragments.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/walk/union_find.hpp"

namespace zwalk::inline v0::detail {

/// What the rounds know; everything by z-order position, that of components at their smallest one.
template <class T>
struct DeviceRounds {
    Fragments<T> view;
    pos_t points, listed;
    Key<T>* list;    ///< (points, listed): the nearest others, nearest first
    T const* step2;  ///< to the next point in z-order; -1: it is equal
    pos_t* inside;   ///< how many of the list are known to be inside the component
    Doing* doing;
    std::uint8_t* settled;  ///< of components: the least edge offered is the least that leaves them
    std::uint8_t* wanted;
    pos_t* open;  ///< of components: 1, or 0 in doubt; later, how many points search

    [[nodiscard]] ZWALK_INLINE pos_t component(pos_t i) const { return view.component[i]; }
    [[nodiscard]] ZWALK_INLINE bool is_root(pos_t c) const { return component(c) == c; }
    [[nodiscard]] ZWALK_INLINE Key<T>* row(pos_t i) const { return list + std::size_t(i) * listed; }

    /// The least edge in the list of point i that leaves its component c.
    [[nodiscard]] ZWALK_HD Key<T> first_listed(pos_t i, pos_t c) const {
        Key<T>* const keys = row(i);
        pos_t used = inside[i];
        Key<T> least;
        if (!view.core2) {
            while (used < listed && component(keys[used].pos) == c) ++used;
            if (used < listed) least = keys[used];
        } else {  // by mutual reachability the list isn't in order: those inside are taken out of it
            pos_t left = 0;
            for (pos_t e = 0, end = listed - used; e < end; ++e) {
                Key<T> const key = keys[e];
                if (component(key.pos) == c) continue;
                keys[left++] = key;
                if (key < least) least = key;
            }
            used = listed - left;
        }
        inside[i] = used;
        return least;
    }
    /// Finds the next candidate of point i in its list.
    ZWALK_HD void look_up(pos_t i, pos_t c) const {
        // The last candidate was the least edge, and has become one inside.
        if (view.proven[i] < view.candidate[i]) view.proven[i] = view.candidate[i];
        view.candidate[i] = {};
        // An equal point before this one, in the same component, has all its edges, and they are less.
        if (i > 0 && step2[i - 1] < 0 && component(i - 1) == c) {
            doing[i] = Doing::retired;
            return;
        }
        Key<T> const least = first_listed(i, c);
        bool const offers = least.pos != no_pos && least <= view.proven[i];
        if (offers) view.candidate[i] = least;
        doing[i] = offers ? Doing::offering : Doing::sleeping;
    }
    /// Some edge of point i: what is left of its list, or to a neighbour in z-order.
    [[nodiscard]] ZWALK_HD Key<T> find_hint(pos_t i, pos_t c) const {
        Key<T> hint = first_listed(i, c);
        auto const consider = [&](pos_t j, T d2) {
            Key<T> const key{view.weight(i, j, max_of(T(0), d2)), j};
            if (component(j) != c && key < hint) hint = key;
        };
        if (i > 0) consider(i - 1, step2[i - 1]);
        if (i + 1 < points) consider(i + 1, step2[i]);
        return hint;
    }
};

/// Point i as a component of its own: the first round's candidate and offer.
template <class T>
struct BeginRounds {
    DeviceRounds<T> r;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const i = pos_t(at);
        Key<T>* const keys = r.row(i);
        // Others that aren't listed are behind the last one that is, or there are none.
        r.view.proven[i] = r.listed + 1 == r.points ? Key<T>{} : keys[r.listed - 1];
        r.view.margin2[i] = Fragments<T>::margin * keys[r.listed - 1].d2;
        r.inside[i] = 0;
        if (r.view.core2)
            for (pos_t e = 0; e < r.listed; ++e) keys[e].d2 = r.view.weight(i, keys[e].pos, keys[e].d2);
        Key<T> const least = r.first_listed(i, i);
        bool const offers = least <= r.view.proven[i];
        r.view.candidate[i] = offers ? least : Key<T>{};
        r.view.hint[i] = {};
        r.view.least[i] = offers ? i : no_pos;
        r.doing[i] = offers ? Doing::offering : Doing::sleeping;
    }
};

/// Point i offers its candidate to its component.
template <class T>
struct OfferCandidates {
    DeviceRounds<T> r;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const i = pos_t(at), c = r.component(i);
        if (r.doing[i] != Doing::offering) return;
        if (r.component(r.view.candidate[i].pos) == c) r.look_up(i, c);
        if (r.doing[i] == Doing::offering) r.view.offer(c, i);
    }
};

/// Lowers `open`, which is 1, of components that don't know their least edge: one of their sleeping points may
/// have a less one than was offered.
template <class T>
struct DoubtSleepers {
    DeviceRounds<T> r;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const i = pos_t(at), c = r.component(i);
        if (r.doing[i] == Doing::sleeping && !(r.view.least_of(c).w2 < r.view.proven[i].d2))
            atomic_min(r.open + c, 0);
    }
};
/// Components that have been offered an edge, without a doubt, are settled.
template <class T>
struct SettleKnown {
    DeviceRounds<T> r;
    ZWALK_HD void operator()(std::size_t c) const {
        r.settled[c] = r.is_root(pos_t(c)) && r.view.least[c] != no_pos && r.open[c] > 0;
    }
};

/// Offers some edges to components that will search, so that none goes without a bound.
template <class T>
struct OfferHints {
    DeviceRounds<T> r;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const i = pos_t(at), c = r.component(i);
        if (r.settled[c] || r.doing[i] == Doing::retired) return;
        bool const hints = r.doing[i] != Doing::offering;  // else its own component knows
        pos_t other = r.view.candidate[i].pos;
        if (hints) {
            // The least one that there was stays the least as long as it leaves the component.
            other = r.view.hint[i].pos;
            if (other == no_pos || r.component(other) == c) {
                Key<T> const hint = r.find_hint(i, c);
                r.view.hint[i] = hint;
                other = hint.pos;
            }
        }
        if (other == no_pos) return;
        pos_t const id = hints ? i | Fragments<T>::is_hint : i, there = r.component(other);
        if (hints) r.view.offer(c, id);
        if (!r.settled[there]) r.view.offer(there, id);
    }
};

/// Finds the points of one run that may have a less edge than their component was offered, and counts them.
template <class T>
struct MarkWanted {
    static constexpr pos_t run =
        16;  ///< neighbours are mostly of one component, which is counted up once
    DeviceRounds<T> r;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const begin = pos_t(at) * run, end = min_of(r.points - begin, run) + begin;
        pos_t of = r.component(begin), count = 0;
        for (pos_t i = begin; i < end; ++i) {
            pos_t const c = r.component(i);
            bool const wanted =
                !r.settled[c] && r.doing[i] == Doing::sleeping && r.view.open(i, r.view.least_of(c));
            r.wanted[i] = wanted;
            if (c != of) {
                if (count > 0) atomic_add(r.open + of, count);
                of = c;
                count = 0;
            }
            count += wanted;
        }
        if (count > 0) atomic_add(r.open + of, count);
    }
};

/// The component with most points to search for; of several, the first.
template <class T>
struct MostWanted {
    DeviceRounds<T> r;
    std::uint64_t* most;  // how many, ~component
    ZWALK_HD void operator()(std::size_t c) const {
        if (r.is_root(pos_t(c)) && r.open[c] > 0)
            atomic_max(most, std::uint64_t(r.open[c]) << 32 | pos_t(~pos_t(c)));
    }
};

/// Points that have found something offer it from now on.
template <class T>
struct WakeFinders {
    DeviceRounds<T> r;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const i = pos_t(at);
        if (r.doing[i] == Doing::sleeping && !r.settled[r.component(i)] &&
            r.view.candidate[i].pos != no_pos)
            r.doing[i] = Doing::offering;
    }
};
/// After a search all components are settled but one.
template <class T>
struct SettleSearched {
    DeviceRounds<T> r;
    pos_t excluded;
    ZWALK_HD void operator()(std::size_t c) const {
        r.settled[c] = r.is_root(pos_t(c)) && (r.settled[c] || c != excluded);
    }
};

/// Which settled components add their edge: of two with the same one, the first.
template <class T>
struct ChooseEdges {
    DeviceRounds<T> r;
    std::uint8_t* adds;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const c = pos_t(at);
        bool add = r.settled[c];
        if (add) {
            Edge<T> const edge = r.view.least_of(c);
            pos_t const other = r.component(r.component(edge.a) == c ? edge.b : edge.a);
            if (other < c && r.settled[other] && r.view.least_of(other) == edge) add = false;
        }
        adds[c] = add;
    }
};
template <class T>
struct AddEdges {
    DeviceRounds<T> r;
    pos_t const* component;
    Edge<T>* edges;
    ZWALK_HD void operator()(std::size_t e) const { edges[e] = r.view.least_of(component[e]); }
};
template <class T>
struct LinkEnds {
    Edge<T> const* edges;
    Links links;
    ZWALK_HD void operator()(std::size_t e) const { links.link(edges[e].a, edges[e].b); }
};

}  // namespace zwalk::inline v0::detail
