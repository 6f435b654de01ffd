// The inputs of a walk beside trait, space and trees.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "zwalk/tree/tree.hpp"
#include "zwalk/walk/hooks.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk { inline namespace v0 {

/// The targets of a walk: nodes [begin, end) of the tree's coarsest plane. The other points are sources only, as those
/// that were brought in from elsewhere. For symmetric traits: a pair is met by the point with the lower position.
struct TargetNodes {
    pos_t begin = 0;
    pos_t end = no_pos;  ///< or larger than there are: all from `begin` on
};

/// A trait that deals with accepted nodes as a whole, so that these can do without their points. (With links a node stands
/// for its first point.)
template <class I>
inline constexpr bool accepts_nodes = (I::uses.state || detail::accepts_into_sink<I> || I::uses.far) &&
                                      !I::uses.links;

/// Counts and summaries of source nodes, some of which have no points here (see ranks/import.hpp): element [p][i] is that of node
/// i on plane p.
template <class Summary>
struct KnownNodes {
    std::vector<std::vector<pos_t>> count;      ///< number of points, wherever these are
    std::vector<std::vector<Summary>> summary;  ///< uses.summary
};

/// Inputs of a walk that only some traits need; pointers are to memory of the place, but for the total.
template <class I>
struct WalkInputs {
    ColumnsView<typename I::Payload> target_payload{}, source_payload{};  ///< in z-order
    pos_t* links = nullptr;  ///< uses.links: one element per point, see links_init()
    bool grouped = false;    ///< `links` have groups already, from another walk (or from elsewhere)
    typename detail::TotalOf<I>::type* total = nullptr;  ///< uses.total: added to, on the host

    /// On a device, if there is one: leaves are launched in chunks of at most `chunk_points` target points (but of one leaf at
    /// least), and after each launch this is called with the index of the chunk's first target and one behind its last. So a
    /// trait's outputs need memory for one chunk only. Not with symmetric.
    std::function<void(pos_t begin, pos_t end)> after_chunk{};
    pos_t chunk_points = no_pos;

    TargetNodes targets{};

    /// On the host: counts and summaries of the source tree's nodes, for traits that accept nodes, where some leaves have no
    /// points. Null: as its points are. On a device decide() is trusted to keep its promise.
    KnownNodes<typename I::Summary> const* known = nullptr;
};

namespace detail {

/// A target leaf needs the points of a source leaf that has none here: decide() broke its promise (see Decision).
[[noreturn]] void throw_not_monotone();

/// The top nodes of a tree that `some` selects.
template <class T, class P>
TargetNodes top_nodes(Tree<T, P> const& tree, TargetNodes const& some) {
    pos_t const n = tree.planes.empty() ? 0 : tree.planes.back().nodes();
    return {std::min(n, some.begin), std::min(n, std::max(some.begin, some.end))};
}
/// Position of the first target.
template <class T>
pos_t first_target(Tree<T, Cpu> const& tree, TargetNodes const& some) {
    pos_t const begin = top_nodes(tree, some).begin;
    return begin == 0 ? 0 : tree.planes.back().first[begin];
}

/// One behind the position of the last target.
template <class T>
pos_t end_of_targets(Tree<T, Cpu> const& tree, TargetNodes const& some) {
    return tree.planes.empty() ? 0 : tree.planes.back().first[top_nodes(tree, some).end];
}

}  // namespace detail
}}  // namespace zwalk::v0
