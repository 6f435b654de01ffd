// The steps of a walk on a CPU thread, compiled for each instruction set.
#pragma once
#include "zwalk/walk/detail/group_steps.hpp"

namespace zwalk { inline namespace v0 {

/// How a CPU takes the steps of a walk: by cpu_node_step.hpp and cpu_leaf_step.hpp, or cpu_pair_step.hpp
/// where the walk is symmetric.
template <class T>
struct CpuSteps {
    Isa isa = best_isa();
};

namespace detail {

/// Brings the parent's list to the lists of target nodes [begin, end), in `f`. Lists of leaves are left
/// unordered: how much of its list a leaf needs shows in the leaf step.
template <class T, class I, class Space>
void node_steps(CpuSteps<T> const& steps, Workspace<I>& ws, Frame<I>& f, Step<I, Space>& step,
                pos_t begin, pos_t end, ListView<T> list, PlanePairs& counts) {
    std::size_t const n = end - begin;
    f.offset.assign(n + 1, 0);
    f.far_offset.assign(n + 1, 0);
    f.count.assign(n, 0);
    f.far.clear();
    Sink<I> sink{step.links, &ws.total};
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t const used = f.offset[i];
        f.count[i] = pos_t(with_isa(steps.isa, [&]<Isa isa>() {
            pos_t const t = begin + pos_t(i);
            if (is_idle(step, t)) return std::size_t(0);
            auto target = node_view<I>(step.space, step.targets, step.target_summary, t);
            if constexpr (I::uses.links) target.label = step.links.root(target.first);
            if constexpr (I::uses.state) target.state = f.state[i];
            collect_candidates<isa>(step, target, box_of(step.targets, t), list, ws.room.candidates,
                                    counts);
            make_room(f.list, used + ws.room.candidates.size + 1);
            return decide_candidates<isa>(step, target, ws.room.candidates,
                                          I::uses.state ? &f.state[i] : nullptr, sink,
                                          f.list.data() + used, &f.far, ws.accepted, counts);
        }));
        f.offset[i + 1] = used + f.count[i];
        f.far_offset[i + 1] = f.far.size();
        if (I::uses.ordered && !step.is_last)
            sort_entries(f.list.data() + used, f.list.data() + f.offset[i + 1]);
    }
}

/// f(leaf step, begin, end) -> where the rest begins, for a target leaf piece by piece.
template <class I, class T, class Space, class F>
ZWALK_CPU_INLINE void each_piece(CpuSteps<T> const& steps, Workspace<I>& ws, Step<I, Space> const& step,
                                 LeafPoints<I>& points, pos_t leaf, F const& f) {
    if constexpr (I::uses.scratch)
        points.scratch = ws.folds(LeafTargets<I>::capacity, points.scratch_stride);
    pos_t const end = step.targets.first[leaf + 1];
    for (pos_t p = step.targets.first[leaf]; p < end;)
        p = with_isa(steps.isa, [&]<Isa isa>() {
            Sink<I> const sink{step.links, &ws.total};
            return f(CpuLeaf<isa, I, Space>(step, points, ws.targets, sink), p, end);
        });
}

template <class I, class T, class Space>
void leaf_steps(CpuSteps<T> const& steps, Workspace<I>& ws, Step<I, Space> const& step,
                LeafPoints<I> points, LeafTask<I> const& task) {
    make_room(ws.room.order, task.list.size + 1);
    each_piece(steps, ws, step, points, task.leaf, [&](auto leaf_step, pos_t begin, pos_t end) {
        if constexpr (I::uses.lanes)
            return leaf_step.run_in_packs(begin, end, task.state, task.list, task.far);
        else return leaf_step.run(begin, end, task.state, task.list, ws.room.order.data(), task.far);
    });
}

/// The lists of leaves may be made in the leaf step, from their parent's list, where nodes carry nothing
/// that needs lists of their own: see CpuLeaf::run_from_parent.
template <class I, class Steps>
inline constexpr bool lists_of_leaves_can_wait = false;
template <class I, class T>
inline constexpr bool lists_of_leaves_can_wait<I, CpuSteps<T>> =
    I::uses.ordered&& I::uses.reach && !(I::uses.metric || takes_accepts<I>);

/// The last node step and the leaf step of one target leaf in one.
/// @param self  the same leaf as a source, or no_pos
template <class I, class T, class Space>
void leaf_steps_from_parent(CpuSteps<T> const& steps, Workspace<I>& ws, Step<I, Space> const& step,
                            LeafPoints<I> points, pos_t leaf, pos_t self, ListView<T> parent_list) {
    each_piece(steps, ws, step, points, leaf, [&](auto leaf_step, pos_t begin, pos_t end) {
        return leaf_step.run_from_parent(leaf, self, begin, end, parent_list, ws.room, ws.counts);
    });
}

}  // namespace detail
}}  // namespace zwalk::v0
