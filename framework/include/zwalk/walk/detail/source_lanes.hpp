// Node meets node with a source on each lane: on devices the other form of node_step.hpp, for traits that take in accepted sources
// side by side (tuning.lane_absorb).
//
// A group works on one target. Each lane has a listed source, whose children it decides on, and then takes another one. Accepted ones
// wait in a ring until there is one for every lane: then absorb() sees them as a pack. It is called once for a target, so that
// its sums stay in registers over the whole list, and the target's state is read and written once. Sums of lanes are joined at
// the end, in an order that is fixed.
#pragma once
#include <cstddef>

#include "zwalk/core/bits.hpp"
#include "zwalk/exec/lane_doubles.hpp"
#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/detail/absorb.hpp"
#include "zwalk/walk/detail/decided.hpp"
#include "zwalk/walk/lists.hpp"

namespace zwalk { inline namespace v0 {

/// Accepted sources that are found while absorb goes through them, a pack at a time.
template <template <class> class Accepted, class G, class Source>
struct AcceptedView<Accepted<LaneDoubles<G, Source>>> {
    struct Iterator {
        Source* source;

        ZWALK_INLINE Accepted<LaneDoubles<G, Source>> operator*() const { return source->pack(); }
        ZWALK_INLINE Iterator& operator++() {
            source->next();
            return *this;
        }
        ZWALK_INLINE bool operator!=(Iterator const&) const { return source->has_more(); }
    };
    Source* source;

    [[nodiscard]] ZWALK_INLINE Iterator begin() const { return {source}; }
    [[nodiscard]] ZWALK_INLINE Iterator end() const { return {source}; }
};

namespace detail {

/// Whether lanes take a source each, rather than a target.
template <class I>
inline constexpr bool lanes_take_sources =
    tuning_of<I>.lane_absorb && !I::uses.far && !I::uses.links && !accepts_into_sink<I>;

/// How many lanes before lane l have a bit.
ZWALK_INLINE pos_t bits_before(unsigned bits, int l) {
    return pos_t(count_bits(bits & ((1U << l) - 1)));
}

/// A target node and its box.
template <class I>
struct TargetInBox {
    typename I::Node node;
    Box<I::dim, typename I::real> box;

    template <class Space>
    ZWALK_INLINE TargetInBox(Step<I, Space> const& step, pos_t i)
        : node(node_view<I>(step.space, step.targets, step.target_summary, i)),
          box(box_of(step.targets, i)) {
        if (step.reach) node.reach = step.reach[i - step.base];
        node.state = step.inherited[i - step.base];
    }
    template <class Space>
    [[nodiscard]] ZWALK_INLINE Range<typename I::real> range_of(Step<I, Space> const& step,
                                                                pos_t s) const {
        auto const other = box_of(step.sources, s);
        Range<typename I::real> r{0, 0};
        ZWALK_UNROLL
        for (int j = 0; j < I::dim; ++j)
            add_axis(step.space, j, box.lo[j], box.hi[j], other.lo[j], other.hi[j], r);
        if constexpr (I::uses.metric) r = step.trait.metric(node, source_view(step, s), r);
        return r;
    }
    template <class Space>
    [[nodiscard]] ZWALK_INLINE Decision decide(Step<I, Space> const& step, pos_t s,
                                               Range<typename I::real> range) const {
        if constexpr (cuts_off_nodes<I>)
            if (range.lo2 > step.trait.cutoff2()) return Decision::discard;
        return decided(step, node, decided_view(step, s), range);
    }
};

/// The children of what is listed for one target, a child on each lane at a time.
template <class G, class I, class Space>
class ListedChildren {
    using T = typename I::real;
    template <class X>
    using var = typename G::template var<X>;

  public:
    /// @param list  of the target's parent
    ZWALK_INLINE ListedChildren(G const& g, Step<I, Space> const& step, ListView<T> list)
        : g_(g), step_(step), entries_(list.entries), size_(pos_t(list.size)) {
        g_.lanes([&](int l) { source_[l] = end_[l] = 0; });
    }

