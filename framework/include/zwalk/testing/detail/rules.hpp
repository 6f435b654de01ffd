// What the contract requires of single hooks, tried on nodes and points at random.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "zwalk/testing/detail/altered.hpp"
#include "zwalk/testing/detail/compare.hpp"
#include "zwalk/testing/points.hpp"
#include "zwalk/walk/asked_again.hpp"
#include "zwalk/walk/checked.hpp"
#include "zwalk/walk/links.hpp"
#include "zwalk/walk/tuning.hpp"
#include "zwalk/walk/whole_nodes.hpp"

namespace zwalk { inline namespace v0 { namespace testing {

struct RuleOptions {
    Closeness near{};          ///< of same()
    bool accepts_stay = true;  ///< see VerifyOptions
    std::uint64_t seed = 0;
};
/// Called for a broken rule: hook, what it does, where.
using OnBrokenRule =
    std::function<void(std::string const& hook, std::string const& what, std::string const& where)>;

/// What a decide() does that answers in two ways.
inline constexpr char const* changes_its_mind = "answers otherwise when it is asked again";

/// Tries the hooks of a trait with the points and nodes of a walk. Calls pair() and accept(), so outputs have no meaning
/// afterwards. O(N) and some hundred trials, each of which looks at one plane of nodes at most.
template <class I, class Space>
class Rules {
    using T = typename I::real;
    using Node = typename I::Node;
    using HostTree = Tree<T, Cpu>;
    using Nodes = zwalk::detail::NodesAbove<I, Space>;
    using At = typename Nodes::NodeId;
    static constexpr int D = I::dim;

  public:
    Rules(I const& trait, Space const& space, HostTree const& targets, HostTree const& sources,
          WalkInputs<I> const& inputs, RuleOptions const& options, OnBrokenRule const& broken)
        : trait_(trait),
          space_(space),
          targets_(targets),
          sources_(sources),
          one_tree_(&targets == &sources),
          inputs_(inputs),
          options_(options),
          broken_(broken),
          random_(options.seed),
          target_nodes_(trait, space, targets, inputs.target_payload),
          source_nodes_(trait, space, sources, inputs.source_payload) {
        if constexpr (I::uses.links) {
            Cpu const cpu(1);
            group_ = links_init(cpu, targets.size());
            link_whole_nodes(trait, space, targets, summarize(trait, targets), group_.data(), false);
        }
    }

    void check() {
        if (targets_.size() == 0 || sources_.size() == 0) return;
        for (int i = 0; i < 60; ++i) {
            if constexpr (I::uses.summary) check_merge();
            if constexpr (tuning_of<I>.leaf_summary) check_leaf_summary();
            if constexpr (I::uses.total) check_combine();
        }
        for (int i = 0; i < 400; ++i) {
            auto const [t, s] = some_pair();
            check_descent(t, s);
            if constexpr (I::uses.idle) check_idle(t);
        }
    }

  private:
    static Summaries<I> summarize([[maybe_unused]] I const& trait, [[maybe_unused]] HostTree const& tree,
                                  [[maybe_unused]] ColumnsView<typename I::Payload> const& payload) {
        if constexpr (I::uses.summary) return zwalk::summarize(trait, tree, payload);
        else return {};
    }
    Summaries<I> summarize(I const& trait, HostTree const& tree) const {
        return summarize(trait, tree, inputs_.target_payload);
    }
    [[nodiscard]] pos_t below(pos_t n) { return pos_t(random_.below(n)); }
    static std::string points(pos_t begin, pos_t end) {
        return "points " + std::to_string(begin) + " to " + std::to_string(end - 1);
    }
    static std::string named(Node const& t, Node const& s) {
        return "target node of " + points(t.first, t.first + t.count) + ", source node of " +
               points(s.first, s.first + s.count);
    }

    // ---- summaries ----

