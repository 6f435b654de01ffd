// What a rank's points may need of other ranks' points, found out before any of these travels.
//
// All ranks know the top nodes of all (the canopy). A rank goes down the tree of its targets with them as sources: the
// bounds and decisions are those of the trait, as in a walk. A leaf that some top node of another rank may still matter to
// becomes a request to that rank: the leaf's box and how far it reaches. The owner goes down its tree with the request as target,
// and finds the nodes, down to leaves, that may matter to it. Where a walk would look, this looks; so nothing that matters is
// left out, and what is brought in besides changes no result.
//
// For traits that accept nodes (accepts_nodes) only what a leaf descends into matters here: what it accepts is dealt with
// by the stub.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "zwalk/dist/comm.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/inputs.hpp"
#include "zwalk/walk/summaries.hpp"

namespace zwalk::inline v0::detail {

/// A node as other ranks see it: a top node as a source, or a leaf that asks.
template <class I>
struct NodeStub {
    Box<I::dim, typename I::real> box;
    pos_t count;              ///< of its points
    typename I::real reach2;  ///< of a leaf: nothing further away (squared) matters
    typename I::Summary summary;
};

/// Stubs as a plane, so that bounds see them as they see nodes.
template <class I>
struct StubPlane {
    using T = typename I::real;
    Plane<T, Cpu> plane;
    std::vector<typename I::Summary> summary;

    explicit StubPlane(std::span<NodeStub<I> const> stubs) {
        std::size_t const n = stubs.size();
        plane.first = Buffer<pos_t>(n + 1);
        plane.stride = column_stride(n);
        plane.lo = Buffer<T>(plane.stride * std::size_t(I::dim));
        plane.hi = Buffer<T>(plane.stride * std::size_t(I::dim));
        std::fill(plane.lo.begin(), plane.lo.end(), T(0));
        std::fill(plane.hi.begin(), plane.hi.end(), T(0));
        pos_t points = 0;  // may wrap around; counts are right all the same
        for (std::size_t i = 0; i < n; ++i) {
            plane.first[i] = points;
            points += stubs[i].count;
            for (int j = 0; j < I::dim; ++j) {
                plane.lo[std::size_t(j) * plane.stride + i] = stubs[i].box.lo[j];
                plane.hi[std::size_t(j) * plane.stride + i] = stubs[i].box.hi[j];
            }
            summary.push_back(stubs[i].summary);
        }
        plane.first[n] = points;
    }
    [[nodiscard]] PlaneView<I::dim, T> view() const { return plane.template view<I::dim>(0); }
};

/// What a rank asks of others.
template <class I>
struct Requests {
    Parts<NodeStub<I>> of_ranks;
    std::vector<pos_t> leaves;  ///< that ask anybody, ascending
};

/// A tree with the summaries of its nodes, if the trait has such.
template <class I>
struct SummarizedTree {
    Tree<typename I::real, Cpu> const* tree;
    Summaries<I> summary;
    /// KnownNodes::count, if not all points are here.
    std::vector<std::vector<pos_t>> const* counts = nullptr;

    [[nodiscard]] std::size_t planes() const { return tree->planes.size(); }
    [[nodiscard]] PlaneView<I::dim, typename I::real> plane(std::size_t p) const {
        return tree->template plane<I::dim>(p);
    }
    [[nodiscard]] pos_t count(std::size_t p, pos_t i) const {
        return counts ? (*counts)[p][i] : plane(p).count(i);
    }
};

/// Node i of plane p as a source.
template <class I>
NodeStub<I> node_stub(SummarizedTree<I> const& sources, std::size_t p, pos_t i) {
    auto const plane = sources.plane(p);
    NodeStub<I> stub{box_of(plane, i), sources.count(p, i), 0, {}};
    if constexpr (I::uses.summary) stub.summary = sources.summary[p][i];
    return stub;
}
/// A tree's top nodes, as other ranks see them.
template <class I>
std::vector<NodeStub<I>> top_stubs(SummarizedTree<I> const& sources) {
    std::vector<NodeStub<I>> stubs;
    if (sources.planes() == 0) return stubs;
    std::size_t const top = sources.planes() - 1;
    for (pos_t i = 0; i < sources.tree->planes[top].nodes(); ++i)
        stubs.push_back(node_stub(sources, top, i));
    return stubs;
}

/// Whether a rank may ask rank r for points. Symmetric traits need those behind their own only.
template <class I>
bool is_askable(int r, int rank) {
    return r != rank && (!I::uses.symmetric || r > rank);
}
/// Which rank a rank may ask for the points of each top node of the canopy, of which rank r's are [begin[r], begin[r + 1]);
/// -1: none.
template <class I>
std::vector<int> askable_ranks(std::vector<std::uint64_t> const& begin, int rank) {
    std::vector<int> rank_of;
    for (int r = 0; r + 1 < int(begin.size()); ++r)
        rank_of.insert(rank_of.end(), begin[std::size_t(r) + 1] - begin[std::size_t(r)],
                       is_askable<I>(r, rank) ? r : -1);
    return rank_of;
}

/// A tree whose nodes meet stubs.
template <class I, class Space>
class NeedWalk {
    using T = typename I::real;
    using Node = typename I::Node;
    using Summarized = SummarizedTree<I>;
    static constexpr int D = I::dim;

