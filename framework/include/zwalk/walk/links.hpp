// Before and after a walk with uses.links.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/union_find.hpp"

namespace zwalk::inline v0 {

/// Start of the union-find of a walk: each of n points is its own group.
inline std::vector<pos_t> links_init(pos_t n) {
    std::vector<pos_t> parent(n);
    std::iota(parent.begin(), parent.end(), pos_t(0));
    return parent;
}

/// Points of a whole node are one group: all of them point to the first (paper eq. 19).
template <class I, class Space>
void link_whole_nodes(I const& trait, Space const& space,
                      Hierarchy<I::dim, typename I::real> const& tree, pos_t* parent) {
    for (auto const& plane : tree.planes) {  // coarser planes overwrite finer ones
        auto const view = plane.view();
        parallel_for(view.nodes, 64, [&](std::size_t b, std::size_t e) {
            for (pos_t i = pos_t(b); i < e; ++i)
                if (trait.whole(node_view<I>(space, view, i)))
                    std::fill(parent + view.first[i], parent + view.first[i + 1], view.first[i]);
        });
    }
}

/// End of it: every element becomes the smallest z-order position of its group.
inline void links_settle(std::vector<pos_t>& parent) {
    Links const links{parent.data()};
    for (pos_t i = 0; i < parent.size(); ++i) parent[i] = links.root(i);
}

}  // namespace zwalk::inline v0