    typename I::Point source(pos_t i) const {
        return point_view<I>(sources_.template points<D>(), inputs_.source_payload, i);
    }
    typename I::Point target(pos_t i) const {
        return point_view<I>(targets_.template points<D>(), inputs_.target_payload, i);
    }
    typename I::Summary summary_of(pos_t begin, pos_t end) const {
        auto sum = trait_.summarize(source(begin));
        for (pos_t i = begin + 1; i < end; ++i) sum = trait_.merge(sum, trait_.summarize(source(i)));
        return sum;
    }
    /// Ascending numbers below the number of sources, near each other.
    template <std::size_t N>
    std::array<pos_t, N> cuts() {
        std::array<pos_t, N> at;
        pos_t const first = below(sources_.size()), most = std::min<pos_t>(sources_.size() - first, 40);
        for (pos_t& x : at) x = first + below(most + 1);
        std::sort(at.begin(), at.end());
        return at;
    }
    void check_merge() {
        auto const [a, b, c, d] = cuts<4>();
        if (a == b || b == c || c == d) return;
        auto const x = summary_of(a, b), y = summary_of(b, c), z = summary_of(c, d);
        if (!same(trait_.merge(trait_.merge(x, y), z), trait_.merge(x, trait_.merge(y, z)),
                  options_.near))
            broken_("merge", "isn't associative: (a + b) + c differs from a + (b + c)",
                    "of " + points(a, b) + ", " + points(b, c) + ", " + points(c, d));
    }
    void check_leaf_summary() {
        auto const [a, b] = cuts<2>();
        if (a == b) return;
        LeafOf<I> const leaf{a, b - a, inputs_.source_payload, sources_.template points<D>()};
        if (!same(trait_.summarize_leaf(leaf), summary_of(a, b), options_.near))
            broken_("summarize_leaf", "isn't what summarize() and merge() say", points(a, b));
    }

    // ---- from nodes to their children ----

    struct PairOfNodes {
        At t, s;
    };
    At some_node(HostTree const& tree, std::size_t plane) {
        return {plane, below(tree.planes[plane].nodes())};
    }
    /// Mostly of planes of one number, as in most walks.
    PairOfNodes some_pair() {
        std::size_t const tp = random_.below(targets_.planes.size());
        std::size_t sp = std::min(tp, sources_.planes.size() - 1);
        if (!I::uses.symmetric && random_.below(4) == 0) sp = random_.below(sources_.planes.size());
        At t = some_node(targets_, tp), s = some_node(sources_, sp);
        if (I::uses.symmetric && s.index < t.index) std::swap(t, s);
        return {t, s};
    }
    At some_child(HostTree const& tree, At n) {
        if (n.plane == 0) return n;
        auto const& child = tree.planes[n.plane].child;
        return {n.plane - 1, child[n.index] + below(child[n.index + 1] - child[n.index])};
    }

    Node view(Nodes const& nodes, At at) const {
        Node n = nodes.view(at);
        if constexpr (I::uses.links) n.label = Links{const_cast<pos_t*>(group_.data())}.root(n.first);
        return n;
    }
    /// What a target node has as state when nothing was accepted above it.
    typename I::State state_of(At at) const {
        if constexpr (I::uses.state) {
            At const above = target_nodes_.above(at);
            if (above.plane == at.plane) return trait_.top_state();
            Node parent = target_nodes_.view(above);
            parent.state = state_of(above);
            return trait_.inherit(parent.state, parent, target_nodes_.view(at));
        } else {
            return {};
        }
    }
    Range<T> range(At t, At s, Node const& tn, Node const& sn) const {
        auto r = node_range(space_, target_nodes_.plane(t), t.index, source_nodes_.plane(s), s.index);
        if constexpr (I::uses.metric) r = trait_.metric(tn, sn, r);
        return r;
    }
    /// The bound of a target node among all sources.
    Key<T> reach_of([[maybe_unused]] At t, [[maybe_unused]] Node const& target,
                    [[maybe_unused]] std::size_t plane) const {
        if constexpr (I::uses.reach) {
            auto fold = trait_.reach_begin(target);
            for (pos_t i = 0; i < sources_.planes[plane].nodes(); ++i) {
                At const s{plane, i};
                Node const n = view(source_nodes_, s);
                trait_.reach_add(fold, target, n, range(t, s, target, n));
            }
            return trait_.reach_end(fold, target);
        } else {
            return {};
        }
    }
    void check_descent(At t, At s) {
        Node tn = view(target_nodes_, t);
        Node const sn = view(source_nodes_, s);
        tn.state = state_of(t);
        tn.reach = reach_of(t, tn, s.plane);
        Range<T> const d = range(t, s, tn, sn);
        Decision const decision = trait_.decide(tn, sn, d);
        if (trait_.decide(tn, sn, d) != decision) broken_("decide", changes_its_mind, named(tn, sn));
        else if (auto const* what = zwalk::detail::depends_on<I>(trait_, tn, sn, d, decision))
            broken_("decide", what, named(tn, sn));
        if (decision == Decision::descend) return;
        auto const step = random_.below(3);  // both, or one of them
        At const ct = step != 1 ? some_child(targets_, t) : t;
        At const cs = step != 2 ? some_child(sources_, s) : s;
        Node ctn = view(target_nodes_, ct);
        Node const csn = view(source_nodes_, cs);
        bool const overlap = one_tree_ && !(ctn.last() < csn.first || csn.last() < ctn.first);
        if (I::uses.symmetric && (csn.first < ctn.first || (overlap && step != 0))) return;
        ctn.state = state_of(ct);
        ctn.reach = tn.reach;
        Decision const then = trait_.decide(ctn, csn, range(ct, cs, ctn, csn));
        std::string const where = named(tn, sn) + "; below: " + named(ctn, csn);
        if (decision == Decision::discard && then != Decision::discard)
            broken_("decide", "discards a pair of nodes, but not their children", where);
        if (decision == Decision::accept && then == Decision::descend && options_.accepts_stay &&
            t.plane == s.plane && ct.plane == cs.plane)
            broken_("decide", "accepts a pair of nodes, but descends for their children", where);
    }
    void check_idle(At t) {
        Node const above = target_nodes_.view(t), n = target_nodes_.view(some_child(targets_, t));
        if (trait_.idle(above) && !trait_.idle(n))
            broken_("idle", "says it of a node, but not of its child",
                    points(n.first, n.first + n.count));
    }

