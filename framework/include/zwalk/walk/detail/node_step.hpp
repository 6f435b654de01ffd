// Node meets node: the kernels that take interaction lists from one plane to the next (paper
// Algorithms 2 and 3), written once over a lane group.
//
// A group works on the children of one target node, one child per lane. It goes through the
// parent's list; the children of each listed source are staged in a tile and met by all lanes.
// Four kernels share that loop: reach (FindRmax), accept, count and insert.
#pragma once
#include <type_traits>

#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/detail/absorb.hpp"
#include "zwalk/walk/detail/decided.hpp"
#include "zwalk/walk/lists.hpp"

namespace zwalk { inline namespace v0 {

/// Source nodes that all lanes read.
template <class G, class I>
struct NodeTile {
    static constexpr int N = 16;  // a node has about 8 children
    using T = typename I::real;
    using Summary = typename I::Summary;
    static constexpr unsigned capacity = G::template Tile<T, N>::capacity;

    typename G::template Tile<T, N> lo[I::dim], hi[I::dim];
    typename G::template Tile<pos_t, N> first, next;
    typename G::template Tile<Summary, N> summary;

    template <class Space>
    ZWALK_INLINE void load(G const& g, Step<I, Space> const& step, pos_t begin, unsigned n) {
        auto const& plane = step.sources;
        ZWALK_UNROLL
        for (int j = 0; j < I::dim; ++j) {
            lo[j].load(g, plane.lo_from(j, begin), n);
            hi[j].load(g, plane.hi_from(j, begin), n);
        }
        first.load(g, plane.first + begin, n);
        next.load(g, plane.first + begin + 1, n);
        if constexpr (I::uses.summary) summary.load(g, step.source_summary + begin, n);
    }
};

/// Target nodes [begin, end), at most one per lane.
template <class G, class I, class Space>
struct TargetLanes {
    using T = typename I::real;
    using Node = typename I::Node;
    typename G::template var<T> lo[I::dim], hi[I::dim];
    typename G::template var<Node> node;
    pos_t begin, end;

    ZWALK_INLINE bool active(int l) const { return begin + pos_t(l) < end; }

