// The kernels of a walk on a device: the steps of node_step.hpp and leaf_step.hpp over a whole plane.
#pragma once
#include <type_traits>

#include "zwalk/core/key_slot.hpp"
#include "zwalk/exec/device.hpp"
#include "zwalk/walk/detail/leaf_step.hpp"
#include "zwalk/walk/detail/node_step.hpp"
#include "zwalk/walk/detail/source_lanes.hpp"

namespace zwalk { inline namespace v0 {

/// Lanes of the groups of node kernels: a parent has about 8 children, and a warp takes four parents.
inline constexpr int device_node_width = 8;
/// Lanes of the groups of leaf kernels: a warp, whose lanes vote without a barrier. A leaf of more points goes
/// through its list once more.
inline constexpr int device_leaf_width = 32;

/// Interaction lists of target nodes `base`, base + 1, ... of a plane: that of node i is count[i - base]
/// entries at entries + offset[i - base].
template <class T>
struct PlaneLists {
    Entry<T> const* entries = nullptr;
    size_type const* offset = nullptr;
    pos_t const* count = nullptr;
    pos_t base = 0;

    [[nodiscard]] ZWALK_INLINE ListView<T> of(pos_t i) const {
        return {entries + offset[i - base], count[i - base]};
    }
};

/// Which target nodes [begin, end) get lists, and whose children they are.
template <class T>
struct DeviceTask {
    pos_t begin, end;
    pos_t first_parent;
    pos_t const* child;   ///< the parents'; null: each is its own only child
    PlaneLists<T> lists;  ///< the parents'

    [[nodiscard]] ZWALK_INLINE pos_t child_begin(pos_t parent) const {
        return max_of(begin, child ? child[parent] : parent);
    }
    [[nodiscard]] ZWALK_INLINE pos_t child_end(pos_t parent) const {
        return min_of(end, child ? child[parent + 1] : parent + 1);
    }
};

namespace detail {

/// Interaction lists, nearest first, ties by z-order (a Rule of exec/device_list_sort.hpp).
template <class T>
struct EntriesInOrder {
    using Element = Entry<T>;
    using Slot = typename KeySlot<T>::type;
    static constexpr pos_t together = 1;  // planes may have few lists, and these are long
    static constexpr bool has_padding = sizeof(Element) > sizeof(pos_t) + sizeof(T);

    static ZWALK_INLINE Slot pack(Element const& e) { return KeySlot<T>::pack({e.lo2, e.source}); }
    static ZWALK_INLINE Element unpack(Slot slot) {
        Key<T> const key = KeySlot<T>::unpack(slot);
        return {key.pos, key.d2};
    }
    static ZWALK_INLINE Slot last() { return KeySlot<T>::pack(Key<T>{}); }
};

/// body(begin, end, list of the parent) for the children of parent number i of a task.
template <int W, class T, class Body>
ZWALK_INLINE void for_children(DeviceTask<T> const& task, pos_t i, Body const& body) {
    pos_t const parent = task.first_parent + i, end = task.child_end(parent);
    for (pos_t t = task.child_begin(parent); t < end; t += W)
        body(t, min_of(end, t + W), task.lists.of(parent));
}

template <class I, class Space>
struct ReachKernel {
    static constexpr int width = device_node_width;
    static constexpr int min_blocks = 1;
    static constexpr bool persistent = false;
    Step<I, Space> step;
    DeviceTask<typename I::real> task;
    Key<typename I::real>* reach;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        for_children<width>(
            task, i, [&](pos_t b, pos_t e, auto list) { reach_step(g, step, b, e, list, reach); });
    }
};

/// Whether the reach of a target is a matter of its node alone, without a label or a state. Then the first kernel that needs it finds it, and none goes before.
template <class I>
consteval bool has_own_reach() {
    if constexpr (I::uses.reach && !I::uses.links && !takes_accepts<I>)
        return std::is_empty_v<typename I::Reach>;
    else return false;
}

/// Lanes of the groups of kernels that accept and hand down: a warp where each lane takes a source.
template <class I>
inline constexpr int node_width = lanes_take_sources<I> ? 32 : device_node_width;

/// Counts accepted sources (far == null; that is when states, links and totals are changed) or inserts them. Where lanes take
/// sources, counts those that targets hand down, too.
template <class I, class Space>
struct AcceptKernel {
    static constexpr int width = node_width<I>;
    // Where ptxas weighs registers against blocks, it spills some bytes of a state, or of a total.
    static constexpr int min_blocks = I::uses.links || I::uses.state || I::uses.total ? 1 : 0;
    static constexpr bool persistent = I::uses.total;
    Step<I, Space> step;
    DeviceTask<typename I::real> task;
    typename Sink<I>::Total* totals;  // one per thread
    pos_t* count;
    size_type const* offset;
    Entry<typename I::real>* far;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t slot) const {
        if constexpr (lanes_take_sources<I>) {
            for_children<1>(task, i,
                            [&](pos_t t, pos_t, auto list) { absorb_step(g, step, t, list, count); });
        } else {
            Sink<I> sink{step.links, totals ? totals + std::size_t(slot) * width + g.thread() : nullptr};
            for_children<width>(task, i, [&](pos_t b, pos_t e, auto list) {
                accept_step(g, step, b, e, list, sink, count, offset, far);
            });
        }
    }
};

/// Counts the sources that targets hand down (out == null; not where lanes take sources) or inserts them.
template <class I, class Space>
struct DescendKernel {
    static constexpr int width = node_width<I>;
    // Where ptxas weighs registers against blocks, it spills some bytes of doubles, or of a reach beside a state or a large summary.
    static constexpr bool is_large = I::uses.state || sizeof(typename I::Summary) > 32;
    static constexpr int min_blocks =
        I::uses.links || sizeof(typename I::real) == 8 || (I::uses.reach && is_large) ? 1 : 0;
    static constexpr bool persistent = false;
    Step<I, Space> step;
    DeviceTask<typename I::real> task;
    pos_t* count;
    size_type const* offset;
    Entry<typename I::real>* out;
    Key<typename I::real>* reach = nullptr;  ///< the targets' own, to be found: step.reach

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t) const {
        if constexpr (lanes_take_sources<I>)
            for_children<1>(task, i, [&](pos_t t, pos_t, auto list) {
                hand_down_step(g, step, t, list, count, offset, out);
            });
        else
            for_children<width>(task, i, [&](pos_t b, pos_t e, auto list) {
                if constexpr (has_own_reach<I>())
                    if (reach) {
                        g.lanes([&](int l) { find_own_reach(b + pos_t(l), e); });
                        g.sync();  // lanes without a target read that of another one
                    }
                descend_step(g, step, b, e, list, count, offset, out);
            });
    }

