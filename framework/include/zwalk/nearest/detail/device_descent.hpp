// The k nearest sources of queries on a device by descents of their own: what descent.hpp is to a CPU's thread, a group of
// lanes does. For queries that are few for the sources: a walk would make lists for each of them, plane by plane, with a
// wait between two planes.
#pragma once
#include <algorithm>

#include "zwalk/core/bits.hpp"
#include "zwalk/nearest/detail/group_candidates.hpp"
#include "zwalk/nearest/search.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/nearest/ways.hpp"
#include "zwalk/walk/device_group_leaf.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The planes of a tree, the leaves first. A group keeps the state of each on a lane of its own.
template <int D, class T>
struct PlaneViews {
    PlaneView<D, T> plane[device_group_width];
    int size = 0;
};

/// Is called for what a descent looks at, and counts nothing.
struct NotCounted {
    ZWALK_INLINE void nodes(unsigned /*at most as many as lanes*/) const {}
    ZWALK_INLINE void leaf(unsigned /*points*/) const {}
};

/// Counts what a descent looks at, for one thread: on a HostDevice.
struct CountDescents {
    struct Sums {
        double rounds = 0, nodes = 0;                ///< boxes looked at, lanes side by side
        double leaves = 0, blocks = 0, sources = 0;  ///< points met, lanes side by side
    };
    Sums* sums;
    void nodes(unsigned n) const {
        ++sums->rounds;
        sums->nodes += n;
    }
    void leaf(unsigned points) const {
        ++sums->leaves;
        sums->blocks += (points - 1) / unsigned(device_group_width) + 1;
        sums->sources += points;
    }
};

/// Depth first, the nearest child first. Lanes are up to 32 siblings, a *chunk*, or as many points of a leaf. For each plane on
/// the way down only the siblings that are yet to be entered are kept, in registers of the plane's lane; coming back to
/// them, their boxes are looked at again, against the horizon of by then: a load that the cache answers, instead of memory
/// for every one of them.
///
/// Where a node has several chunks of children, that of the nearest child comes first, then those behind it, around the end.
/// So of n siblings n boxes are looked at twice at most, and for each that is entered those of its chunk once more.
template <class G, class I, class Space, class Target, class Count>
class GroupDescent {
    using T = typename I::real;
    template <class V>
    using var = typename G::template var<V>;
    static constexpr pos_t W = G::width;
    static_assert(W == pos_t(device_group_width));

  public:
    ZWALK_INLINE GroupDescent(G const& g, PlaneViews<I::dim, T> const& planes, Target& target,
                              Count const& count)
        : g_(g), planes_(planes), target_(target), count_(count) {}

    /// All sources that matter meet the target.
    ZWALK_INLINE void run() {
        if (planes_.size == 0) return;  // no sources
        int p = planes_.size - 1;
        open(p, 0, planes_.plane[p].nodes);
        while (p < planes_.size) {
            unsigned left = look(p);
            if (p == 0)
                for (; left != 0; left &= near()) left = enter_leaf(left);
            if (left == 0) {
                if (!next_chunk(p)) ++p;
                continue;
            }
            int const next = nearest(left);
            g_.lanes([&](int l) {
                if (l == p) left_[l] = left & ~(1U << next);
            });
            pos_t const begin = g_.broadcast(inner_, next), end = g_.broadcast(inner_end_, next);
            open(--p, begin, end);
        }
    }

  private:
    /// The siblings [begin, end) of plane p are to be entered.
    ZWALK_INLINE void open(int p, pos_t begin, pos_t end) {
        pos_t const first = end - begin <= W ? begin : nearest_chunk(planes_.plane[p], begin, end);
        g_.lanes([&](int l) {
            if (l != p) return;
            begin_[l] = begin;
            end_[l] = end;
            first_[l] = chunk_[l] = first;
            left_[l] = 0xffffffffU;
        });
    }
    /// The next chunk of plane p, if there is one.
    ZWALK_INLINE bool next_chunk(int p) {
        g_.lanes([&](int l) {
            if (l != p) return;
            chunk_[l] = end_[l] - chunk_[l] > W ? chunk_[l] + W : begin_[l];
            left_[l] = 0xffffffffU;
        });
        return g_.any([&](int l) { return l == p && chunk_[l] != first_[l]; });
    }
    /// The chunk of siblings [begin, end) that has the nearest one.
    ZWALK_INLINE pos_t nearest_chunk(PlaneView<I::dim, T> const& plane, pos_t begin, pos_t end) {
        var<pos_t> chunk;
        g_.lanes([&](int l) {
            lo2_[l] = infinity<T>;
            chunk[l] = begin;
        });
        for (pos_t c = begin; c < end; c += W) {
            count_.nodes(min_of(end - c, W));
            g_.lanes([&](int l) {
                if (pos_t(l) >= end - c) return;
                T const d2 = target_.box_distance(plane, c + pos_t(l));
                if (!(d2 < lo2_[l])) return;
                lo2_[l] = d2;
                chunk[l] = c;
            });
        }
        return g_.broadcast(chunk, nearest(0xffffffffU));
    }

