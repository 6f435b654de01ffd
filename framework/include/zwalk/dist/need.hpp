// What a rank's points may need of other ranks' points, found out before any of these travels.
//
// All ranks know the top nodes of all (the canopy). A rank goes down its own tree with them as sources: the bounds and
// decisions are those of the trait, as in a walk. A leaf that some top node of another rank may still matter to becomes a
// request to that rank: the leaf's box and how far it reaches. The owner goes down its tree with the request as target,
// and gives the leaves that may matter to it. Where a walk would look, this looks; so nothing that matters is left out,
// and what is brought in besides changes no result.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "zwalk/dist/comm.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/walk/bounds.hpp"
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
    [[nodiscard]] PlaneView<I::dim, T> view() const { return plane.template view<I::dim>(); }
};

/// What a rank asks of others.
template <class I>
struct Requests {
    Parts<NodeStub<I>> of_ranks;
    std::vector<pos_t> leaves;  ///< that ask anybody, ascending
};

/// A tree whose nodes meet stubs.
template <class I, class Space>
class NeedWalk {
    using T = typename I::real;
    using Node = typename I::Node;
    static constexpr int D = I::dim;

  public:
    NeedWalk(I const& trait, Space const& space, Tree<T, Cpu> const& tree, Summaries<I> const& summary)
        : trait_(trait), space_(space), tree_(tree), summary_(summary) {}

    /// What the leaves ask of each of `ranks` ranks, of which stub number i of the canopy is rank_of[i]; in rank order,
    /// each leaf once.
    Requests<I> ask(StubPlane<I> const& canopy, std::vector<int> const& rank_of, int ranks) const {
        std::size_t const tops = tree_.planes.empty() ? 0 : tree_.planes.back().nodes();
        std::vector<std::vector<Request>> found(tops);
        std::vector<pos_t> own(tops), others;
        for (std::size_t i = 0; i < tops; ++i) own[i] = pos_t(i);
        for (std::size_t s = 0; s < rank_of.size(); ++s)
            if (rank_of[s] >= 0) others.push_back(pos_t(s));
        parallel_for(tops, 1, [&](std::size_t t, std::size_t end) {
            for (; t < end; ++t)
                descend({canopy, rank_of, found[t]}, tree_.planes.size() - 1, pos_t(t), own, others);
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

    /// Marks the leaves that may matter to stub number t, a leaf that asks.
    void mark(StubPlane<I> const& leaves, pos_t t, T reach2, std::vector<std::uint8_t>& marked) const {
        Node target = node_view<I>(space_, leaves.view(), leaves.summary.data(), t);
        target.reach = {reach2, no_pos};
        if (tree_.planes.empty()) return;
        std::size_t const top = tree_.planes.size() - 1;
        for (pos_t s = 0; s < tree_.planes[top].nodes(); ++s) mark_below(leaves, target, top, s, marked);
    }

  private:
    struct Request {
        int rank;
        pos_t index;  // of the leaf
        NodeStub<I> leaf;
    };
    struct Asking {
        StubPlane<I> const& canopy;
        std::vector<int> const& rank_of;
        std::vector<Request>& found;
    };

    [[nodiscard]] Node own_node(std::size_t p, pos_t i) const {
        return node_view<I>(space_, tree_.planes[p].template view<D>(), of_plane<I>(summary_, p), i);
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
        return trait_.decide(t, s, range) != Decision::discard;
    }

    /// Target node t with the own nodes of its plane that matter, if anybody asks for these, and other ranks' top nodes.
    void descend(Asking const& asking, std::size_t p, pos_t t, std::vector<pos_t> const& own,
                 std::vector<pos_t> const& others) const {
        auto const plane = tree_.planes[p].template view<D>();
        auto const canopy = asking.canopy.view();
        auto const stub = [&](pos_t s) {
            return node_view<I>(space_, canopy, asking.canopy.summary.data(), s);
        };
        Node target = own_node(p, t);
        if constexpr (I::uses.idle)
            if (trait_.idle(target)) return;
        target.reach = {infinity<T>, no_pos};
        if constexpr (I::uses.reach) {
            auto fold = trait_.reach_begin(target);
            for (pos_t const i : own) {
                Node const s = own_node(p, i);
                trait_.reach_add(fold, target, s, range(target, plane, s, plane));
            }
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
        if (p == 0) {
            NodeStub<I> const leaf{box_of(plane, t), target.count, target.reach.d2, target.summary};
            int last = -1;
            for (pos_t const i : left)  // rank by rank
                if (int const rank = asking.rank_of[i]; rank != last) {
                    asking.found.push_back({rank, t, leaf});
                    last = rank;
                }
            return;
        }
        auto const& child = tree_.planes[p].child;
        std::vector<pos_t> finer;
        if constexpr (I::uses.reach)
            for (pos_t const i : own) {
                Node const s = own_node(p, i);
                if (trait_.decide(target, s, range(target, plane, s, plane)) == Decision::discard)
                    continue;
                for (pos_t c = child[i]; c < child[i + 1]; ++c) finer.push_back(c);
            }
        for (pos_t c = child[t]; c < child[t + 1]; ++c) descend(asking, p - 1, c, finer, left);
    }

    void mark_below(StubPlane<I> const& leaves, Node const& target, std::size_t p, pos_t s,
                    std::vector<std::uint8_t>& marked) const {
        Node const source = own_node(p, s);
        if (!matters(target, source,
                     range(target, leaves.view(), source, tree_.planes[p].template view<D>())))
            return;
        if (p == 0) {
            marked[s] = 1;
            return;
        }
        auto const& child = tree_.planes[p].child;
        for (pos_t c = child[s]; c < child[s + 1]; ++c) mark_below(leaves, target, p - 1, c, marked);
    }

    I const& trait_;
    Space const& space_;
    Tree<T, Cpu> const& tree_;
    Summaries<I> const& summary_;
};

}  // namespace zwalk::inline v0::detail
