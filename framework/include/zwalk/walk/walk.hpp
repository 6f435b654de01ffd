// The one walk for every trait, on CPU threads.
//
// Depth first over target nodes: the children of one node get their lists, then each child goes
// on alone, so that all lists in use are those of one path through the tree and stay in the cache.
// Large subtrees are handed to other threads. What a target node does depends only on its parent's
// list, so results are the same for any number of threads. Symmetric traits go through pair_walk.hpp.
#pragma once
#include <algorithm>
#include <concepts>
#include <vector>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/walk/detail/cpu_steps.hpp"
#include "zwalk/walk/detail/pair_walk.hpp"
#include "zwalk/walk/detail/steps_down.hpp"
#include "zwalk/walk/workspace_pool.hpp"

namespace zwalk { inline namespace v0 {

namespace detail {

/// Top nodes are met in groups of this size (NGR in the paper's Algorithm 1).
inline constexpr pos_t super_node_size = 32;
/// Subtrees with more target points than this may go to other threads.
inline constexpr pos_t parallel_grain = 2048;

template <class I, class Space, class Steps>
class Walker {
    using T = typename I::real;
    static constexpr int D = I::dim;
    using HostTree = Tree<T, Cpu>;
    using List = ListView<T>;

  public:
    Walker(Steps const& steps, I const& trait, Space const& space, HostTree const& targets,
           HostTree const& sources, WalkInputs<I> const& inputs)
        : steps_(steps),
          trait_(trait),
          space_(space),
          targets_(targets),
          sources_(sources),
          inputs_(inputs),
          down_(targets, sources) {
        if constexpr (I::uses.summary) {
            if (!inputs.known) source_summary_ = summarize(trait, sources, inputs.source_payload);
            if (&targets != &sources)
                other_target_summary_ = summarize(trait, targets, inputs.target_payload);
        }
        points_ = {targets.template points<D>(), sources.template points<D>(), inputs.target_payload,
                   inputs.source_payload};
        points_.first_target = first_target(targets, inputs.targets);
        if constexpr (I::uses.scratch) points_.scratch_stride = (trait.scratch_bytes() + 7) / 8 * 8;
    }

    WalkCounts run() {
        if (targets_.planes.empty()) return {};
        if constexpr (I::uses.links)
            link_whole_nodes(trait_, space_, targets_, target_summary(), inputs_.links, inputs_.grouped);
        // The sources of symmetric traits begin where targets do.
        auto const target_tops = super_nodes(top_nodes(targets_, inputs_.targets), super_node_size);
        TargetNodes const from{I::uses.symmetric ? target_tops.front() : 0};
        auto const source_tops = super_nodes(top_nodes(sources_, from), super_node_size);
        pos_t const groups = pos_t(target_tops.size()) - 1;
        parallel_for(groups, 1, [&](std::size_t b, std::size_t e) {
            Lease ws(workspaces_);
            for (pos_t g = pos_t(b); g < e; ++g) {
                std::vector<Entry<T>> dense;  // eqs. 12-13
                for (pos_t s = I::uses.symmetric ? g : 0; s + 1 < source_tops.size(); ++s)
                    dense.push_back({s, T(0)});
                descend(*ws, down_.count() - 1, target_tops[g], target_tops[g + 1],
                        {dense.data(), dense.size()}, source_tops.data(), no_pos, nullptr, {});
            }
        });
        WalkCounts counts;
        workspaces_.each([&](Workspace<I> const& ws) {
            counts.add(ws.counts);
            if constexpr (I::uses.total) trait_.combine(*inputs_.total, ws.total);
        });
        return counts;
    }

  private:
    using Lease = typename WorkspacePool<Workspace<I>>::Lease;

    [[nodiscard]] Summaries<I> const& target_summary() const {
        return &targets_ == &sources_ ? source_summary() : other_target_summary_;
    }
    [[nodiscard]] Summaries<I> const& source_summary() const {
        return inputs_.known ? inputs_.known->summary : source_summary_;
    }

    Step<I, Space> make_step(int j, pos_t begin, pos_t const* source_child) const {
        return down_.step(
            trait_, space_, inputs_.links, j, begin, source_child,
            [&](std::size_t plane) { return target_summary()[plane].data(); },
            [&](std::size_t plane) { return source_summary()[plane].data(); },
            [&](std::size_t plane) -> pos_t const* {
                return inputs_.known ? inputs_.known->count[plane].data() : nullptr;
            });
    }

