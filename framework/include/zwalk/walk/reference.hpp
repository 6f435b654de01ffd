// The walk in its plainest form: one thread, no lanes, no early exits. For teaching, and as an
// oracle for the real one (walk.hpp), which must give the same results.
#pragma once
#include <algorithm>
#include <vector>

#include "zwalk/walk/summaries.hpp"
#include "zwalk/walk/walk.hpp"

namespace zwalk::inline v0 {

/// Walks a trait over two hierarchies, plane by plane (paper Algorithm 1).
template <class I, class Space>
class ReferenceWalk {
    using T = typename I::real;
    using HostTree = Tree<T, Cpu>;
    static constexpr int D = I::dim;
    using Node = typename I::Node;
    using State = typename I::State;

    /// A target node on its way down: the sources that still matter, and what it carries.
    struct Visitor {
        pos_t node;
        std::vector<pos_t> sources;
        State state;
        std::vector<typename I::Summary> far;
    };

  public:
    ReferenceWalk(I const& trait, Space const& space, HostTree const& targets, HostTree const& sources,
                  WalkInputs<I> const& inputs)
        : trait_(trait),
          space_(space),
          targets_(targets),
          sources_(sources),
          inputs_(inputs),
          sink_{{inputs.links}, inputs.total} {
        if constexpr (I::uses.summary) {
            target_summary_ = summarize<I, false>(trait, targets, inputs.target_payload);
            source_summary_ = summarize<I, false>(trait, sources, inputs.source_payload);
        }
    }

    void run() {
        if (targets_.planes.empty()) return;
        if constexpr (I::uses.links)
            link_whole_nodes(trait_, space_, targets_, target_summary_, inputs_.links, inputs_.grouped);
        int const steps = int(std::max(targets_.planes.size(), sources_.planes.size()));
        std::vector<Visitor> visitors = top_nodes();
        for (int j = steps - 1;; --j) {
            // The shallower of the two hierarchies stays at its leaves for the last steps.
            int const tp = std::max(0, j - steps + int(targets_.planes.size()));
            int const sp = std::max(0, j - steps + int(sources_.planes.size()));
            for (Visitor& v : visitors) meet(v, tp, sp);
            if (j == 0) break;
            visitors = children(visitors, tp, std::max(0, tp - 1), sp, std::max(0, sp - 1));
        }
        for (Visitor const& v : visitors) leaf(v);
    }

  private:
    std::vector<Visitor> top_nodes() const {
        std::vector<Visitor> visitors;
        auto const [begin, end] = detail::top_nodes(targets_, inputs_.targets);
        for (pos_t t = begin; t < end; ++t) {
            Visitor& visitor = visitors.emplace_back();
            visitor.node = t;
            if constexpr (I::uses.state) visitor.state = trait_.top_state();
            if (!sources_.planes.empty())
                for (pos_t s = I::uses.symmetric ? t : 0; s < sources_.planes.back().nodes(); ++s)
                    visitor.sources.push_back(s);
        }
        return visitors;
    }

    Node view(HostTree const& tree, int plane, pos_t i, Summaries<I> const& summary) const {
        auto const p = std::size_t(plane);
        return node_view<I>(space_, tree.planes[p].template view<D>(), of_plane<I>(summary, p), i);
    }
    /// The same where a target meets a source.
    Node view_in_pair(HostTree const& tree, int plane, pos_t i, Summaries<I> const& summary) const {
        Node n = view(tree, plane, i, summary);
        if constexpr (I::uses.links) n.label = sink_.links.root(n.first);
        return n;
    }
    Range<T> range(Node const& t, int tp, Node const& s, int sp) const {
        auto r = node_range(space_, targets_.planes[std::size_t(tp)].template view<D>(), t.index,
                            sources_.planes[std::size_t(sp)].template view<D>(), s.index);
        if constexpr (I::uses.metric) r = trait_.metric(t, s, r);
        return r;
    }

