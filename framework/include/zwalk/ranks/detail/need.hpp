// What a rank's points may need of other ranks' points, found out before any of these travels.
//
// All ranks know the top nodes of all (the canopy). A rank goes down the tree of its targets with them as sources: the
// bounds and decisions are those of the trait, as in a walk. A leaf that some top node of another rank may still matter to
// becomes a request to that rank: the leaf's box and how far it reaches. The owner goes down its tree with the request as target,
// and finds the points that may matter to it. Where a walk would look, this looks; so nothing that matters is left out, and
// points that are imported besides change no result.
//
// If the trait has a reach that depends on where a target is, points send requests instead of leaves (asks_by_points), each with
// its own reach, which what it meets of own sources has bounded; the owner's bound it once more before these are given.
//
// For traits that accept nodes (accepts_nodes) only what a leaf descends into matters here: what it accepts is dealt with
// by the stub.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/exec/isa.hpp"
#include "zwalk/ranks/detail/stubs.hpp"
#include "zwalk/walk/horizons.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Some of the numbers below n. A bit for each: there may be many, and for each rank with requests a set.
class Marks {
  public:
    explicit Marks(std::size_t n) : words_((n + 63) / 64) {}

    [[nodiscard]] bool has(pos_t i) const { return words_[i / 64] >> (i % 64) & 1; }
    void add(pos_t i) { words_[i / 64] |= std::uint64_t(1) << (i % 64); }
    /// The numbers that are marked, ascending.
    [[nodiscard]] std::vector<pos_t> numbers() const {
        std::vector<pos_t> all;
        for (std::size_t w = 0; w < words_.size(); ++w)
            for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
                all.push_back(pos_t(64 * w) + pos_t(std::countr_zero(left)));
        return all;
    }

  private:
    std::vector<std::uint64_t> words_;
};

/// A tree whose nodes meet stubs.
template <class I, class Space>
class NeedWalk {
    using T = typename I::real;
    using Node = typename I::Node;
    using Summarized = SummarizedTree<I>;
    using Canopy = StubPlane<I>;
    static constexpr int D = I::dim;

  public:
    NeedWalk(I const& trait, Space const& space) : trait_(trait), space_(space) {}

    /// The requests of the leaves of `targets`, or of their points, to each of `ranks` ranks, of which stub number i of the
    /// canopy is rank_of[i] (-1: of none that gets requests); in rank order, each once.
    /// @param own   this rank's sources: the same tree, or one of as many planes or fewer
    /// @param who   whose leaves send requests
    Requests<I> ask(Summarized const& targets, Summarized const& own, Canopy const& canopy,
                    std::vector<int> const& rank_of, int ranks, TargetNodes const& who = {}) const {
        TargetNodes const tops = top_nodes(*targets.tree, who);
        std::vector<std::vector<Request>> found(tops.end - tops.begin);
        std::vector<pos_t> near, others;
        if (own.planes() > 0)
            for (pos_t i = 0; i < own.tree->planes.back().nodes(); ++i) near.push_back(i);
        for (std::size_t s = 0; s < rank_of.size(); ++s)
            if (rank_of[s] >= 0) others.push_back(pos_t(s));
        OwnHorizons const horizons(trait_, space_, *targets.tree, targets.payload, who, *own.tree,
                                   own.payload);
        parallel_for(found.size(), 1, [&](std::size_t t, std::size_t end) {
            for (; t < end; ++t)
                descend({targets, own, canopy, rank_of, horizons, found[t]}, targets.planes() - 1,
                        tops.begin + pos_t(t), near, others);
        });
        Requests<I> asked;
        auto& out = asked.of_ranks;
        out.begin.assign(std::size_t(ranks) + 1, 0);
        for (auto const& some : found)
            for (Request const& r : some) {
                ++out.begin[std::size_t(r.rank) + 1];
                if (asked.leaves.empty() || asked.leaves.back() != r.leaf)
                    asked.leaves.push_back(r.leaf);
            }
        for (std::size_t r = 1; r < out.begin.size(); ++r) out.begin[r] += out.begin[r - 1];
        out.records = Buffer<Asking<I>>(out.begin.back());
        auto next = out.begin;
        for (auto const& some : found)
            for (Request const& r : some) out.records[next[std::size_t(r.rank)]++] = r.asking;
        return asked;
    }

