// The symmetric walk on CPU threads: every unordered pair of nodes, then of points, once.
//
//   inside(node) = inside(child) for every child, then all pairs of children
//
// Pairs inside a node come before those with others. So with uses.links a node often is one group, and
// is known to be, before anything else meets it, and two such nodes have met as soon as one link joins
// them. Children go to other threads where they are large.
#pragma once
#include <algorithm>
#include <cstdint>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/walk/detail/cpu_pair_step.hpp"
#include "zwalk/walk/inputs.hpp"
#include "zwalk/walk/summaries.hpp"
#include "zwalk/walk/whole_nodes.hpp"
#include "zwalk/walk/workspace_pool.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

template <class I, class Space>
class PairWalk {
    using T = typename I::real;
    using HostTree = Tree<T, Cpu>;
    static constexpr int D = I::dim;
    using Workspace = PairWorkspace<I>;
    using Lease = typename WorkspacePool<Workspace>::Lease;

  public:
    PairWalk(Isa isa, I const& trait, Space const& space, HostTree const& tree,
             WalkInputs<I> const& inputs)
        : isa_(isa), inputs_(inputs), trait_(trait), tree_(tree) {
        if constexpr (I::uses.summary)
            if (!inputs.known) summary_ = summarize(trait, tree, inputs.source_payload);
        for (std::size_t p = 0; p < tree.planes.size(); ++p) {
            auto const view = tree.template plane<D>(p);
            Step<I, Space> step{trait, space, view, view};
            step.source_child = step.sources.child;
            if constexpr (I::uses.summary) step.source_summary = summary()[p].data();
            if (inputs.known) step.source_count = inputs.known->count[p].data();
            step.links = {inputs.links};
            planes_.step.push_back(step);
        }
        auto const points = tree.template points<D>();
        planes_.points = {points, points, inputs.source_payload, inputs.source_payload};
    }

    WalkCounts run() {
        if (tree_.planes.empty()) return {};
        if constexpr (I::uses.links)
            planes_.joined = link_whole_nodes(trait_, planes_.step.front().space, tree_, summary(),
                                              inputs_.links, inputs_.grouped);
        auto const [begin, end] = top_nodes(tree_, inputs_.targets);
        siblings(*Lease(workspaces_), pos_t(tree_.planes.size() - 1), begin, end,
                 tree_.planes.back().nodes());
        WalkCounts counts;
        workspaces_.each([&](Workspace const& ws) {
            counts.add(ws.counts);
            counts.peak_list_bytes =
                std::max<size_type>(counts.peak_list_bytes, ws.stack.capacity() * sizeof(NodePair));
            if constexpr (I::uses.total) trait_.combine(*inputs_.total, ws.total);
        });
        return counts;
    }

  private:
    /// Subtrees with more points than this may go to other threads.
    static constexpr pos_t grain = 4096;

    [[nodiscard]] Summaries<I> const& summary() const {
        return inputs_.known ? inputs_.known->summary : summary_;
    }

    /// All pairs inside nodes [begin, end) of a plane, between them, and with nodes [end, last).
    void siblings(Workspace& ws, pos_t plane, pos_t begin, pos_t end, pos_t last) {
        auto const& first = tree_.planes[plane].first;
        auto const meet = [&](Workspace& own, pos_t b, pos_t e) {
            with_isa(isa_, [&]<Isa isa>() {
                CpuPairs<isa, I, Space>(planes_, own).siblings(plane, b, e, last);
            });
        };
        if (first[end] - first[begin] > grain) {
            parallel_for(end - begin, 1, [&](std::size_t b, std::size_t e) {
                Lease own(workspaces_);
                for (; b < e; ++b) inside(*own, plane, begin + pos_t(b));
            });
            parallel_for(end - begin, 1, [&](std::size_t b, std::size_t e) {
                meet(*Lease(workspaces_), begin + pos_t(b), begin + pos_t(e));
            });
        } else {
            for (pos_t i = begin; i < end; ++i) inside(ws, plane, i);
            meet(ws, begin, end);
        }
    }

    /// All pairs inside one node.
    void inside(Workspace& ws, pos_t plane, pos_t i) {
        Step<I, Space> const& step = planes_.step[plane];
        auto const node = source_view(step, i);
        Range<T> range{0, node.diag2};
        if constexpr (I::uses.metric) range = trait_.metric(node, node, range);
        Decision const decision = decided(trait_, node, node, range);
        PlanePairs& counts = ws.counts.planes[plane];
        ++counts.tested;
        counts.descended += decision == Decision::descend;
        if constexpr (I::uses.links || I::uses.total)
            if (decision == Decision::accept) {
                ++counts.accepted;
                PairSink<I> sink{step.links, &ws.total};
                trait_.accept(node, node, range, sink);
            }
        if (decision != Decision::descend) return;
        if (plane == 0) {
            bool const one =
                with_isa(isa_, [&]<Isa isa>() { return CpuPairs<isa, I, Space>(planes_, ws).leaf(i); });
            if constexpr (I::uses.links) planes_.joined[0][i] |= std::uint8_t(one);
        } else {
            auto const end = step.source_child[i + 1];
            siblings(ws, plane - 1, step.source_child[i], end, end);
            if constexpr (I::uses.links) planes_.joined[plane][i] |= std::uint8_t(one_group(plane, i));
        }
    }

    /// Whether the children of a node are one group each, and all the same.
    [[nodiscard]] bool one_group(pos_t plane, pos_t i) const {
        Step<I, Space> const& fine = planes_.step[plane - 1];
        pos_t const *const child = planes_.step[plane].source_child, begin = child[i];
        for (pos_t c = begin; c < child[i + 1]; ++c)
            if (!planes_.joined[plane - 1][c]) return false;
        pos_t const root = fine.links.root(fine.sources.first[begin]);
        for (pos_t c = begin + 1; c < child[i + 1]; ++c)
            if (fine.links.root(fine.sources.first[c]) != root) return false;
        return true;
    }

    Isa isa_;
    WalkInputs<I> inputs_;
    I trait_;
    HostTree const& tree_;
    Summaries<I> summary_;
    PairPlanes<I, Space> planes_;
    WorkspacePool<Workspace> workspaces_;
};

}}}  // namespace zwalk::v0::detail