  private:
    /// reach_step() of target t < end that has_own_reach(): step.reach has nothing of it yet.
    ZWALK_INLINE void find_own_reach(pos_t t, pos_t end) const {
        if (t >= end) return;
        auto const node = node_view<I>(step.space, step.targets, step.target_summary, t);
        reach[t - step.base] = step.trait.reach_end(step.trait.reach_begin(node), node);
    }
};

/// Accepted sources of the ancestors of a target leaf, plane by plane (uses.far).
template <class I>
struct DeviceFar {
    struct Level {
        pos_t const* first;  // the target plane's
        pos_t end;           // its nodes from lists.base up to here have lists
        PlaneLists<typename I::real> lists;
        typename I::Summary const* summary;
    };
    Level level[I::uses.far ? max_planes : 1];
    int size = 0;
};

/// The accepted sources of the ancestors of one leaf, in the form that leaf_step takes.
template <class I>
struct FarOfLeaf {
    DeviceFar<I> const& far;  // the kernel's: a copy would be a stack of two kilobytes
    pos_t leaf_first;         ///< first point of the leaf

    template <class F>
    ZWALK_INLINE void each(F const& f) const {
        for (int i = 0; i < far.size; ++i) {
            auto const& l = far.level[i];
            pos_t node = l.lists.base;  // the last one that begins at or before the leaf
            for (pos_t end = l.end; end - node > 1;) {
                pos_t const middle = node + (end - node) / 2;
                (l.first[middle] <= leaf_first ? node : end) = middle;
            }
            auto const list = l.lists.of(node);
            for (size_type e = 0; e < list.size; ++e) f(l.summary[list.entries[e].source]);
        }
    }
};

/// The points of target leaves begin, begin + 1, ... with their lists.
template <class I, class Space>
struct LeafKernel {
    static constexpr int width = device_leaf_width;
    static constexpr int min_blocks = 1;
    static constexpr bool persistent = I::uses.scratch || EndsInSink<I>;
    Step<I, Space> step;
    LeafPoints<I> points;
    PlaneLists<typename I::real> lists;
    DeviceFar<I> far;
    typename Sink<I>::Total* totals;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t slot) const {
        pos_t const leaf = lists.base + i, end = step.targets.first[leaf + 1];
        if (is_idle(step, leaf)) return;  // all lanes of the group
        LeafPoints<I> own = points;
        if constexpr (I::uses.scratch) own.scratch += std::size_t(slot) * width * points.scratch_stride;
        // In place: begin() reads it once, and a copy would be in registers for as long as the leaf's list.
        typename I::State const none{};
        typename I::State const& state = I::uses.state ? step.state[leaf - step.base] : none;
        FarOfLeaf<I> const own_far{far, step.targets.first[leaf]};
        Sink<I> sink{step.links,
                     EndsInSink<I> ? totals + std::size_t(slot) * width + g.thread() : nullptr};
        for (pos_t p = step.targets.first[leaf]; p < end; p += width)
            leaf_step(g, step, own, p, min_of(end, p + width), state, lists.of(leaf), own_far, sink);
    }
};

