// Nodes of other ranks' trees for traits that accept nodes (accepts_nodes): the upper part of the owner's tree, down to what
// the leaves with requests descend into. Where they go no further, a node ends as a stub: with box, count and summary, without
// points.
//
//   owner      |       o       |       o       |     given     |       o       |   stub   |
//              |   o   |   o   |   o   |   o   |               |   o   | stub  |
//              | o | o | o | o | ...                           | o | o | (stub)          ( ): repeated
//
// A node that one leaf descends into may be accepted by another, whose target node above has descended, too: so all its
// children come along, if only as stubs. By the promise of Decision no target descends into these.
#pragma once
#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "zwalk/ranks/detail/need.hpp"
#include "zwalk/tree/concat.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// What is sent of a point.
template <class I>
struct GivenPoint {
    Vec<I::dim, typename I::real> x;
    index_t input_index;
    pos_t position;
    typename I::Payload payload;
};

/// What is sent of a node. Nodes come plane by plane from the top, on each in z-order; children of a node are behind those of
/// the nodes before it.
template <class I>
struct GivenNode {
    NodeStub<I> stub;
    pos_t children;  ///< that come, too: all or none
    pos_t points;    ///< of a leaf, that come, too: all or none
};

/// The part of `sources` that is sent to leaves with requests.
/// @param opened  nodes of each plane that they descend into, ascending
template <class I>
std::vector<GivenNode<I>> given_nodes(SummarizedTree<I> const& sources,
                                      std::vector<std::vector<pos_t>> const& opened) {
    std::vector<GivenNode<I>> given;
    std::vector<pos_t> present(sources.tree->planes.back().nodes()), finer;
    std::iota(present.begin(), present.end(), pos_t(0));
    for (std::size_t p = sources.planes(); p-- > 0; present.swap(finer)) {
        auto const& plane = sources.tree->planes[p];
        auto next = opened[p].begin();
        finer.clear();
        for (pos_t const i : present) {
            GivenNode<I> node{node_stub(sources, p, i), 0, 0};
            if (next != opened[p].end() && *next == i) {
                ++next;
                if (p == 0) node.points = node.stub.count;
                else {
                    node.children = plane.child[i + 1] - plane.child[i];
                    for (pos_t c = plane.child[i]; c < plane.child[i + 1]; ++c) finer.push_back(c);
                }
            }
            given.push_back(node);
        }
    }
    return given;
}

/// A tree whose leaves may be stubs.
template <class I>
struct PartialTree {
    Tree<typename I::real, Cpu> tree;
    KnownNodes<typename I::Summary> known;
};

/// Makes a tree of what was given.
template <class I>
class GivenTree {
    using T = typename I::real;
    static constexpr int D = I::dim;

  public:
    /// @param tops  how many of the nodes are top nodes
    GivenTree(std::span<GivenNode<I> const> nodes, std::size_t tops,
              std::span<GivenPoint<I> const> points)
        : nodes_(nodes), points_(points) {
        std::vector<pos_t> top(tops);
        std::iota(top.begin(), top.end(), pos_t(0));
        levels_.push_back({std::move(top), {}});
        for (pos_t next = pos_t(tops); next < nodes.size();) add_level(next);
    }
    PartialTree<I> run() const {
        PartialTree<I> out;
        if (nodes_.empty()) return out;
        auto& tree = out.tree;
        pos_t const n = pos_t(points_.size());
        tree.columns = D;
        tree.input = Buffer<pos_t>(n);
        std::iota(tree.input.begin(), tree.input.end(), pos_t(0));
        tree.stride = column_stride(n);
        tree.x = columns(tree.stride, n, [&](pos_t i, int j) { return points_[i].x[j]; });
        for (std::size_t p = 0; p < levels_.size(); ++p) add_plane(out, levels_[levels_.size() - 1 - p]);
        return out;
    }

  private:
    /// The nodes of a plane, as numbers of given ones, and where the children of each begin on the next finer one.
    struct Level {
        std::vector<pos_t> node, child;
    };

