// Which nodes of images of a tree its own leaves look into: where these descend, so that an image has to have what is below.
#pragma once
#include <algorithm>
#include <vector>

#include "image_sight.hpp"
#include "zwalk/ranks/given_nodes.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// For images of one tree, a set of nodes each. Goes down both trees at once, as a walk does; a source is settled by the first leaf that
/// looks into it.
template <class T>
class OpenedNodes {
  public:
    /// @param targets  top nodes of the tree whose leaves look
    template <int order>
    OpenedNodes(Gravity<order, T> const& trait, SummarizedTree<Gravity<order, T>> const& tree,
                TargetNodes const& targets)
        : sight_(trait), tree_(*tree.tree), targets_(targets) {
        for (auto const& plane : tree.summary) nodes_.emplace_back(plane.begin(), plane.end());
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
    /// Whether a leaf below target t, which descends into s, does so, too.
    [[nodiscard]] bool has_leaf(std::size_t p, pos_t t, NodeInSight<T> const& s) const {
        if (p == 0) return true;
        auto const& child = tree_.planes[p].child;
        for (pos_t c = child[t]; c < child[t + 1]; ++c)
            if (sight_.descends(nodes_[p - 1][c], s) && has_leaf(p - 1, c, s)) return true;
        return false;
    }
    /// Source s of plane p, and what is below.
    /// @param targets  nodes of that plane that descend into the node above
    void open(std::vector<std::vector<pos_t>>& opened, Vec<3, double> const& shift, std::size_t p,
              pos_t s, std::vector<pos_t> const& targets) const {
        auto const node = nodes_[p][s].moved(shift);
        std::vector<pos_t> near, finer;
        for (pos_t const t : targets)
            if (sight_.descends(nodes_[p][t], node)) near.push_back(t);
        if (std::none_of(near.begin(), near.end(), [&](pos_t t) { return has_leaf(p, t, node); }))
            return;
        opened[p].push_back(s);
        if (p == 0) return;
        auto const& child = tree_.planes[p].child;
        for (pos_t const t : near)
            for (pos_t c = child[t]; c < child[t + 1]; ++c)
                if (sight_.descends(nodes_[p - 1][c], node)) finer.push_back(c);
        for (pos_t c = child[s]; c < child[s + 1]; ++c) open(opened, shift, p - 1, c, finer);
    }

    Sight<T> sight_;
    Tree<T, Cpu> const& tree_;
    TargetNodes targets_;
    std::vector<std::vector<NodeInSight<T>>> nodes_;  ///< by plane
};

}}}  // namespace zwalk::v0::detail