    /// The nodes of `sources`, plane by plane, that may matter to any of these requests, ascending. The parent of each
    /// is among them.
    [[nodiscard]] std::vector<std::vector<pos_t>> wanted_nodes(
        Summarized const& sources, std::span<NodeStub<I> const> asking) const {
        std::vector<std::vector<pos_t>> nodes(sources.planes());
        if (asking.empty() || sources.planes() == 0) return nodes;
        std::vector<Marks> marked;
        for (auto const& plane : sources.tree->planes) marked.emplace_back(plane.nodes());
        each_asking(asking, [&](Seen& target) {
            each_node(sources, target,
                      [&](std::size_t p, Seen const& s) { marked[p].add(s.node.index); });
        });
        for (std::size_t p = 0; p < nodes.size(); ++p) nodes[p] = marked[p].numbers();
        return nodes;
    }

    /// The points of `sources` that may matter to any of these requests, ascending.
    [[nodiscard]] std::vector<pos_t> wanted_points(Summarized const& sources,
                                                   std::span<Asking<I> const> asking) const {
        if (asking.empty() || sources.planes() == 0) return {};
        Marks marked(sources.tree->size());
        std::vector<Seen> leaves;
        each_asking(asking, [&](Seen& target) {
            leaves.clear();
            each_node(sources, target, [&](std::size_t p, Seen const& s) {
                if (p == 0) leaves.push_back(s);
            });
            if constexpr (sources_bound) bring_closer(target, sources, leaves);
            for (Seen const& leaf : leaves)
                each_point(sources, leaf.node.index, [&](pos_t i) {
                    if (!marked.has(i) && matters(target, point(sources, i))) marked.add(i);
                });
        });
        return marked.numbers();
    }

  private:
    /// Whether reaches come from sources, and not from targets alone.
    static constexpr bool sources_bound = [] {
        if constexpr (asks_by_points<I>) return !std::is_empty_v<typename I::Reach>;
        else return false;
    }();

    /// Whether the reach of points is found by the sources that they meet, as in a walk.
    static constexpr bool meets_own = sources_bound && has_horizons<I>;
    struct NoHorizons {
        template <class... Args>
        explicit NoHorizons(Args const&...) {}
    };
    using OwnHorizons = std::conditional_t<meets_own, Horizons<I, Space>, NoHorizons>;

    struct Request {
        int rank;
        pos_t leaf;
        Asking<I> asking;
    };
    /// A node or a point, and where it is.
    struct Seen {
        Node node;
        Box<D, T> box;
    };
    struct Search {
        Summarized const& targets;
        Summarized const& own;  // sources
        Canopy const& canopy;
        std::vector<int> const& rank_of;
        OwnHorizons const& horizons;
        std::vector<Request>& found;
    };

    /// f(), compiled for each instruction set where points send requests: such imports have more to do.
    template <class F>
    static ZWALK_CPU_INLINE void on_best_isa(F const& f) {
        if constexpr (asks_by_points<I>) with_isa(best_isa(), [&]<Isa>() { f(); });
        else f();
    }