    // ---- totals ----

    using Total = typename zwalk::detail::TotalOf<I>::type;
    struct OwnSink {
        Total sum{};
        void link(pos_t, pos_t) {}
        Total& total() { return sum; }
    };
    Total some_total() {
        OwnSink sink;
        for (int i = 0; i < 12; ++i) {
            auto const [t, s] = some_pair();
            Node tn = view(target_nodes_, t);
            Node const sn = view(source_nodes_, s);
            tn.state = state_of(t);
            Range<T> const d = range(t, s, tn, sn);
            if constexpr (zwalk::detail::accepts_into_sink<I>)
                if (trait_.decide(tn, sn, d) == Decision::accept) trait_.accept(tn, sn, d, sink);
            if constexpr (I::uses.symmetric) add_pair(sink);
            else if constexpr (zwalk::detail::EndsInSink<I>) add_target(sink, tn.state);
        }
        return sink.sum;
    }
    void add_pair(OwnSink& sink) {
        pos_t const i = below(targets_.size()), j = below(targets_.size());
        if (i == j) return;
        auto const p = target(std::min(i, j)), q = target(std::max(i, j));
        meet_pair(trait_, space_, p, q, distance2(space_, p.x, q.x), sink);
    }
    /// A target that meets a few sources, and ends.
    void add_target(OwnSink& sink, typename I::State const& state) {
        pos_t const i = below(targets_.size());
        typename I::Target const p{target(i), i};
        std::vector<std::uint64_t> scratch;
        auto fold = [&] {
            if constexpr (I::uses.scratch) {
                scratch.resize(trait_.scratch_bytes() / 8 + 1);
                return trait_.begin(p, state, static_cast<void*>(scratch.data()));
            } else {
                return trait_.begin(p, state);
            }
        }();
        for (pos_t n = below(8); n > 0; --n) {
            auto const q = source(below(sources_.size()));
            meet_source(trait_, space_, fold, p, q, distance2(space_, p.x, q.x));
        }
        end_fold(trait_, space_, fold, p, sink);
    }
    void check_combine() {
        Total const a = some_total(), b = some_total(), c = some_total();
        auto const sum = [&](Total x, Total const& y) {
            trait_.combine(x, y);
            return x;
        };
        std::string const where = "totals of a few pairs";
        if (!same(sum(a, b), sum(b, a), options_.near))
            broken_("combine", "isn't commutative: a + b differs from b + a", where);
        if (!same(sum(sum(a, b), c), sum(a, sum(b, c)), options_.near))
            broken_("combine", "isn't associative: (a + b) + c differs from a + (b + c)", where);
        if (!same(sum(Total{}, a), a, options_.near))
            broken_("combine", "changes a total that is added to Total{}, with which walks begin",
                    where);
    }

    I trait_;
    Space const& space_;
    HostTree const &targets_, &sources_;
    bool one_tree_;
    WalkInputs<I> inputs_;
    RuleOptions options_;
    OnBrokenRule const& broken_;
    Random random_;
    Nodes target_nodes_, source_nodes_;
    Buffer<pos_t> group_;  ///< uses.links: of points of whole nodes
};

}}}  // namespace zwalk::v0::testing
