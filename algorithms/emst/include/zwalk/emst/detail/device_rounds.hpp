// The rounds of a spanning tree on a device: what is done for every point and every component, for
// Device::for_each. The steps are those of src/forest.cpp; src/device_forest.hpp puts them in order.
#pragma once
#include <atomic>
#include <cstdint>

#include "zwalk/emst/detail/point_rules.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/walk/union_find.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// *to += n, also if others do so at once. Returns what was there.
ZWALK_INLINE pos_t fetch_add(pos_t* to, pos_t n) {
#if defined(__CUDA_ARCH__)
    return atomicAdd(to, n);
#else
    return std::atomic_ref<pos_t>(*to).fetch_add(n, std::memory_order_relaxed);
#endif
}

/// Numbers of a round, in the memory of the device.
struct RoundRecord {
    pos_t added;    ///< edges of all rounds
    pos_t doubted;  ///< components whose least edge isn't known without a search
    pos_t wanted;   ///< points that could search
    pos_t unused;
    std::uint64_t most;  ///< see MarkWanted
};

/// The data of the rounds; everything by z-order position, that of components at their smallest one.
template <class T>
struct DeviceRounds : PointRules<T> {
    using Rules = PointRules<T>;
    using Rules::view, Rules::core2, Rules::listed, Rules::doing;
    static constexpr pos_t undoubted = no_pos;

    /// Of points. From AddEdges to OfferCandidates a union-find, where a component points to the one that it has joined.
    pos_t* component_of = nullptr;
    Key<T>* list = nullptr;    ///< (points, listed): the nearest others, nearest first
    pos_t* dropped = nullptr;  ///< how many of the list are: they are inside the component
    std::uint8_t* wanted = nullptr;
    /// Of components: `undoubted`, as long as the least edge offered is the least that leaves it. Else how many points search.
    pos_t* open = nullptr;
    RoundRecord* record = nullptr;

    [[nodiscard]] ZWALK_INLINE pos_t component(pos_t i) const { return component_of[i]; }
    [[nodiscard]] ZWALK_INLINE bool is_settled(pos_t c) const {
        return load_relaxed(open + c) == undoubted;
    }
    /// The component of a point, while other threads may ask for it or for others, but none joins any. Ways of more than a step become
    /// shorter for all: neighbours on a line, each of which has joined the one before, share what each of them climbs.
    [[nodiscard]] ZWALK_HD pos_t find_component(pos_t i) const {
        pos_t const up = load_relaxed(component_of + i);
        if (load_relaxed(component_of + up) == up) return up;
        Links{component_of}.settle(i);
        return load_relaxed(component_of + i);
    }
    /// What a component begins a round with.
    ZWALK_INLINE void begin_component(pos_t c) const {
        view.least[c] = no_pos;
        open[c] = undoubted;
    }

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
        DeviceRounds const& rounds;
        pos_t c;
        ZWALK_INLINE bool operator()(pos_t j) const { return rounds.find_component(j) == c; }
    };
    [[nodiscard]] ZWALK_INLINE Inside inside(pos_t c) const { return {*this, c}; }
    /// Lists in order lose their first elements, others their last ones.
    template <class F>
    ZWALK_HD void with_list(pos_t i, F const& f) const {
        Key<T>* const row = list + std::size_t(i) * listed;
        ListedEdges<T> left{core2 ? row : row + dropped[i], listed - dropped[i]};
        f(left);
        dropped[i] = listed - left.size;
    }
};

/// Point i as a component of its own: the first round's candidate and offer.
template <class T>
struct BeginRounds {
    DeviceRounds<T> r;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const i = pos_t(at);
        r.component_of[i] = i;
        r.begin(i);
        r.begin_component(i);
        if (r.doing[i] == Doing::offering) r.view.least[i] = i;
    }
};

