// The walk in its plainest form: one thread, no lanes, no early exits. For teaching, and as an oracle for the real one
// (walk.hpp), which must give the same results. To be read from run() on:
//
//   top_nodes   each coarsest target node gets a list: all coarsest source nodes
//   meet        what a target looks for (reach), then a decision on every source of its list
//   children    target nodes are replaced by their children, and so are the sources that are left in their lists
//   leaf        on the finest plane: every point of the target meets every point of the sources that are left
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/walk/detail/absorb.hpp"
#include "zwalk/walk/detail/decided.hpp"
#include "zwalk/walk/observer.hpp"
#include "zwalk/walk/summaries.hpp"
#include "zwalk/walk/walk.hpp"

namespace zwalk { inline namespace v0 {

/// Walks a trait over two hierarchies, plane by plane (paper Algorithm 1).
template <class I, class Space, class Observer>
class ReferenceWalk {
    using T = typename I::real;
    using HostTree = Tree<T, Cpu>;
    static constexpr int D = I::dim;
    using Node = typename I::Node;
    using State = typename I::State;

    /// A target node on its way down: its list of the sources that still matter, and what it carries.
    struct Visitor {
        pos_t node;
        std::vector<pos_t> sources;
        State state;
        std::vector<typename I::Summary> far;
    };

  public:
    ReferenceWalk(I const& trait, Space const& space, HostTree const& targets, HostTree const& sources,
                  WalkInputs<I> const& inputs, Observer& observer, pos_t shift)
        : trait_(trait),
          space_(space),
          targets_(targets),
          sources_(sources),
          inputs_(inputs),
          observer_(observer),
          shift_(shift),
          sink_{{inputs.links}, inputs.total} {
        if constexpr (I::uses.summary) {
            target_summary_ = summaries_of(targets, inputs.target_payload);
            source_summary_ = summaries_of(sources, inputs.source_payload);
        }
    }

    void run() {
        if (targets_.planes.empty()) return;
        if constexpr (I::uses.links)
            link_whole_nodes(trait_, space_, targets_, target_summary_, inputs_.links, inputs_.grouped);
        int const planes = int(std::max(targets_.planes.size(), sources_.planes.size()));
        std::vector<Visitor> visitors = top_nodes();
        for (int step = planes - 1; step > 0; --step) {
            for (Visitor& v : visitors) meet(v, planes_at(step));
            visitors = children(visitors, planes_at(step), planes_at(step - 1));
        }
        for (Visitor& v : visitors) meet(v, {0, 0});
        for (Visitor const& v : visitors) leaf(v);
    }

  private:
    /// Both hierarchies begin at their top. The shallower one stays at its leaves for the last steps.
    WalkPlanes planes_at(int step) const {
        int const deepest = int(std::max(targets_.planes.size(), sources_.planes.size()));
        auto const plane = [&](HostTree const& tree) {
            return std::max(0, step - deepest + int(tree.planes.size()));
        };
        return {plane(targets_), plane(sources_)};
    }

    std::vector<Visitor> top_nodes() const {
        std::vector<Visitor> visitors;
        auto const [begin, end] = detail::top_nodes(targets_, inputs_.targets);
        pos_t const sources = sources_.planes.empty() ? 0 : sources_.planes.back().nodes();
        for (pos_t t = begin; t < end; ++t) {
            Visitor& v = visitors.emplace_back();
            v.node = t;
            if constexpr (I::uses.state) v.state = trait_.top_state();
            for (pos_t s = I::uses.symmetric ? t : 0; s < sources; ++s) v.sources.push_back(s);
        }
        return visitors;
    }

    /// Reach, then decide on every candidate; the sources left in v.sources go on to the children.
    void meet(Visitor& v, WalkPlanes planes) {
        Node t = in_pair(target(planes.target, v.node));
        t.state = v.state;
        if constexpr (I::uses.reach) t.reach = reach_of(t, v.sources, planes);
        std::vector<pos_t> descending;
        for (pos_t const i : v.sources) {
            Node const s = in_pair(source(planes.source, i));
            Range<T> const r = range(t, s, planes);
            Decision decision = detail::decided(trait_, t, s, r);
            bool const is_last = planes.target == 0 && planes.source == 0;
            if (decision == Decision::accept && is_last && detail::are_few_pairs<I>(t, s))
                decision = Decision::descend;
            observer_.decided(Decided<I>{planes, t, s, r, decision});
            if (decision == Decision::descend) descending.push_back(i);
            if (decision == Decision::accept) accept(v, t, s, r);
        }
        v.sources = std::move(descending);
    }
    Key<T> reach_of(Node const& t, std::vector<pos_t> const& list, WalkPlanes planes) const {
        auto fold = trait_.reach_begin(t);
        for (pos_t const i : list) {
            Node const s = in_pair(source(planes.source, i));
            trait_.reach_add(fold, t, s, range(t, s, planes));
        }
        return trait_.reach_end(fold, t);
    }
    /// The source is dealt with as a whole. What remembers it is seen by the target's children and points, or by the sink.
    void accept([[maybe_unused]] Visitor& v, Node const& t, Node const& s, Range<T> r) {
        if constexpr (I::uses.state) absorb_source(trait_, v.state, t, s, r);
        if constexpr (detail::accepts_into_sink<I>) trait_.accept(t, s, r, sink_);
        if constexpr (I::uses.far) v.far.push_back(s.summary);
    }

