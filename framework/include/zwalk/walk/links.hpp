// Before and after a walk with uses.links.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/summaries.hpp"
#include "zwalk/walk/union_find.hpp"

namespace zwalk::inline v0 {

/// Start of the union-find of a walk: each of n points is its own group. Call inside Cpu::run.
inline Buffer<pos_t> links_init(pos_t n) {
    Buffer<pos_t> parent(n);
    parallel_for(n, 1 << 14, [&](std::size_t b, std::size_t e) {
        std::iota(parent.begin() + b, parent.begin() + e, pos_t(b));
    });
    return parent;
}

/// Points of a whole node are one group: all of them point to the first (paper eq. 19). Returns which
/// nodes are whole (1, else 0): element i of vector p belongs to node i of plane p.
template <class I, class Space>
std::vector<std::vector<std::uint8_t>> link_whole_nodes(I const& trait, Space const& space,
                                                        Hierarchy<I::dim, typename I::real> const& tree,
                                                        Summaries<I> const& summaries, pos_t* parent) {
    std::vector<std::vector<std::uint8_t>> whole;
    for (std::size_t p = 0; p < tree.planes.size(); ++p) {  // coarser planes overwrite finer ones
        auto const view = tree.planes[p].view();
        auto const* const summary = of_plane<I>(summaries, p);
        auto& own = whole.emplace_back(view.nodes);
        parallel_for(view.nodes, 64, [&](std::size_t b, std::size_t e) {
            for (pos_t i = pos_t(b); i < e; ++i) {
                own[i] = trait.whole(node_view<I>(space, view, summary, i));
                if (own[i]) std::fill(parent + view.first[i], parent + view.first[i + 1], view.first[i]);
            }
        });
    }
    return whole;
}

/// End of it: every element becomes the smallest z-order position of its group. Call inside Cpu::run.
inline void links_settle(Buffer<pos_t>& parent) {
    Links const links{parent.data()};
    parallel_for(parent.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
        for (pos_t i = pos_t(b); i < e; ++i) links.settle(i);
    });
}

}  // namespace zwalk::inline v0