    /// Reach, then decide on every candidate; what is left in v.sources goes on to the children.
    void meet(Visitor& v, int tp, int sp) {
        Node t = view_in_pair(targets_, tp, v.node, target_summary_);
        t.state = v.state;
        if constexpr (I::uses.reach) {
            auto fold = trait_.reach_begin(t);
            for (pos_t const i : v.sources) {
                Node const s = view_in_pair(sources_, sp, i, source_summary_);
                trait_.reach_add(fold, t, s, range(t, tp, s, sp));
            }
            t.reach = trait_.reach_end(fold, t);
        }
        std::vector<pos_t> descending;
        for (pos_t const i : v.sources) {
            Node const s = view_in_pair(sources_, sp, i, source_summary_);
            Range<T> const r = range(t, tp, s, sp);
            Decision const decision = trait_.decide(t, s, r);
            if (decision == Decision::descend) descending.push_back(i);
            if (decision != Decision::accept) continue;
            if constexpr (I::uses.state) trait_.absorb(v.state, t, s, r);
            if constexpr (I::uses.links || I::uses.total) trait_.accept(t, s, r, sink_);
            if constexpr (I::uses.far) v.far.push_back(s.summary);
        }
        v.sources = std::move(descending);
    }

    static std::pair<pos_t, pos_t> child_range(HostTree const& tree, int plane, int next, pos_t i) {
        if (plane == next) return {i, i + 1};
        auto const& child = tree.planes[std::size_t(plane)].child;
        return {child[i], child[i + 1]};
    }
    std::vector<Visitor> children(std::vector<Visitor> const& parents, int tp, int next_tp, int sp,
                                  int next_sp) const {
        std::vector<Visitor> result;
        for (Visitor const& v : parents) {
            auto const [begin, end] = child_range(targets_, tp, next_tp, v.node);
            for (pos_t t = begin; t < end; ++t) {
                Visitor c{t, {}, v.state, v.far};
                if constexpr (I::uses.state) {
                    Node parent = view(targets_, tp, v.node, target_summary_);
                    parent.state = v.state;
                    c.state =
                        trait_.inherit(v.state, parent, view(targets_, next_tp, t, target_summary_));
                }
                for (pos_t const s : v.sources) {
                    auto const [b, e] = child_range(sources_, sp, next_sp, s);
                    for (pos_t i = b; i < e; ++i)
                        if (!I::uses.symmetric || i >= t) c.sources.push_back(i);
                }
                result.push_back(std::move(c));
            }
        }
        return result;
    }

    void leaf(Visitor const& v) {
        auto const& first = targets_.planes[0].first;
        for (pos_t i = first[v.node]; i < first[v.node + 1]; ++i) {
            typename I::Target const p{
                point_view<I>(targets_.template points<D>(), inputs_.target_payload, i),
                i - detail::first_target(targets_, inputs_.targets)};
            if constexpr (I::uses.symmetric) {
                each_source(v, [&](auto const& q) {
                    if (q.position > i)
                        meet_pair(trait_, space_, p, q, distance2(space_, p.x, q.x), sink_);
                });
            } else {
                auto fold = begin(p, v.state);
                if constexpr (I::uses.far)
                    for (auto const& s : v.far) trait_.far(fold, p, s, space_);
                each_source(v, [&](auto const& q) {
                    meet_source(trait_, space_, fold, p, q, distance2(space_, p.x, q.x));
                });
                trait_.end(fold, p);
            }
        }
    }
    template <class F>
    void each_source(Visitor const& v, F const& f) const {
        auto const& first =
            sources_.planes.empty() ? targets_.planes[0].first : sources_.planes[0].first;
        for (pos_t const s : v.sources)
            for (pos_t j = first[s]; j < first[s + 1]; ++j)
                f(point_view<I>(sources_.template points<D>(), inputs_.source_payload, j));
    }
    auto begin(typename I::Target const& p, State const& state) {
        if constexpr (I::uses.scratch) {
            scratch_.resize(trait_.scratch_bytes() / 8 + 1);
            return trait_.begin(p, state, scratch_.data());
        } else {
            return trait_.begin(p, state);
        }
    }

    I trait_;
    Space space_;
    HostTree const& targets_;
    HostTree const& sources_;
    WalkInputs<I> inputs_;
    Sink<I> sink_;
    Summaries<I> target_summary_, source_summary_;
    std::vector<std::uint64_t> scratch_;
};

/// As walk(), one thread, for teaching and testing. Lists may be long: use it on small inputs.
template <class I, class Space>
void reference_walk(I const& trait, Space const& space, Tree<typename I::real, Cpu> const& targets,
                    Tree<typename I::real, Cpu> const& sources, WalkInputs<I> const& inputs = {}) {
    static_assert(Interaction<I>);
    ReferenceWalk<I, Space>(trait, space, targets, sources, inputs).run();
}

}  // namespace zwalk::inline v0