    std::vector<Visitor> children(std::vector<Visitor> const& parents, WalkPlanes from,
                                  WalkPlanes to) const {
        std::vector<Visitor> result;
        for (Visitor const& v : parents) {
            auto const [begin, end] = child_range(targets_, from.target, to.target, v.node);
            for (pos_t t = begin; t < end; ++t) {
                Visitor c{t, {}, v.state, v.far};
                if constexpr (I::uses.state) {
                    Node parent = target(from.target, v.node);
                    parent.state = v.state;
                    c.state = trait_.inherit(v.state, parent, target(to.target, t));
                }
                for (pos_t const s : v.sources) {
                    auto const [b, e] = child_range(sources_, from.source, to.source, s);
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
            typename I::Target const p{point(targets_, inputs_.target_payload, i),
                                       i - detail::first_target(targets_, inputs_.targets)};
            if constexpr (I::uses.symmetric) {
                each_source(v, p, [&](auto const& q, T d2) {
                    if (q.position <= i) return;  // q has met p
                    observer_.met(p, q, d2);
                    meet_pair(trait_, space_, p, q, d2, sink_);
                });
            } else {
                auto fold = begin(p, v.state);
                if constexpr (I::uses.far)
                    for (auto const& s : v.far) trait_.far(fold, p, s, space_);
                each_source(v, p, [&](auto const& q, T d2) {
                    observer_.met(p, q, d2);
                    meet_source(trait_, space_, fold, p, q, d2);
                });
                observer_.folded(p, std::as_const(fold));
                end_fold(trait_, space_, fold, p, sink_);
            }
        }
    }
    /// f(q, d2) for every point of the sources in a leaf's list.
    template <class F>
    void each_source(Visitor const& v, typename I::Target const& p, F const& f) const {
        for (pos_t const s : v.sources) {
            auto const& first = sources_.planes[0].first;
            for (pos_t j = first[s]; j < first[s + 1]; ++j) {
                auto const q = point(sources_, inputs_.source_payload, j);
                f(q, distance2(space_, p.x, q.x));
            }
        }
    }
    auto begin(typename I::Target const& p, State const& state) {
        if constexpr (I::uses.scratch) {
            scratch_.resize(trait_.scratch_bytes() / 8 + 1);
            return trait_.begin(p, state, scratch_.data());
        } else {
            return trait_.begin(p, state);
        }
    }

    // Nodes as a trait sees them.
    Node target(int plane, pos_t i) const { return view(targets_, plane, i, target_summary_); }
    Node source(int plane, pos_t i) const { return view(sources_, plane, i, source_summary_); }
    Node view(HostTree const& tree, int plane, pos_t i, Summaries<I> const& summary) const {
        auto const p = std::size_t(plane);
        Node n = node_view<I>(space_, tree.template plane<D>(p), of_plane<I>(summary, p), i);
        n.first += shift_;
        return n;
    }
    typename I::Point point(HostTree const& tree, ColumnsView<typename I::Payload> const& payload,
                            pos_t i) const {
        typename I::Point p = point_view<I>(tree.template points<D>(), payload, i);
        p.position += shift_;
        return p;
    }
    Summaries<I> summaries_of(HostTree const& tree,
                              ColumnsView<typename I::Payload> const& payload) const {
        struct Shifted : I {
            pos_t shift;
            typename I::Summary summarize(typename I::Point p) const {
                p.position += shift;
                return I::summarize(p);
            }
        };
        return summarize<Shifted, false>(Shifted{{trait_}, shift_}, tree, payload);
    }
    /// Where a target meets a source, nodes have the labels of their groups, too.
    Node in_pair(Node n) const {
        if constexpr (I::uses.links) n.label = sink_.links.root(n.first);
        return n;
    }
    Range<T> range(Node const& t, Node const& s, WalkPlanes planes) const {
        auto const r =
            node_range(space_, targets_.template plane<D>(std::size_t(planes.target)), t.index,
                       sources_.template plane<D>(std::size_t(planes.source)), s.index);
        if constexpr (I::uses.metric) return trait_.metric(t, s, r);
        else return r;
    }
    static std::pair<pos_t, pos_t> child_range(HostTree const& tree, int plane, int next, pos_t i) {
        if (plane == next) return {i, i + 1};  // a leaf that stays
        auto const& child = tree.planes[std::size_t(plane)].child;
        return {child[i], child[i + 1]};
    }

    I trait_;
    Space space_;
    HostTree const& targets_;
    HostTree const& sources_;
    WalkInputs<I> inputs_;
    Observer& observer_;
    pos_t shift_;
    Sink<I> sink_;
    Summaries<I> target_summary_, source_summary_;
    std::vector<std::uint64_t> scratch_;
};

/// As walk(), one thread, for teaching and testing. Lists may be long: use it on small inputs.
/// @param observer  gets every decision, points that meet, and folds; see NoObserver
/// @param shift     is added to all positions that the trait sees; 0 for traits that meet one tree
template <class I, class Space, class Observer>
void reference_walk(I const& trait, Space const& space, Tree<typename I::real, Cpu> const& targets,
                    Tree<typename I::real, Cpu> const& sources, WalkInputs<I> const& inputs,
                    Observer& observer, pos_t shift = 0) {
    static_assert(Interaction<I>);
    ReferenceWalk<I, Space, Observer>(trait, space, targets, sources, inputs, observer, shift).run();
}
template <class I, class Space>
void reference_walk(I const& trait, Space const& space, Tree<typename I::real, Cpu> const& targets,
                    Tree<typename I::real, Cpu> const& sources, WalkInputs<I> const& inputs = {}) {
    NoObserver nobody;
    reference_walk(trait, space, targets, sources, inputs, nobody);
}

}}  // namespace zwalk::v0