    [[nodiscard]] Seen node(Summarized const& tree, std::size_t p, pos_t i) const {
        auto const plane = tree.plane(p);
        return {node_view<I>(space_, plane, of_plane<I>(tree.summary, p), i), box_of(plane, i)};
    }
    [[nodiscard]] Seen stub(Canopy const& stubs, pos_t i) const {
        auto const plane = stubs.view();
        return {node_view<I>(space_, plane, stubs.summary.data(), i), box_of(plane, i)};
    }
    /// A point as a leaf of its own.
    [[nodiscard]] Seen point(Summarized const& tree, pos_t i) const {
        auto const points = tree.tree->template points<D>();
        Seen seen{};
        seen.node.index = seen.node.first = i;
        seen.node.count = 1;
        auto const x = points.point(i);
        std::copy_n(x.v, D, seen.box.lo);
        std::copy_n(x.v, D, seen.box.hi);
        if constexpr (I::uses.summary)
            seen.node.summary = trait_.summarize(point_view<I>(points, tree.payload, i));
        return seen;
    }
    [[nodiscard]] Range<T> range(Seen const& t, Seen const& s) const {
        Range<T> r{0, 0};
        ZWALK_UNROLL
        for (int j = 0; j < D; ++j)
            add_axis(space_, j, t.box.lo[j], t.box.hi[j], s.box.lo[j], s.box.hi[j], r);
        if constexpr (I::uses.metric) r = trait_.metric(t.node, s.node, r);
        return r;
    }
    /// Labels are of one tree: nodes of different ones never are of one group here.
    [[nodiscard]] Decision decide(Seen const& t, Seen const& s, Range<T> r) const {
        Node target = t.node, source = s.node;
        target.label = 0;
        source.label = 1;
        return trait_.decide(target, source, r);
    }
    [[nodiscard]] bool matters(Seen const& t, Seen const& s) const {
        Decision const decision = decide(t, s, range(t, s));
        return accepts_nodes<I> ? decision == Decision::descend : decision != Decision::discard;
    }
    [[nodiscard]] bool is_idle(Seen const& target) const {
        if constexpr (I::uses.idle) return trait_.idle(target.node);
        else return false;
    }

    /// Target node t with the own sources of its plane that matter, if reaches need these, and other ranks' top nodes.
    void descend(Search const& search, std::size_t p, pos_t t, std::vector<pos_t> const& own,
                 std::vector<pos_t> const& others) const {
        // Sources that have fewer planes repeat their top.
        std::size_t const own_p = std::min(p, std::max<std::size_t>(search.own.planes(), 1) - 1);
        Seen target = node(search.targets, p, t);
        if constexpr (I::uses.state) target.node.state = trait_.top_state();
        if (is_idle(target)) return;
        target.node.reach = {infinity<T>, no_pos};
        std::vector<pos_t> left, finer;
        on_best_isa([&] {
            if constexpr (I::uses.reach) fold_reach(search, own_p, target, own, others);
            for (pos_t const i : others)
                if (matters(target, stub(search.canopy, i))) left.push_back(i);
            if (left.empty()) return;
            if constexpr (I::uses.reach) {
                for (pos_t const i : own) {
                    Seen const source = node(search.own, own_p, i);
                    Range<T> const r = range(target, source);
                    if (trait_.decide(target.node, source.node, r) == Decision::discard) continue;
                    if (p == 0 || own_p < p) {
                        finer.push_back(i);
                        continue;
                    }
                    auto const& child = search.own.tree->planes[p].child;
                    for (pos_t c = child[i]; c < child[i + 1]; ++c) finer.push_back(c);
                }
            }
        });
        if (left.empty()) return;
        if (p > 0) {
            auto const& child = search.targets.tree->planes[p].child;
            for (pos_t c = child[t]; c < child[t + 1]; ++c) descend(search, p - 1, c, finer, left);
        } else if constexpr (asks_by_points<I>) {
            ask_by_points(search, t, target, finer, left);
        } else {
            NodeStub<I> const leaf{target.box, target.node.count, target.node.reach.d2,
                                   target.node.summary};
            each_rank(search, target, left, [&](int r) { search.found.push_back({r, t, leaf}); });
        }
    }
    /// Bounds the reach of a target by own sources on plane p and top nodes of other ranks.
    void fold_reach(Search const& search, std::size_t p, Seen& target, std::vector<pos_t> const& own,
                    std::vector<pos_t> const& others) const {
        auto fold = trait_.reach_begin(target.node);
        auto const add = [&](Seen const& s) {
            trait_.reach_add(fold, target.node, s.node, range(target, s));
        };
        for (pos_t const i : own) add(node(search.own, p, i));
        for (pos_t const i : others) add(stub(search.canopy, i));
        target.node.reach = {trait_.reach_end(fold, target.node).d2, no_pos};
    }
    /// f(rank) for each rank that has any of these stubs, which are in rank order, that matter.
    template <class F>
    void each_rank(Search const& search, Seen const& target, std::vector<pos_t> const& stubs,
                   F const& f) const {
        int last = -1;
        for (pos_t const i : stubs) {
            int const rank = search.rank_of[i];
            if (rank == last || !matters(target, stub(search.canopy, i))) continue;
            f(rank);
            last = rank;
        }
    }
    /// @param own     own leaves that may matter to target leaf t
    /// @param others  stubs that may matter to it
    void ask_by_points(Search const& search, pos_t t, Seen const& leaf, std::vector<pos_t> const& own,
                       std::vector<pos_t> const& others) const requires asks_by_points<I> {
        pos_t const first = leaf.node.first;
        std::vector<T> reach2(leaf.node.count, leaf.node.reach.d2);
        if constexpr (meets_own) {
            std::vector<Entry<T>> near;
            for (pos_t const l : own) near.push_back({l, range(leaf, node(search.own, 0, l)).lo2});
            search.horizons.of_leaf(
                t, near, [&](pos_t i, T d2) { reach2[i - first] = min_of(reach2[i - first], d2); });
        }
        each_point(search.targets, t, [&](pos_t i) {
            Seen target = point(search.targets, i);
            if constexpr (I::uses.state) target.node.state = trait_.top_state();
            if (is_idle(target)) return;
            target.node.reach = {reach2[i - first], no_pos};
            narrow(target, trait_.reach_begin(target.node));
            PointStub<I> asking{{}, target.node.reach.d2, target.node.summary};
            std::copy_n(target.box.lo, D, asking.x.v);
            each_rank(search, target, others, [&](int r) { search.found.push_back({r, t, asking}); });
        });
    }
    /// Bounds a target's reach by the points of these leaves.
    void bring_closer(Seen& target, Summarized const& sources, std::span<Seen const> leaves) const {
        auto fold = trait_.reach_begin(target.node);
        for (Seen const& leaf : leaves) {
            if (!matters(target, leaf)) continue;
            each_point(sources, leaf.node.index, [&](pos_t i) {
                Seen const s = point(sources, i);
                Range<T> const r = range(target, s);
                if (decide(target, s, r) != Decision::discard)
                    trait_.reach_add(fold, target.node, s.node, r);
            });
            narrow(target, fold);
        }
    }
    template <class Fold>
    void narrow(Seen& target, Fold const& fold) const {
        T const d2 = trait_.reach_end(fold, target.node).d2;
        if (d2 < target.node.reach.d2) target.node.reach = {d2, no_pos};
    }