    /// Looks at the chunk of plane p: where they lie, what is in them, how far they are. Bits of those that are to be entered.
    ZWALK_INLINE unsigned look(int p) {
        auto const& plane = planes_.plane[p];
        pos_t const* const inner = p == 0 ? plane.first : plane.child;
        pos_t const chunk = g_.broadcast(chunk_, p), n = g_.broadcast(end_, p) - chunk;
        count_.nodes(min_of(n, W));
        g_.lanes([&](int l) {
            pos_t const node = chunk + min_of(pos_t(l), n - 1);
            position_[l] = plane.first[node];
            inner_[l] = inner[node];
            inner_end_[l] = inner[node + 1];
            lo2_[l] = target_.box_distance(plane, node);
        });
        unsigned const there = n < W ? (1U << n) - 1 : 0xffffffffU;
        return g_.broadcast(left_, p) & there & near();
    }
    ZWALK_INLINE unsigned near() const {
        Key<T> const horizon = target_.horizon();
        return g_.ballot([&](int l) { return Key<T>{lo2_[l], position_[l]} <= horizon; });
    }
    /// The lane of the least key of those with a bit: siblings lie in the order of their positions.
    ZWALK_INLINE int nearest(unsigned bits) const {
        var<T> least;
        g_.lanes([&](int l) { least[l] = (bits >> l & 1U) != 0 ? lo2_[l] : infinity<T>; });
        ZWALK_UNROLL
        for (int mask = int(W) / 2; mask > 0; mask /= 2)
            g_.exchange(least, mask, [&](int l, T other) { least[l] = min_of(least[l], other); });
        return trailing_zeros(bits & g_.ballot([&](int l) { return lo2_[l] == least[l]; }));
    }
    /// The points of the nearest leaf meet the target. The bits of the other ones.
    ZWALK_INLINE unsigned enter_leaf(unsigned left) {
        int const next = nearest(left);
        pos_t const first = g_.broadcast(inner_, next), last = g_.broadcast(inner_end_, next);
        count_.leaf(last - first);
        target_.meet(first, last);
        return left & ~(1U << next);
    }

    G const& g_;
    PlaneViews<I::dim, T> const& planes_;
    Target& target_;
    Count const& count_;
    // State of the lane's plane: siblings, the chunk met first, the one that it is at, and those of it that weren't entered.
    var<pos_t> begin_, end_, first_, chunk_;
    var<unsigned> left_;
    // Siblings looked at last: how far they are, their first positions, their children or points.
    var<T> lo2_;
    var<pos_t> position_, inner_, inner_end_;
};

/// Group i takes target first + i.
template <class I, class Space, class Count = NotCounted>
struct DescentKernel {
    static constexpr int width = device_group_width;
    static constexpr int min_blocks = 1;
    static constexpr bool persistent = false;
    I trait;
    Space space;
    LeafPoints<I> points;
    PlaneViews<I::dim, typename I::real> sources;
    pos_t first;
    Count count;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        using Fold = typename I::template GroupFold<G>;
        using Target = GroupTarget<G, I, Space, Fold>;
        Fold fold;
        Target target(g, trait, space, points, fold, first + i, {});
        GroupDescent<G, I, Space, Target, Count>(g, sources, target, count).run();
        target.end();
    }
};

/// The trait of descents: a group keeps so many.
template <int D, class T, class Output>
using DescentTrait = Nearest<D, T, Output, GroupCandidates<T, 256>>;

/// Whether so many targets descend through the tree of the sources, one by one (ways.hpp), instead of being walked. What
/// descends needs no tree of its own.
/// @param leaves  of the tree that they have; 0: none
template <class T, class Device>
bool targets_descend(std::size_t targets, std::size_t leaves, Tree<T, Device> const& sources,
                     index_t k) {
    return attainable_k(std::size_t(k), sources.size()) <= GroupCandidates<T, 256>::largest_k &&
           sources.planes.size() <= std::size_t(device_group_width) &&
           device_descends(targets, leaves, sources.size());
}

/// Hands the k nearest sources of every target to `output`, as find_nearest() does: the same bits. Only the points of the
/// targets are looked at.
///
/// One launch; a group per target. On data of few dimensions O(log N + k) nodes of the sources for each.
template <int D, class T, class Space, class Output, class Device, class Count = NotCounted>
void descend_all(Device& device, Space const& space, Tree<T, Device> const& targets,
                 Tree<T, Device> const& sources, NearestSearch const& search, Output const& output,
                 Count const& count = {}) {
    using Trait = DescentTrait<D, T, Output>;
    Trait trait(attainable_k(std::size_t(search.k), sources.size()), output);
    trait.exclude_self = search.exclude_self;
    trait.limit2 = search.template limit2<T>();
    DescentKernel<Trait, Space, Count> kernel{trait, space, {}, {}, 0, count};
    kernel.points.targets = targets.template points<D>();
    kernel.points.sources = sources.template points<D>();
    for (std::size_t p = 0; p < sources.planes.size(); ++p)
        kernel.sources.plane[kernel.sources.size++] = sources.template plane<D>(p);
    for (pos_t begin = 0, n = targets.size(); begin < n;) {
        pos_t const end = begin + std::min(n - begin, search.chunk_points);
        kernel.first = begin;
        device.launch(end - begin, kernel);
        if (search.after_chunk) search.after_chunk(begin, end);
        begin = end;
    }
}

}}}  // namespace zwalk::v0::detail