template <class I, class Space>
struct LeafPairKernel {
    static constexpr int width = device_leaf_width;
    static constexpr int min_blocks = 1;
    static constexpr bool persistent = I::uses.total;
    Step<I, Space> step;
    LeafPoints<I> points;
    PlaneLists<typename I::real> lists;
    typename Sink<I>::Total* totals;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t i, pos_t slot) const {
        Sink<I> sink{step.links, totals ? totals + std::size_t(slot) * width + g.thread() : nullptr};
        pos_t const leaf = lists.base + i, end = step.targets.first[leaf + 1];
        for (pos_t p = step.targets.first[leaf]; p < end; p += width)
            leaf_pair_step(g, step, points, p, min_of(end, p + width), lists.of(leaf), sink, leaf);
    }
};

/// uses.links, before the walk: for each child of parent number i, the first point of the coarsest whole
/// node that it lies in; no_pos where there is none.
template <class I, class Space>
struct WholeGroups {
    I trait;
    Space space;
    PlaneView<I::dim, typename I::real> plane;
    typename I::Summary const* summary;
    pos_t const* child;  // the parents'; null: the top plane, whose nodes have none
    pos_t const* above;  // groups of the parents
    pos_t* group;
    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const begin = child ? child[i] : pos_t(i), end = child ? child[i + 1] : pos_t(i) + 1;
        for (pos_t c = begin; c < end; ++c)
            group[c] = child && above[i] != no_pos                           ? above[i]
                       : trait.whole(node_view<I>(space, plane, summary, c)) ? plane.first[c]
                                                                             : no_pos;
    }
};
/// The points of each leaf join the group of its whole node, or else (only_links) their friends in the leaf.
/// So leaves often are one group before the first of them meets another one.
template <class I, class Space>
struct StartGroups {
    static constexpr int width = device_leaf_width;
    static constexpr int min_blocks = 1;
    static constexpr bool persistent = false;
    Step<I, Space> step;
    LeafPoints<I> points;
    pos_t const* group;
    bool grouped;

    template <class G>
    ZWALK_INLINE void operator()(G const& g, pos_t leaf, pos_t) const {
        pos_t const begin = step.targets.first[leaf], end = step.targets.first[leaf + 1];
        if (group[leaf] != no_pos) {
            g.lanes([&](int l) {
                for (pos_t p = begin + pos_t(l); p < end; p += width) {
                    if (grouped) step.links.link(group[leaf], p);
                    else step.links.start(p, group[leaf]);
                }
            });
        } else if constexpr (only_links<I>) {
            Sink<I> sink{step.links, nullptr};
            Entry<typename I::real> const itself{leaf, 0};
            for (pos_t p = begin; p < end; p += width)
                leaf_pair_step(g, step, points, p, min_of(end, p + width), {&itself, 1}, sink);
        }
    }
};

/// States of the children of parent number i: top states, or what they inherit.
template <class I, class Space>
struct InheritStates {
    I trait;
    Space space;
    DeviceTask<typename I::real> task;
    PlaneView<I::dim, typename I::real> parents, targets;
    typename I::Summary const *parent_summary, *target_summary;
    typename I::State const* above;  // the parents', from task.first_parent on; null: at the top
    typename I::State* state;        // the targets', from task.begin on
    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const parent = task.first_parent + pos_t(i);
        for (pos_t t = task.child_begin(parent); t < task.child_end(parent); ++t) {
            typename I::State own = trait.top_state();
            if (above) {
                auto node = node_view<I>(space, parents, parent_summary, parent);
                node.state = above[i];
                own = trait.inherit(above[i], node, node_view<I>(space, targets, target_summary, t));
            }
            state[t - task.begin] = own;
        }
    }
};

/// Summaries of nodes: of the points of a leaf, or of the children; from left to right.
template <class I>
struct SummarizeNodes {
    I trait;
    PointColumns<I::dim, typename I::real> points;
    ColumnsView<typename I::Payload> payload;
    pos_t const* range;
    typename I::Summary const* finer;  // null: points
    typename I::Summary* summary;

    [[nodiscard]] ZWALK_HD typename I::Summary part(pos_t c) const {
        if (finer) return finer[c];
        return trait.summarize(typename I::Point{points.point(c), c, payload[c]});
    }
    ZWALK_HD void operator()(std::size_t i) const {
        if constexpr (tuning_of<I>.leaf_summary)
            if (!finer) {
                summary[i] =
                    trait.summarize_leaf(LeafOf<I>{range[i], range[i + 1] - range[i], payload, points});
                return;
            }
        auto sum = part(range[i]);
        for (pos_t c = range[i] + 1; c < range[i + 1]; ++c) sum = trait.merge(sum, part(c));
        summary[i] = sum;
    }
};

}  // namespace detail
}}  // namespace zwalk::v0