/// Point i finds its component behind a round, and offers its candidate.
template <class T>
struct OfferCandidates {
    DeviceRounds<T> r;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const i = pos_t(at), c = r.find_component(i);
        if (i == 0) r.record->doubted = 0;
        if (r.doing[i] != Doing::offering) return;
        if (r.find_component(r.view.candidate[i].pos) == c) r.look_up(i, c);
        if (r.doing[i] == Doing::offering) r.view.offer(c, i);
    }
};

/// Raises a doubt about components whose least edge isn't certain: one of their sleeping points may have a less one than was
/// offered. So it is where none was.
template <class T>
struct DoubtSleepers {
    DeviceRounds<T> r;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const i = pos_t(at), c = r.component(i);
        if (at == 0) r.record->most = 0;
        if (r.doing[i] != Doing::sleeping || !r.is_settled(c) ||
            r.view.least_of(c).w2 < r.view.proven[i].d2)
            return;
        bool is_first = false;
        for (pos_t known = r.undoubted; !is_first && known == r.undoubted;)
            is_first = atomic_publish(r.open + c, known, 0);
        if (is_first) atomic_add(&r.record->doubted, 1);
    }
};

/// Offers some edges to components that will search, so that none goes without a bound.
template <class T>
struct OfferHints {
    DeviceRounds<T> r;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const i = pos_t(at), c = r.component(i);
        if (r.is_settled(c) || r.doing[i] == Doing::retired) return;
        bool const hints = r.doing[i] != Doing::offering;  // else its own component has it
        pos_t other = r.view.candidate[i].pos;
        if (hints) {
            r.find_hint(i, c);
            other = r.view.hint[i].pos;
        }
        if (other == no_pos) return;
        pos_t const id = hints ? i | Fragments<T>::is_hint : i, there = r.component(other);
        if (hints) r.view.offer(c, id);
        if (!r.is_settled(there)) r.view.offer(there, id);
    }
};

/// Finds the points among a few in order that may have a less edge than their component was offered, and counts them. Which
/// component has most of them, and how many, is known at the end; of several, the first.
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
                !r.is_settled(c) && r.doing[i] == Doing::sleeping && r.view.open(i, r.view.least_of(c));
            r.wanted[i] = wanted;
            if (c != of) {
                add(of, count);
                of = c;
                count = 0;
            }
            count += wanted;
        }
        add(of, count);
    }

  private:
    /// Numbers only grow, so the largest one ever is the largest of all in the end.
    ZWALK_HD void add(pos_t c, pos_t count) const {
        if (count == 0) return;
        std::uint64_t const now = fetch_add(r.open + c, count) + count;
        atomic_max(&r.record->most, now << 32 | pos_t(~c));
    }
};

/// Joins each settled component to the one at the other end of its edge. After a search all are settled but one, and points that
/// have found something offer it from now on.
template <class T>
struct AddEdges {
    DeviceRounds<T> r;
    bool searched;
    pos_t excluded;  ///< by the search
    Edge<T>* edges;
    ZWALK_HD void operator()(std::size_t at) const {
        pos_t const c = pos_t(at);
        if (searched && r.doing[c] == Doing::sleeping && r.view.candidate[c].pos != no_pos)
            r.doing[c] = Doing::offering;
        // Other positions than those of components have been offered nothing.
        if (r.view.least[c] != no_pos && (r.is_settled(c) || (searched && c != excluded)))
            add(r.view.least_of(c));
        r.begin_component(c);
    }

  private:
    /// Two components may have the same edge: one of them finds that they are joined. A component is joined to a smaller one once in
    /// its life, and all are but the first: that is the place of its edge.
    ZWALK_HD void add(Edge<T> const& edge) const {
        Links const links{r.component_of};
        for (;;) {
            pos_t const a = links.root(edge.a), b = links.root(edge.b);
            if (a == b) return;
            pos_t const larger = max_of(a, b);
            pos_t known = larger;
            if (!atomic_publish(r.component_of + larger, known, min_of(a, b))) continue;
            edges[larger - 1] = edge;
            atomic_add(&r.record->added, 1);
            return;
        }
    }
};

}}}  // namespace zwalk::v0::detail