    /// f(target) for each of these requests.
    template <class Stub, class F>
    void each_asking(std::span<Stub const> asking, F const& f) const {
        Canopy const plane(asking);
        for (std::size_t t = 0; t < asking.size(); ++t) {
            Seen target = stub(plane, pos_t(t));
            if constexpr (I::uses.state) target.node.state = trait_.top_state();
            target.node.reach = {asking[t].reach2, no_pos};
            on_best_isa([&] { f(target); });
        }
    }
    /// f(plane, node) for each node of `sources` that may matter to a target.
    template <class F>
    void each_node(Summarized const& sources, Seen const& target, F const& f) const {
        std::vector<std::pair<std::size_t, pos_t>> open;
        std::size_t const top = sources.planes() - 1;
        for (pos_t s = 0; s < sources.tree->planes[top].nodes(); ++s) open.push_back({top, s});
        while (!open.empty()) {
            auto const [p, i] = open.back();
            open.pop_back();
            Seen const source = node(sources, p, i);
            if (!matters(target, source)) continue;
            f(p, source);
            if (p == 0) continue;
            auto const& child = sources.tree->planes[p].child;
            for (pos_t c = child[i]; c < child[i + 1]; ++c) open.push_back({p - 1, c});
        }
    }
    template <class F>
    static void each_point(Summarized const& tree, pos_t leaf, F const& f) {
        auto const& first = tree.tree->planes[0].first;
        for (pos_t i = first[leaf]; i < first[leaf + 1]; ++i) f(i);
    }
    I const& trait_;
    Space const& space_;
};

}}}  // namespace zwalk::v0::detail
