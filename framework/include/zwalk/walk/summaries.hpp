// Per-node summaries, reduced up the tree (uses.summary): count, mass, extremes, moments, ...
#pragma once
#include <vector>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/isa.hpp"
#include "zwalk/walk/lists.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// summary[p][i] is that of node i on plane p.
template <class I>
using Summaries = std::vector<std::vector<typename I::Summary>>;
/// The summaries of one plane; null for traits that have none.
template <class I>
typename I::Summary const* of_plane(Summaries<I> const& summary, std::size_t p) {
    return summary.empty() ? nullptr : summary[p].data();
}

/// Point i of the hierarchy as the trait sees it.
template <class I>
typename I::Point point_view(PointColumns<I::dim, typename I::real> const& points,
                             ColumnsView<typename I::Payload> const& payload, pos_t i) {
    return {points.point(i), i, payload[i]};
}

/// Summaries of all nodes: points of a leaf, then children of a node, merged from left to right,
/// so that the result doesn't depend on the number of threads. O(N) calls of summarize and merge.
/// @tparam by_leaf  each leaf is summarised by one call, of summarize_leaf
template <class I, bool by_leaf = tuning_of<I>.leaf_summary>
Summaries<I> summarize(I const& trait, Tree<typename I::real, Cpu> const& tree,
                       ColumnsView<typename I::Payload> const& payload) {
    Summaries<I> result(tree.planes.size());
    auto const points = tree.template points<I::dim>();
    for (std::size_t p = 0; p < tree.planes.size(); ++p) {
        auto const& plane = tree.planes[p];
        result[p].resize(plane.nodes());
        auto const some = [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                if constexpr (by_leaf)
                    if (p == 0) {
                        result[p][i] = trait.summarize_leaf(LeafOf<I>{
                            plane.first[i], plane.first[i + 1] - plane.first[i], payload, points});
                        continue;
                    }
                auto const& offsets = p == 0 ? plane.first : plane.child;
                auto const part = [&](pos_t c) {
                    return p == 0 ? trait.summarize(point_view<I>(points, payload, c))
                                  : result[p - 1][c];
                };
                auto sum = part(offsets[i]);
                for (pos_t c = offsets[i] + 1; c < offsets[i + 1]; ++c) sum = trait.merge(sum, part(c));
                result[p][i] = sum;
            }
        };
        parallel_for(plane.nodes(), p == 0 ? 64 : 1024, [&](std::size_t begin, std::size_t end) {
            if constexpr (sizeof(typename I::Summary) > 64)
                with_isa(best_isa(), [&]<Isa>() { some(begin, end); });
            else some(begin, end);
        });
    }
    return result;
}

}}  // namespace zwalk::v0