    /// Puts the next child into `found` on each lane, and what was decided on it into `decision`: discard on lanes without a child.
    /// @return false, and nothing was done: there are no more
    [[nodiscard]] ZWALK_INLINE bool find(TargetInBox<I> const& target, var<Entry<T>>& found,
                                         var<Decision>& decision) {
        unsigned const free = g_.ballot([&](int l) { return source_[l] >= end_[l]; });
        if (free != 0) {
            if (free == all_lanes && listed_ == size_) return false;
            take_entries(target.node, free);
        }
        g_.lanes([&](int l) { decision[l] = Decision::discard; });
        g_.where([&](int l) { return source_[l] < end_[l]; },
                 [&](int l) {
                     Range<T> const range = target.range_of(step_, source_[l]);
                     found[l] = {source_[l]++, range.lo2};
                     decision[l] = target.decide(step_, found[l].source, range);
                 });
        return true;
    }

  private:
    static constexpr unsigned all_lanes = 0xffffffffU >> (32 - G::width);

    /// The next listed sources for lanes that have none.
    ZWALK_INLINE void take_entries([[maybe_unused]] typename I::Node const& target, unsigned free) {
        g_.where([&](int l) { return (free >> l & 1U) != 0 && bits_before(free, l) < size_ - listed_; },
                 [&](int l) {
                     Entry<T> const entry = entries_[listed_ + bits_before(free, l)];
                     if constexpr (I::uses.ordered)
                         if (!(step_.key(entry) <= target.reach)) return;
                     source_[l] = step_.child_begin(entry.source);
                     end_[l] = step_.child_end(entry.source);
                 });
        listed_ += min_of(pos_t(count_bits(free)), size_ - listed_);
    }

    G const& g_;
    Step<I, Space> const& step_;
    Entry<T> const* entries_;
    pos_t size_, listed_ = 0;  // of the list, and how many lanes have taken
    var<pos_t> source_, end_;  // from where on a lane has children
};

/// The sources that one target accepts, in packs of one for each lane. Counts those that it hands down.
template <class G, class I, class Space>
class AcceptedStream {
    using T = typename I::real;
    using State = typename I::State;
    using Number = typename I::template Accepted<double>;
    template <class X>
    using var = typename G::template var<X>;
    static constexpr unsigned W = G::width;
    static constexpr int held = lanes_held<G>;

  public:
    using Numbers = LaneDoubles<G, AcceptedStream>;
    using Sources = typename I::template Accepted<Numbers>;

    /// @param own  is given the target's state when all packs were taken
    ZWALK_INLINE AcceptedStream(G const& g, Step<I, Space> const& step, pos_t target, ListView<T> list,
                                State& own)
        : g_(g), step_(step), children_(g, step, list), target_(target), own_(own) {
        gather();
    }
    [[nodiscard]] ZWALK_INLINE bool is_empty() const { return waiting_ == 0; }
    /// How many children the target hands down, once there are no more packs.
    [[nodiscard]] ZWALK_INLINE pos_t handed_down() const { return handed_down_; }

    /// Whether there is another pack. On a GPU lanes without a source of the last one are done before it. When all are taken absorb is
    /// about to change the state: it is read now, so that it isn't in registers all the while.
    [[nodiscard]] ZWALK_INLINE bool has_more() const {
        if (held == 1 ? unsigned(g_.thread()) < waiting_ : waiting_ > 0) return true;
        own_ = step_.inherited[target_ - step_.base];
        return false;
    }
    /// The next pack. On a CPU lanes behind the last source have an Accepted<double>{}.
    [[nodiscard]] ZWALK_INLINE Sources pack() {
        constexpr int numbers = int(sizeof(Number) / sizeof(double));
        static_assert(sizeof(Sources) == std::size_t(held) * sizeof(Number));
        Sources all;
        auto* const to = reinterpret_cast<double*>(&all);
        auto& ring = shared_.get(g_).ring;
        TargetInBox<I> const target(step_, target_);
        g_.lanes([&](int l) {
            Number one{};
            if (held == 1 || unsigned(l) < waiting_) {
                pos_t const s = ring[(start_ + unsigned(l)) % (2 * W)];
                one =
                    step_.trait.accepted(target.node, decided_view(step_, s), target.range_of(step_, s));
            }
            auto const* const from = reinterpret_cast<double const*>(&one);
            ZWALK_UNROLL
            for (int i = 0; i < numbers; ++i) to[i * held + (held == 1 ? 0 : l)] = from[i];
        });
        return all;
    }
    ZWALK_INLINE void next() {
        bool const is_last = waiting_ < W;
        start_ = (start_ + W) % (2 * W);
        waiting_ -= min_of(waiting_, W);
        if (!is_last) gather();  // of all lanes
    }