    ZWALK_INLINE TargetLanes(G const& g, Step<I, Space> const& step, pos_t b, pos_t e)
        : begin(b), end(e) {
        auto const& plane = step.targets;
        ZWALK_UNROLL
        for (int j = 0; j < I::dim; ++j) {
            T const *const plane_lo = plane.lo_from(j, begin), *const plane_hi = plane.hi_from(j, begin);
            g.lanes([&](int l) {  // columns are padded: lanes behind the end load, and are not used
                lo[j][l] = plane_lo[l];
                hi[j][l] = plane_hi[l];
            });
        }
        g.lanes([&](int l) {
            pos_t const t = active(l) ? begin + pos_t(l) : end - 1;
            Node n = node_view<I>(step.space, plane, step.target_summary, t);
            if constexpr (I::uses.links) n.label = step.links.root(n.first);
            if (step.reach) n.reach = step.reach[t - step.base];
            if constexpr (I::uses.state) n.state = step.inherited[t - step.base];
            node[l] = n;
        });
    }
};

/// The loop that all kernels share: body(l, target, source, range) for every active lane and every
/// child of every listed source. Where lists are ordered it ends when bound(l) <= key for all lanes.
/// update() runs after the children of each listed source.
template <class G, class I, class Space, class Bound, class Update, class Body>
ZWALK_INLINE void for_node_pairs(G const& g, Step<I, Space> const& step,
                                 TargetLanes<G, I, Space> const& target, ListView<typename I::real> list,
                                 Bound const& bound, Update const& update, Body const& body) {
    using T = typename I::real;
    typename G::template Local<NodeTile<G, I>> local;
    NodeTile<G, I>& tile = local.get(g);
    typename G::template var<T> lo2, hi2;
    for (size_type e = 0; e < list.size; ++e) {
        Entry<T> const entry = list.entries[e];
        if constexpr (I::uses.ordered) {
            Key<T> const key = step.key(entry);
            if (!g.any([&](int l) { return target.active(l) && key <= bound(l); })) break;
        }
        pos_t const end = step.child_end(entry.source);
        for (pos_t c = step.child_begin(entry.source); c < end;) {
            unsigned const n = min_of(unsigned(end - c), NodeTile<G, I>::capacity);
            g.sync();  // the tile may still be read
            tile.load(g, step, c, n);
            g.sync();
            for (unsigned i = 0; i < n; ++i) {
                g.lanes([&](int l) {
                    Range<T> r{0, 0};
                    ZWALK_UNROLL
                    for (int j = 0; j < I::dim; ++j)
                        add_axis(step.space, j, target.lo[j][l], target.hi[j][l], tile.lo[j][i],
                                 tile.hi[j][i], r);
                    lo2[l] = r.lo2;
                    hi2[l] = r.hi2;
                });
                g.lanes([&](int l) {
                    typename I::Node s;
                    s.index = c + i;
                    s.plane = step.sources.number;
                    s.first = tile.first[i];
                    s.count = tile.next[i] - s.first;
                    if constexpr (accepts_nodes<I>)
                        if (step.source_count) s.count = step.source_count[s.index];
                    if constexpr (I::uses.summary) s.summary = tile.summary[i];
                    if (!target.active(l)) return;
                    if (I::uses.symmetric && s.index < target.node[l].index) return;
                    if constexpr (detail::cuts_off_nodes<
                                      I>)  // before what costs: its label, its diagonal
                        if (lo2[l] > step.trait.cutoff2()) return;
                    s.diag2 = node_diagonal2(step.space, step.sources, s.index);
                    if constexpr (I::uses.links) s.label = step.links.root(s.first);
                    Range<T> r{lo2[l], hi2[l]};
                    if constexpr (I::uses.metric) r = step.trait.metric(target.node[l], s, r);
                    body(l, target.node[l], s, r);
                });
            }
            c += n;
        }
        update();
    }
}

/// FindRmax: folds all candidates of each target and writes its reach. reach[t - base].
template <class G, class I, class Space>
ZWALK_INLINE void reach_step(G const& g, Step<I, Space> const& step, pos_t begin, pos_t end,
                             ListView<typename I::real> list, Key<typename I::real>* reach) {
    using T = typename I::real;
    I const& trait = step.trait;
    TargetLanes<G, I, Space> target(g, step, begin, end);
    typename G::template var<typename I::Reach> fold;
    typename G::template var<Key<T>> bound;
    g.lanes([&](int l) {
        fold[l] = trait.reach_begin(target.node[l]);
        bound[l] = trait.reach_end(fold[l], target.node[l]);
    });
    if constexpr (!std::is_empty_v<typename I::Reach>)  // else a matter of the target alone
        for_node_pairs(
            g, step, target, list, [&](int l) { return bound[l]; },
            [&] { g.lanes([&](int l) { bound[l] = trait.reach_end(fold[l], target.node[l]); }); },
            [&](int l, auto const& t, auto const& s, Range<T> r) { trait.reach_add(fold[l], t, s, r); });
    g.lanes([&](int l) {
        if (target.active(l)) reach[begin + pos_t(l) - step.base] = bound[l];
    });
}

/// Acts on every accepted pair: absorb into the target's state, accept into the sink; with
/// uses.far, counts (far == null) or writes accepted sources to far[offset[t - base]...] and the number written to
/// count, as descend_step does.
template <class G, class I, class Space>
ZWALK_INLINE void accept_step(G const& g, Step<I, Space> const& step, pos_t begin, pos_t end,
                              ListView<typename I::real> list, Sink<I>& sink, pos_t* count,
                              size_type const* offset, Entry<typename I::real>* far) {
    using T = typename I::real;
    I const& trait = step.trait;
    TargetLanes<G, I, Space> target(g, step, begin, end);
    typename G::template var<pos_t> n;
    g.lanes([&](int l) { n[l] = 0; });
    for_node_pairs(
        g, step, target, list, [&](int l) { return target.node[l].reach; }, [] {},
        [&](int l, auto const& t, auto const& s, Range<T> r) {
            if (detail::decided(step, t, s, r) != Decision::accept) return;
            if (far) {
                pos_t const i = t.index - step.base;
                if (I::uses.links && n[l] >= offset[i + 1] - offset[i]) return;
                far[offset[i] + n[l]] = {s.index, r.lo2};
            } else {
                if constexpr (I::uses.state)
                    absorb_source(trait, step.state[t.index - step.base], t, s, r);
                if constexpr (detail::accepts_into_sink<I>) trait.accept(t, s, r, sink);
            }
            ++n[l];
        });
    if (count)
        g.lanes([&](int l) {
            if (target.active(l)) count[begin + pos_t(l) - step.base] = n[l];
        });
}

/// Counts the sources that each target hands down (list == null), or writes them to
/// list[offset[t - base]...] and the number written to count. With links, labels may merge between
/// the two passes, so fewer may be written than were counted, never more.
template <class G, class I, class Space>
ZWALK_INLINE void descend_step(G const& g, Step<I, Space> const& step, pos_t begin, pos_t end,
                               ListView<typename I::real> parent_list, pos_t* count,
                               size_type const* offset, Entry<typename I::real>* list) {
    using T = typename I::real;
    TargetLanes<G, I, Space> target(g, step, begin, end);
    typename G::template var<pos_t> n;
    [[maybe_unused]] typename G::template var<bool> idle;
    g.lanes([&](int l) {
        n[l] = 0;
        if constexpr (I::uses.idle) idle[l] = step.trait.idle(target.node[l]);
    });
    for_node_pairs(
        g, step, target, parent_list, [&](int l) { return target.node[l].reach; }, [] {},
        [&](int l, auto const& t, auto const& s, Range<T> r) {
            if constexpr (I::uses.idle)
                if (idle[l]) return;
            if (detail::decided(step, t, s, r) != Decision::descend) return;
            if (list) {
                pos_t const i = t.index - step.base;
                if (I::uses.links && n[l] >= offset[i + 1] - offset[i]) return;
                list[offset[i] + n[l]] = {s.index, r.lo2};
            }
            ++n[l];
        });
    g.lanes([&](int l) {
        if (target.active(l)) count[begin + pos_t(l) - step.base] = n[l];
    });
}

}}  // namespace zwalk::v0
