// The rounds of a spanning tree on a device: what is done for every point and every component, for
// Device::for_each. The steps are those of src/forest.cpp; src/device_forest.hpp puts them in order.
#pragma once
#include <cstdint>

#include "zwalk/emst/detail/point_rules.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/walk/union_find.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The data of the rounds; everything by z-order position, that of components at their smallest one.
template <class T>
struct DeviceRounds : PointRules<T> {
    using Rules = PointRules<T>;
    using Rules::view, Rules::core2, Rules::listed;

    pos_t const* component_of = nullptr;  ///< of points
    Key<T>* list = nullptr;               ///< (points, listed): the nearest others, nearest first
    pos_t* dropped = nullptr;             ///< how many of the list are: they are inside the component
    /// Flags of components: the least edge offered is the least that leaves them.
    std::uint8_t* settled = nullptr;
    std::uint8_t* wanted = nullptr;
    pos_t* open = nullptr;  ///< of components: 1, or 0 in doubt; later, how many points search

    [[nodiscard]] ZWALK_INLINE pos_t component(pos_t i) const { return component_of[i]; }
    [[nodiscard]] ZWALK_INLINE bool is_root(pos_t c) const { return component(c) == c; }

    /// PointRules on the lists, for point i of component c.
    ZWALK_HD void begin(pos_t i) const {
        dropped[i] = 0;
        with_list(i, [&](ListedEdges<T>& left) { Rules::begin(i, left); });
    }
    ZWALK_HD void look_up(pos_t i, pos_t c) const {
        with_list(i, [&](ListedEdges<T>& left) { Rules::look_up(i, left, inside(c)); });
    }
    ZWALK_HD void find_hint(pos_t i, pos_t c) const {
        with_list(i, [&](ListedEdges<T>& left) { Rules::find_hint(i, left, inside(c)); });
    }

  private:
    struct Inside {
        pos_t const* component;
        pos_t c;
        ZWALK_INLINE bool operator()(pos_t j) const { return component[j] == c; }
    };
    [[nodiscard]] ZWALK_INLINE Inside inside(pos_t c) const { return {component_of, c}; }
    /// Lists in order lose their first elements, others their last ones.
    template <class F>
    ZWALK_HD void with_list(pos_t i, F const& f) const {
        Key<T>* const row = list + std::size_t(i) * listed;
        ListedEdges<T> left{core2 ? row : row + dropped[i], listed - dropped[i]};
        f(left);
        dropped[i] = listed - left.size;
    }
};

/// Numbers of a round, in the memory of the device.
struct RoundRecord {
    pos_t added;         ///< edges of all rounds before
    pos_t settled;       ///< components whose least edge is known without a search
    pos_t found;         ///< edges that the round adds
    pos_t wanted;        ///< points that could search
    std::uint64_t most;  ///< see MostWanted
};

/// Point i as a component of its own: the first round's candidate and offer.
template <class T>
struct BeginRounds {
    DeviceRounds<T> r;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const i = pos_t(at);
        r.begin(i);
        r.open[i] = 1;
        r.view.least[i] = r.doing[i] == Doing::offering ? i : no_pos;
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

/// Lowers `open`, which is 1, of components whose least edge isn't certain: one of their sleeping points may
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
        bool const hints = r.doing[i] != Doing::offering;  // else its own component has it
        pos_t other = r.view.candidate[i].pos;
        if (hints) {
            r.find_hint(i, c);
            other = r.view.hint[i].pos;
        }
        if (other == no_pos) return;
        pos_t const id = hints ? i | Fragments<T>::is_hint : i, there = r.component(other);
        if (hints) r.view.offer(c, id);
        if (!r.settled[there]) r.view.offer(there, id);
    }
};

/// Finds the points among a few in order that may have a less edge than their component was offered, and counts them.
template <class T>
struct MarkWanted {
    static constexpr pos_t few =
        16;  ///< neighbours are mostly of one component, which is counted up once
    DeviceRounds<T> r;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const begin = pos_t(at) * few, end = min_of(r.points - begin, few) + begin;
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

/// Which settled components add their edge: of two with the same one, the first. After a search all are settled but one, and points
/// that have found something offer it from now on.
template <class T>
struct ChooseEdges {
    DeviceRounds<T> r;
    bool searched;
    pos_t excluded;  ///< by the search
    std::uint8_t* adds;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const c = pos_t(at);
        if (searched) wake(c);
        bool add = r.is_root(c) && is_settled(c);
        if (add) {
            Edge<T> const edge = r.view.least_of(c);
            pos_t const other = r.component(r.component(edge.a) == c ? edge.b : edge.a);
            if (other < c && is_settled(other) && r.view.least_of(other) == edge) add = false;
        }
        adds[c] = add;
    }

  private:
    [[nodiscard]] ZWALK_INLINE bool is_settled(pos_t root) const {
        return r.settled[root] || (searched && root != excluded);
    }
    ZWALK_HD void wake(pos_t i) const {
        if (r.doing[i] == Doing::sleeping && !r.settled[r.component(i)] &&
            r.view.candidate[i].pos != no_pos)
            r.doing[i] = Doing::offering;
    }
};
/// Adds the edges of the components found[0], found[1], ..., and joins their ends.
template <class T>
struct AddEdges {
    DeviceRounds<T> r;
    pos_t const* found;
    RoundRecord const* record;
    Edge<T>* edges;
    Links links;
    ZWALK_HD void operator()(std::size_t e) const {
        if (e >= record->found) return;
        Edge<T> const edge = r.view.least_of(found[e]);
        edges[record->added + e] = edge;
        links.link(edge.a, edge.b);
    }
};
/// Points straight to their components, which have been offered nothing yet and are in no doubt: what the next round begins with.
template <class T>
struct EndRound {
    DeviceRounds<T> r;
    Links links;
    RoundRecord* record;
    ZWALK_HD void operator()(std::size_t at) const {
        links.settle(pos_t(at));
        r.view.least[at] = no_pos;
        r.open[at] = 1;
        if (at == 0) record->added += record->found;
    }
};

}}}  // namespace zwalk::v0::detail