    /// The plane below the last one. Nodes from `next` on are those that aren't in the tree yet.
    void add_level(pos_t& next) {
        Level finer;
        auto& coarser = levels_.back();
        for (pos_t const i : coarser.node) {
            coarser.child.push_back(pos_t(finer.node.size()));
            if (nodes_[i].children == 0) finer.node.push_back(i);
            for (pos_t c = 0; c < nodes_[i].children; ++c) finer.node.push_back(next++);
        }
        coarser.child.push_back(pos_t(finer.node.size()));
        levels_.push_back(std::move(finer));
    }
    /// From the finest plane up.
    void add_plane(PartialTree<I>& out, Level const& level) const {
        pos_t const n = pos_t(level.node.size());
        auto const stub = [&](pos_t i) -> NodeStub<I> const& { return nodes_[level.node[i]].stub; };
        Plane<T, Cpu> plane;
        plane.first = Buffer<pos_t>(n + 1);
        pos_t points = 0;
        for (pos_t i = 0; i < n; ++i) {
            if (!level.child.empty()) points = out.tree.planes.back().first[level.child[i]];
            plane.first[i] = points;
            points += nodes_[level.node[i]].points;
        }
        plane.first[n] = pos_t(points_.size());
        if (!level.child.empty()) {
            plane.child = Buffer<pos_t>(n + 1);
            std::copy(level.child.begin(), level.child.end(), plane.child.begin());
        }
        plane.stride = column_stride(n);
        plane.lo = columns(plane.stride, n, [&](pos_t i, int j) { return stub(i).box.lo[j]; });
        plane.hi = columns(plane.stride, n, [&](pos_t i, int j) { return stub(i).box.hi[j]; });
        out.tree.planes.push_back(std::move(plane));
        auto& count = out.known.count.emplace_back();
        for (pos_t i = 0; i < n; ++i) count.push_back(stub(i).count);
        if constexpr (I::uses.summary) {
            auto& summary = out.known.summary.emplace_back();
            for (pos_t i = 0; i < n; ++i) summary.push_back(stub(i).summary);
        }
    }
    /// D columns of at(i, j), and zeros behind.
    template <class At>
    static Buffer<T> columns(std::size_t stride, pos_t n, At const& at) {
        Buffer<T> x(stride * std::size_t(D));
        std::fill(x.begin(), x.end(), T(0));
        for (pos_t i = 0; i < n; ++i)
            for (int j = 0; j < D; ++j) x[std::size_t(j) * stride + i] = at(i, j);
        return x;
    }

    std::span<GivenNode<I> const> nodes_;
    std::span<GivenPoint<I> const> points_;
    std::vector<Level> levels_;
};

/// A tree that has all its points.
template <class I>
KnownNodes<typename I::Summary> all_known(SummarizedTree<I>&& whole) {
    KnownNodes<typename I::Summary> known;
    for (auto const& plane : whole.tree->planes) {
        auto& count = known.count.emplace_back(plane.nodes());
        for (pos_t i = 0; i < plane.nodes(); ++i) count[i] = plane.first[i + 1] - plane.first[i];
    }
    known.summary = std::move(whole.summary);
    return known;
}

/// What is known of the nodes of trees that are put side by side (tree/concat.hpp).
template <class I>
auto concat_known(std::span<KnownNodes<typename I::Summary> const* const> parts) {
    using Known = KnownNodes<typename I::Summary>;
    Known all;
    std::size_t depth = 0;
    for (auto const* part : parts) depth = std::max(depth, part->count.size());
    auto const join = [&](auto& to, auto member) {
        to.resize(depth);
        for (std::size_t p = 0; p < depth; ++p)
            for (auto const* part : parts) {
                if (part->count.empty()) continue;
                auto const& from = (part->*member)[std::min(p, part->count.size() - 1)];
                to[p].insert(to[p].end(), from.begin(), from.end());
            }
    };
    join(all.count, &Known::count);
    if constexpr (I::uses.summary) join(all.summary, &Known::summary);
    return all;
}

}}}  // namespace zwalk::v0::detail