    /// Brings target nodes [begin, end), children of `parent`, from the parent's list to lists of
    /// their own, and each of them further down.
    void descend(Workspace<I>& ws, int j, pos_t begin, pos_t end, List list, pos_t const* source_child,
                 pos_t parent, typename I::State const* parent_state, FarChain<I> far) {
        Frame<I>& frame = ws.frame[j];
        Step<I, Space> step = make_step(j, begin, source_child);
        std::size_t const n = end - begin;
        pos_t const points = step.targets.first[end] - step.targets.first[begin];
        auto const each_child = [&](auto const& visit) {
            auto const child = [&](Workspace<I>& w, pos_t t) {
                if (!is_idle(step, t)) visit(w, t);
            };
            if (points > parallel_grain && n > 1) {
                parallel_for(n, 1, [&](std::size_t b, std::size_t e) {
                    Lease own(workspaces_);
                    for (std::size_t i = b; i < e; ++i) child(*own, begin + pos_t(i));
                });
            } else {
                for (pos_t t = begin; t < end; ++t) child(ws, t);
            }
        };
        if constexpr (lists_of_leaves_can_wait<I, Steps>)
            if (j == 0)
                return each_child([&](Workspace<I>& w, pos_t t) {
                    pos_t const self = &targets_ == &sources_ ? t : no_pos;
                    leaf_steps_from_parent(steps_, w, step, points_, t, self, list);
                });
        if constexpr (I::uses.state) inherit(frame, j, begin, end, parent, parent_state);
        node_steps(steps_, ws, frame, step, begin, end, list, ws.counts.planes[std::size_t(j)]);
        ws.counts.node_entries += frame.offset[n];
        ws.counts.peak_list_bytes =
            std::max<size_type>(ws.counts.peak_list_bytes, frame.list.capacity() * sizeof(Entry<T>));
        if constexpr (I::uses.far)
            far.level[far.size++] = {{frame.far.data(), frame.far.size()}, step.source_summary};

        each_child([&](Workspace<I>& w, pos_t t) {
            std::size_t const i = t - begin;
            List const mine{frame.list.data() + frame.offset[i], frame.count[i]};
            FarChain<I> own_far = far;
            if constexpr (I::uses.far)
                own_far.level[far.size - 1].list = {frame.far.data() + frame.far_offset[i],
                                                    frame.far_offset[i + 1] - frame.far_offset[i]};
            go_on(w, step, j, t, mine, I::uses.state ? &frame.state[i] : nullptr, own_far);
        });
    }

    /// One target node with its list: to its children, or to its points.
    void go_on(Workspace<I>& ws, Step<I, Space> const& step, int j, pos_t t, List list,
               typename I::State const* state, FarChain<I> const& far) {
        if constexpr (!lists_of_leaves_can_wait<I, Steps>) {  // else descend() has met the leaves
            if (j == 0) {
                ws.counts.leaf_entries += list.size;
                leaf_steps(steps_, ws, step, points_,
                           LeafTask<I>{t, list, state ? *state : typename I::State{}, far});
                return;
            }
        }
        auto const& plane = targets_.planes[down_.target_plane(j)];
        bool const same_target = down_.stays_on_targets(j);
        pos_t const begin = same_target ? t : plane.child[t];
        pos_t const end = same_target ? t + 1 : plane.child[t + 1];
        auto const* const children =
            down_.stays_on_sources(j) ? nullptr : sources_.planes[down_.source_plane(j)].child.data();
        descend(ws, j - 1, begin, end, list, children, t, state, far);
    }

    /// States of target nodes [begin, end): top states, or what they inherit.
    void inherit(Frame<I>& frame, int j, pos_t begin, pos_t end, pos_t parent,
                 typename I::State const* parent_state) {
        auto const view = [&](int step, pos_t i) {
            std::size_t const p = down_.target_plane(step);
            return node_view<I>(space_, targets_.template plane<D>(p), of_plane<I>(target_summary(), p),
                                i);
        };
        frame.state.resize(end - begin);
        for (pos_t t = begin; t < end; ++t) {
            auto& state = frame.state[t - begin];
            state = trait_.top_state();
            if (!parent_state) continue;
            auto above = view(j + 1, parent);
            above.state = *parent_state;
            state = trait_.inherit(*parent_state, above, view(j, t));
        }
    }

    Steps steps_;
    I trait_;
    Space space_;
    HostTree const& targets_;
    HostTree const& sources_;
    WalkInputs<I> inputs_;
    Summaries<I> source_summary_, other_target_summary_;
    LeafPoints<I> points_;
    StepsDown<I, Space, Cpu> down_;
    WorkspacePool<Workspace<I>> workspaces_;
};

}  // namespace detail

/// Walks a trait over two trees (one tree twice: a self walk) on threads; device_walk.hpp does on devices.
///
/// Every target point meets every source point exactly once: in visit (or pair), in a node-level
/// accept, or by a discard for which the trait answers. Same results on every place, for every number of
/// threads, every tree option and every kind of group, if the trait's own arithmetic doesn't depend on the
/// order of visits. Working memory: the lists of one path per thread.
///
/// @param steps  how a node and a leaf are taken: with SIMD, or (tests) by groups of lanes
template <class I, class Space, class Steps = CpuSteps<typename I::real>>
WalkCounts walk(Cpu const& cpu, I const& trait, Space const& space,
                Tree<typename I::real, Cpu> const& targets, Tree<typename I::real, Cpu> const& sources,
                WalkInputs<I> const& inputs = {}, Steps const& steps = {}) {
    if constexpr (!check_interaction<I>()) return {};
    else
        return cpu.run([&] {
            if constexpr (I::uses.symmetric && std::same_as<Steps, CpuSteps<typename I::real>>)
                return detail::PairWalk<I, Space>(steps.isa, trait, space, targets, inputs).run();
            else
                return detail::Walker<I, Space, Steps>(steps, trait, space, targets, sources, inputs)
                    .run();
        });
}

}}  // namespace zwalk::v0
