// Which nodes of images of a tree its own leaves look into: where these descend, so that an image has to have what is below.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "zwalk/gravity/trait.hpp"
#include "zwalk/ranks/given_nodes.hpp"
#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// For images of one tree, a set of nodes each. Goes down both trees at once, as a walk does; a source is settled by the first leaf that
/// looks into it. Decisions don't depend on the order of expansions: nodes are those of order 1, a sixth of the bytes of order 5.
template <class T>
class OpenedNodes {
    using I = Gravity<1, T>;
    using Masses = Multipole<1, T>;

  public:
    /// @param targets  top nodes of the tree whose leaves look
    template <int order>
    OpenedNodes(Gravity<order, T> const& trait, SummarizedTree<Gravity<order, T>> const& tree,
                TargetNodes const& targets)
        : trait_{{}, trait.opening2, trait.softening2, trait.per_unit, nullptr, nullptr},
          tree_(*tree.tree),
          targets_(targets) {
        for (auto const& plane : tree.summary) {
            auto& all = masses_.emplace_back();
            all.reserve(plane.size());
            for (auto const& m : plane) all.push_back({m.lo, m.hi, m.centre, {}, m.size2});
        }
    }

    /// Nodes of each plane, ascending; the parent of each is among them.
    /// @param shift  where the image is, beside the tree
    [[nodiscard]] std::vector<std::vector<pos_t>> of_image(Vec<3, double> const& shift) const {
        std::vector<std::vector<pos_t>> opened(tree_.planes.size());
        std::vector<pos_t> tops;
        for (pos_t t = targets_.begin; t < targets_.end; ++t) tops.push_back(t);
        std::size_t const top = tree_.planes.size() - 1;
        for (pos_t s = 0; s < tree_.planes[top].nodes(); ++s) open(opened, shift, top, s, tops);
        return opened;
    }

  private:
    /// A node of the image, alone on a plane.
    struct Source {
        StubPlane<I> plane;
        typename I::Node node;

        explicit Source(NodeStub<I> const& stub)
            : plane(std::span(&stub, 1)),
              node(node_view<I>(Open<3, T>(), plane.view(), plane.summary.data(), 0)) {}
    };
    [[nodiscard]] Source source(Vec<3, double> const& shift, std::size_t p, pos_t s) const {
        NodeStub<I> stub{{}, 0, 0, masses_[p][s]};
        for (int j = 0; j < 3; ++j) {
            stub.box.lo[j] = stub.summary.lo[j] += T(shift[j]);
            stub.box.hi[j] = stub.summary.hi[j] += T(shift[j]);
        }
        return Source(stub);
    }
    [[nodiscard]] bool descends(std::size_t p, pos_t t, Source const& s) const {
        Open<3, T> const space;
        auto const plane = tree_.template plane<3>(p);
        return trait_.decide(node_view<I>(space, plane, masses_[p].data(), t), s.node,
                             node_range(space, plane, t, s.plane.view(), 0)) == Decision::descend;
    }
    /// Whether a leaf below target t, which descends into s, does so, too.
    [[nodiscard]] bool has_leaf(std::size_t p, pos_t t, Source const& s) const {
        if (p == 0) return true;
        auto const& child = tree_.planes[p].child;
        for (pos_t c = child[t]; c < child[t + 1]; ++c)
            if (descends(p - 1, c, s) && has_leaf(p - 1, c, s)) return true;
        return false;
    }
    /// Source s of plane p, and what is below.
    /// @param targets  nodes of that plane that descend into the node above
    void open(std::vector<std::vector<pos_t>>& opened, Vec<3, double> const& shift, std::size_t p,
              pos_t s, std::vector<pos_t> const& targets) const {
        auto const node = source(shift, p, s);
        std::vector<pos_t> near, finer;
        for (pos_t const t : targets)
            if (descends(p, t, node)) near.push_back(t);
        if (std::none_of(near.begin(), near.end(), [&](pos_t t) { return has_leaf(p, t, node); }))
            return;
        opened[p].push_back(s);
        if (p == 0) return;
        auto const& child = tree_.planes[p].child;
        for (pos_t const t : near)
            for (pos_t c = child[t]; c < child[t + 1]; ++c)
                if (descends(p - 1, c, node)) finer.push_back(c);
        for (pos_t c = child[s]; c < child[s + 1]; ++c) open(opened, shift, p - 1, c, finer);
    }

    I trait_;
    Tree<T, Cpu> const& tree_;
    TargetNodes targets_;
    std::vector<std::vector<Masses>> masses_;  ///< of nodes, by plane
};

}}}  // namespace zwalk::v0::detail