  public:
    NeedWalk(I const& trait, Space const& space) : trait_(trait), space_(space) {}

    /// What the leaves of `targets` ask of each of `ranks` ranks, of which stub number i of the canopy is rank_of[i] (-1: of
    /// none that is asked); in rank order, each leaf once.
    /// @param own   this rank's sources: the same tree, or one of as many planes or fewer
    /// @param who   whose leaves ask
    Requests<I> ask(Summarized const& targets, Summarized const& own, StubPlane<I> const& canopy,
                    std::vector<int> const& rank_of, int ranks, TargetNodes const& who = {}) const {
        TargetNodes const tops = top_nodes(*targets.tree, who);
        std::vector<std::vector<Request>> found(tops.end - tops.begin);
        std::vector<pos_t> near, others;
        if (own.planes() > 0)
            for (pos_t i = 0; i < own.tree->planes.back().nodes(); ++i) near.push_back(i);
        for (std::size_t s = 0; s < rank_of.size(); ++s)
            if (rank_of[s] >= 0) others.push_back(pos_t(s));
        parallel_for(found.size(), 1, [&](std::size_t t, std::size_t end) {
            for (; t < end; ++t)
                descend({targets, own, canopy, rank_of, found[t]}, targets.planes() - 1,
                        tops.begin + pos_t(t), near, others);
        });
        Requests<I> asked;
        auto& out = asked.of_ranks;
        out.begin.assign(std::size_t(ranks) + 1, 0);
        for (auto const& some : found)
            for (Request const& r : some) {
                ++out.begin[std::size_t(r.rank) + 1];
                if (asked.leaves.empty() || asked.leaves.back() != r.index)
                    asked.leaves.push_back(r.index);
            }
        for (std::size_t r = 1; r < out.begin.size(); ++r) out.begin[r] += out.begin[r - 1];
        out.records = Buffer<NodeStub<I>>(out.begin.back());
        auto next = out.begin;
        for (auto const& some : found)
            for (Request const& r : some) out.records[next[std::size_t(r.rank)]++] = r.leaf;
        return asked;
    }

    /// The nodes of `sources`, plane by plane, that may matter to any of these leaves that ask, ascending. The parent of each
    /// is among them.
    [[nodiscard]] std::vector<std::vector<pos_t>> wanted_nodes(
        Summarized const& sources, std::span<NodeStub<I> const> requests) const {
        std::vector<std::vector<pos_t>> nodes(sources.planes());
        if (requests.empty() || sources.planes() == 0) return nodes;
        StubPlane<I> const plane(requests);
        Marks marked;
        for (auto const& of : sources.tree->planes) marked.emplace_back(of.nodes());
        for (std::size_t t = 0; t < requests.size(); ++t)
            mark(sources, plane, pos_t(t), requests[t].reach2, marked);
        for (std::size_t p = 0; p < nodes.size(); ++p)
            for (pos_t i = 0; i < marked[p].size(); ++i)
                if (marked[p][i]) nodes[p].push_back(i);
        return nodes;
    }

  private:
    struct Request {
        int rank;
        pos_t index;  // of the leaf
        NodeStub<I> leaf;
    };
    struct Asking {
        Summarized const& targets;
        Summarized const& own;  // sources
        StubPlane<I> const& canopy;
        std::vector<int> const& rank_of;
        std::vector<Request>& found;
    };

    using Marks = std::vector<std::vector<std::uint8_t>>;  // of the nodes of each plane

    [[nodiscard]] Node node_of(Summarized const& tree, std::size_t p, pos_t i) const {
        return node_view<I>(space_, tree.plane(p), of_plane<I>(tree.summary, p), i);
    }
    [[nodiscard]] Range<T> range(Node const& t, PlaneView<D, T> const& targets, Node const& s,
                                 PlaneView<D, T> const& sources) const {
        auto r = node_range(space_, targets, t.index, sources, s.index);
        if constexpr (I::uses.metric) r = trait_.metric(t, s, r);
        return r;
    }
    /// Labels are of one tree: nodes of different ones never are of one group here.
    [[nodiscard]] bool matters(Node t, Node s, Range<T> range) const {
        t.label = 0;
        s.label = 1;
        Decision const decision = trait_.decide(t, s, range);
        return accepts_nodes<I> ? decision == Decision::descend : decision != Decision::discard;
    }

