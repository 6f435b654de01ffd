// Interaction lists (paper section III-A) and the data that a step of the walk works on.
#pragma once
#include "zwalk/core/key.hpp"
#include "zwalk/tree/tree.hpp"
#include "zwalk/walk/check.hpp"
#include "zwalk/walk/counts.hpp"
#include "zwalk/walk/inputs.hpp"
#include "zwalk/walk/union_find.hpp"

namespace zwalk { inline namespace v0 {

/// One source node that still matters to a target node, and the lower bound of their distance.
template <class T>
struct Entry {
    pos_t source;
    T lo2;
};

/// The list of one target node.
template <class T>
struct ListView {
    Entry<T> const* entries = nullptr;
    size_type size = 0;
};

/// Accepted sources of one ancestor of a target leaf (uses.far).
template <class I>
struct FarList {
    ListView<typename I::real> list;
    typename I::Summary const* summary = nullptr;  ///< those of that plane's source nodes
};

/// The far lists of all ancestors, coarsest first. Passed down by value, so next to nothing where unused.
template <class I>
struct FarChain {
    FarList<I> level[I::uses.far ? max_planes : 1];
    int size = 0;

    /// f(summary) for every accepted source, coarsest plane first.
    template <class F>
    ZWALK_INLINE void each(F const& f) const {
        for (int i = 0; i < size; ++i)
            for (size_type e = 0; e < level[i].list.size; ++e)
                f(level[i].summary[level[i].list.entries[e].source]);
    }
};

/// Where a trait's accept and pair actions go.
template <class I>
struct Sink {
    using Total = typename detail::TotalOf<I>::type;
    Links links;
    Total* sum;

    /// Joins the groups of two points, given by position (a node stands for its first point).
    ZWALK_INLINE void link(pos_t a, pos_t b) { links.link(a, b); }
    ZWALK_INLINE Total& total() { return *sum; }
};

/// Nothing happens in walks of this trait but links: joining two points of one group has no effect, so pairs
/// that can't do anything else may be left out, or met again.
template <class I>
inline constexpr bool only_links = I::uses.links&& I::uses.symmetric && !I::uses.total;

/// The step of a walk from one plane to the next finer one: everything that is the same for all
/// target nodes of a plane.
template <class I, class Space>
struct Step {
    using T = typename I::real;
    I trait;
    Space space;
    PlaneView<I::dim, T> targets, sources;  ///< the plane that is entered
    pos_t const* source_child = nullptr;    ///< children of a list's entries; null: itself
    typename I::Summary const* target_summary = nullptr;
    typename I::Summary const* source_summary = nullptr;
    pos_t const* source_count = nullptr;  ///< WalkInputs::known
    Links links{};
    bool is_last = false;  ///< leaves are entered
    /// Per-target arrays (reach, states, counts) start at this node: element t - base.
    pos_t base = 0;
    Key<T> const* reach = nullptr;
    typename I::State const* inherited = nullptr;  ///< the states that decisions see
    typename I::State* state = nullptr;            ///< the states that accepts make of them

    /// Whether s is a leaf that can only be taken as a whole.
    ZWALK_INLINE bool lacks_points(pos_t s) const {
        return accepts_nodes<I> && source_count && source_count[s] != sources.count(s);
    }
    ZWALK_INLINE pos_t child_begin(pos_t s) const { return source_child ? source_child[s] : s; }
    ZWALK_INLINE pos_t child_end(pos_t s) const { return source_child ? source_child[s + 1] : s + 1; }
    /// The best that any point pair of this entry can reach.
    ZWALK_INLINE Key<T> key(Entry<T> e) const { return {e.lo2, sources.first[child_begin(e.source)]}; }
};

}}  // namespace zwalk::v0
