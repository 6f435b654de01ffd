// The steps of a walk on lane groups, in the phases that a GPU needs: tests run them on the CPU.
#pragma once
#include <algorithm>
#include <vector>

#include "zwalk/walk/detail/leaf_step.hpp"
#include "zwalk/walk/detail/node_step.hpp"
#include "zwalk/walk/detail/workspace.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

inline void offsets_of(std::vector<pos_t> const& count, std::vector<size_type>& offset) {
    offset.resize(count.size() + 1);
    offset[0] = 0;
    for (std::size_t i = 0; i < count.size(); ++i) offset[i + 1] = offset[i] + count[i];
}

/// Brings the parent's list to the lists of target nodes [begin, end), in `f`: reach, accept, count,
/// insert, order.
template <class Groups, class I, class Space>
void node_steps(Groups const& groups, Workspace<I>& ws, Frame<I>& f, Step<I, Space>& step, pos_t begin,
                pos_t end, ListView<typename I::real> list, PlanePairs& counts) {
    using T = typename I::real;
    std::size_t const n = end - begin;
    auto const g = groups.node();
    auto const chunks = [&](auto const& kernel) {
        for (pos_t t = begin; t < end; t += Groups::NodeGroup::width)
            kernel(t, std::min<pos_t>(end, t + Groups::NodeGroup::width));
    };
    if constexpr (I::uses.state) {
        f.inherited = f.state;
        step.inherited = f.inherited.data();
        step.state = f.state.data();
    }
    if constexpr (I::uses.reach) {
        f.reach.resize(n);
        chunks([&](pos_t b, pos_t e) { reach_step(g, step, b, e, list, f.reach.data()); });
        step.reach = f.reach.data();
    }
    f.count.assign(n, 0);
    Sink<I> sink{step.links, &ws.total};
    if constexpr (takes_accepts<I>) {
        chunks([&](pos_t b, pos_t e) {
            accept_step(g, step, b, e, list, sink, f.count.data(), nullptr, nullptr);
        });
        if constexpr (I::uses.far) {
            offsets_of(f.count, f.far_offset);
            f.far.resize(f.far_offset[n]);
            if (!f.far.empty())
                chunks([&](pos_t b, pos_t e) {
                    accept_step(g, step, b, e, list, sink, nullptr, f.far_offset.data(), f.far.data());
                });
        }
    }
    chunks(
        [&](pos_t b, pos_t e) { descend_step(g, step, b, e, list, f.count.data(), nullptr, nullptr); });
    offsets_of(f.count, f.offset);
    counts.descended += f.offset[n];
    f.list.resize(f.offset[n]);
    chunks([&](pos_t b, pos_t e) {
        descend_step(g, step, b, e, list, f.count.data(), f.offset.data(), f.list.data());
    });
    if constexpr (I::uses.ordered)
        for (std::size_t i = 0; i < n; ++i) {
            Entry<T>* const first = f.list.data() + f.offset[i];
            sort_entries(first, first + f.count[i]);
        }
}

/// One target leaf: its points meet those of the listed leaves.
template <class Groups, class I, class Space>
void leaf_steps(Groups const& groups, Workspace<I>& ws, Step<I, Space> const& step, LeafPoints<I> points,
                LeafTask<I> const& task) {
    constexpr pos_t width = Groups::LeafGroup::width;
    if constexpr (I::uses.scratch) points.scratch = ws.folds(width, points.scratch_stride);
    pos_t const end = step.targets.first[task.leaf + 1];
    for (pos_t p = step.targets.first[task.leaf]; p < end; p += width) {
        pos_t const last = std::min(end, p + width);
        if constexpr (I::uses.symmetric) {
            Sink<I> sink{step.links, &ws.total};
            leaf_pair_step(groups.leaf(), step, points, p, last, task.list, sink);
        } else {
            Sink<I> sink{step.links, &ws.total};
            leaf_step(groups.leaf(), step, points, p, last, task.state, task.list, task.far, sink);
        }
    }
}

}}}  // namespace zwalk::v0::detail