  private:
    struct Shared {
        typename G::template Slots<pos_t, int(2 * W)> ring;  // the `waiting_` from `start_` on
    };

    /// Looks for accepted sources until there is one for every lane, or there are no more.
    ZWALK_INLINE void gather() {
        auto& ring = shared_.get(g_).ring;
        TargetInBox<I> const target(
            step_, target_);  // read anew, so that it isn't in registers while sums are made
        var<Entry<T>> found;
        var<Decision> decision;
        g_.sync();  // others may still read the ring
        while (waiting_ < W && children_.find(target, found, decision)) {
            unsigned const accepted = g_.ballot([&](int l) { return decision[l] == Decision::accept; });
            g_.where([&](int l) { return (accepted >> l & 1U) != 0; },
                     [&](int l) {
                         ring.write(g_, (start_ + waiting_ + bits_before(accepted, l)) % (2 * W),
                                    found[l].source);
                     });
            waiting_ += unsigned(count_bits(accepted));
            handed_down_ +=
                pos_t(count_bits(g_.ballot([&](int l) { return decision[l] == Decision::descend; })));
        }
        g_.sync();
    }

    G const& g_;
    Step<I, Space> const& step_;
    ListedChildren<G, I, Space> children_;
    pos_t target_;
    State& own_;
    typename G::template Local<Shared> shared_;
    unsigned start_ = 0, waiting_ = 0;
    pos_t handed_down_ = 0;
};

/// A target takes in all that it accepts, and counts what it hands down.
template <class G, class I, class Space>
ZWALK_INLINE void absorb_step(G const& g, Step<I, Space> const& step, pos_t target,
                              ListView<typename I::real> list, pos_t* count) {
    typename I::State own{};
    AcceptedStream<G, I, Space> accepted(g, step, target, list, own);
    bool const is_changed = !accepted.is_empty();
    if (is_changed) {
        using Numbers = typename AcceptedStream<G, I, Space>::Numbers;
        step.trait.template absorb<Numbers>(own, TargetInBox<I>(step, target).node, {&accepted});
    }
    pos_t const n = is_idle(step, target) ? 0 : accepted.handed_down();
    g.where([](int l) { return l == 0; },
            [&](int) {
                if (is_changed) step.state[target - step.base] = own;
                count[target - step.base] = n;
            });
}

/// Writes the sources that a target hands down to list[offset[target - base]...], and their number to count.
template <class G, class I, class Space>
ZWALK_INLINE void hand_down_step(G const& g, Step<I, Space> const& step, pos_t target,
                                 ListView<typename I::real> parent_list, pos_t* count,
                                 size_type const* offset, Entry<typename I::real>* list) {
    using T = typename I::real;
    ListedChildren<G, I, Space> children(g, step, parent_list);
    TargetInBox<I> const node(step, target);
    Entry<T>* const own = list + offset[target - step.base];
    typename G::template var<Entry<T>> found;
    typename G::template var<Decision> decision;
    pos_t n = 0;
    while (!is_idle(step, target) && children.find(node, found, decision)) {
        unsigned const wanted = g.ballot([&](int l) { return decision[l] == Decision::descend; });
        g.where([&](int l) { return (wanted >> l & 1U) != 0; },
                [&](int l) { own[n + bits_before(wanted, l)] = found[l]; });
        n += pos_t(count_bits(wanted));
    }
    g.where([](int l) { return l == 0; }, [&](int) { count[target - step.base] = n; });
}

}  // namespace detail
}}  // namespace zwalk::v0