    /// Target node t with the own sources of its plane that matter, if anybody asks for these, and other ranks' top nodes.
    void descend(Asking const& asking, std::size_t p, pos_t t, std::vector<pos_t> const& own,
                 std::vector<pos_t> const& others) const {
        auto const plane = asking.targets.plane(p);
        auto const canopy = asking.canopy.view();
        auto const stub = [&](pos_t s) {
            return node_view<I>(space_, canopy, asking.canopy.summary.data(), s);
        };
        // Sources that have fewer planes repeat their top.
        std::size_t const own_p = std::min(p, std::max<std::size_t>(asking.own.planes(), 1) - 1);
        auto const each_own = [&](auto const& f) {
            for (pos_t const i : own) f(i, node_of(asking.own, own_p, i), asking.own.plane(own_p));
        };
        Node target = node_of(asking.targets, p, t);
        if constexpr (I::uses.state) target.state = trait_.top_state();
        if constexpr (I::uses.idle)
            if (trait_.idle(target)) return;
        target.reach = {infinity<T>, no_pos};
        if constexpr (I::uses.reach) {
            auto fold = trait_.reach_begin(target);
            each_own([&](pos_t, Node const& s, auto const& sources) {
                trait_.reach_add(fold, target, s, range(target, plane, s, sources));
            });
            for (pos_t const i : others) {
                Node const s = stub(i);
                trait_.reach_add(fold, target, s, range(target, plane, s, canopy));
            }
            target.reach = {trait_.reach_end(fold, target).d2, no_pos};
        }
        std::vector<pos_t> left;
        for (pos_t const i : others) {
            Node const s = stub(i);
            if (matters(target, s, range(target, plane, s, canopy))) left.push_back(i);
        }
        if (left.empty()) return;
        if (p == 0) return request(asking, t, plane, target, left);
        std::vector<pos_t> finer;
        if constexpr (I::uses.reach)
            each_own([&](pos_t i, Node const& s, auto const& sources) {
                if (trait_.decide(target, s, range(target, plane, s, sources)) == Decision::discard)
                    return;
                if (own_p < p) return finer.push_back(i);
                auto const& child = asking.own.tree->planes[p].child;
                for (pos_t c = child[i]; c < child[i + 1]; ++c) finer.push_back(c);
            });
        auto const& child = asking.targets.tree->planes[p].child;
        for (pos_t c = child[t]; c < child[t + 1]; ++c) descend(asking, p - 1, c, finer, left);
    }
    /// Leaf t asks the ranks of these stubs, which are in rank order.
    void request(Asking const& asking, pos_t t, PlaneView<D, T> const& plane, Node const& target,
                 std::vector<pos_t> const& stubs) const {
        NodeStub<I> const leaf{box_of(plane, t), target.count, target.reach.d2, target.summary};
        int last = -1;
        for (pos_t const i : stubs)
            if (int const rank = asking.rank_of[i]; rank != last) {
                asking.found.push_back({rank, t, leaf});
                last = rank;
            }
    }

    /// Marks the nodes of `sources` that may matter to stub number t, a leaf that asks.
    void mark(Summarized const& sources, StubPlane<I> const& leaves, pos_t t, T reach2,
              Marks& marked) const {
        Node target = node_view<I>(space_, leaves.view(), leaves.summary.data(), t);
        if constexpr (I::uses.state) target.state = trait_.top_state();
        target.reach = {reach2, no_pos};
        std::size_t const top = sources.planes() - 1;
        for (pos_t s = 0; s < sources.tree->planes[top].nodes(); ++s)
            mark_below(sources, leaves.view(), target, top, s, marked);
    }
    void mark_below(Summarized const& sources, PlaneView<D, T> const& leaves, Node const& target,
                    std::size_t p, pos_t s, Marks& marked) const {
        Node const source = node_of(sources, p, s);
        if (!matters(target, source, range(target, leaves, source, sources.plane(p)))) return;
        marked[p][s] = 1;
        if (p == 0) return;
        auto const& child = sources.tree->planes[p].child;
        for (pos_t c = child[s]; c < child[s + 1]; ++c)
            mark_below(sources, leaves, target, p - 1, c, marked);
    }

    I const& trait_;
    Space const& space_;
};

}  // namespace zwalk::inline v0::detail
