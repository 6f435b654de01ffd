// Groups that are known before a walk with uses.links: points of whole nodes. On threads; kernels for devices are in
// device_kernels.hpp.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/summaries.hpp"
#include "zwalk/walk/union_find.hpp"

namespace zwalk { inline namespace v0 {

/// Points of a whole node are one group: all of them point to the first (paper eq. 19), or are linked to it where there
/// are groups already (`grouped`). Returns which nodes are whole (1, else 0): element i of vector p belongs to node i of
/// plane p.
template <class I, class Space>
std::vector<std::vector<std::uint8_t>> link_whole_nodes(I const& trait, Space const& space,
                                                        Tree<typename I::real, Cpu> const& tree,
                                                        Summaries<I> const& summaries, pos_t* parent,
                                                        bool grouped) {
    std::vector<std::vector<std::uint8_t>> whole;
    for (std::size_t p = 0; p < tree.planes.size(); ++p) {  // coarser planes overwrite finer ones
        auto const view = tree.template plane<I::dim>(p);
        auto const* const summary = of_plane<I>(summaries, p);
        auto& own = whole.emplace_back(view.nodes);
        parallel_for(view.nodes, 64, [&](std::size_t b, std::size_t e) {
            for (pos_t i = pos_t(b); i < e; ++i) {
                own[i] = trait.whole(node_view<I>(space, view, summary, i));
                pos_t const first = view.first[i], last = view.first[i + 1];
                if (!own[i]) continue;
                if (!grouped) std::fill(parent + first, parent + last, first);
                else
                    for (pos_t q = first + 1; q < last; ++q) Links{parent}.link(first, q);
            }
        });
    }
    return whole;
}

}}  // namespace zwalk::v0
