// Point meets point: the kernels of the leaves (paper, LeafToLeaf), written once over a lane group.
#pragma once
#include <cmath>

#include "zwalk/walk/bounds.hpp"
#include "zwalk/walk/detail/leaf_action.hpp"
#include "zwalk/walk/detail/leaf_batch.hpp"
#include "zwalk/walk/lists.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// The points of a leaf step: columns of both roles.
template <class I>
struct LeafPoints {
    PointColumns<I::dim, typename I::real> targets, sources;
    ColumnsView<typename I::Payload> target_payload, source_payload;
    pos_t first_target = 0;            ///< position of target 0
    unsigned char* scratch = nullptr;  ///< uses.scratch: width * scratch_stride bytes
    std::size_t scratch_stride = 0;

    /// The target at a position, with coordinates x(j).
    ZWALK_ANY_CALLABLE
    template <class X>
    ZWALK_INLINE typename I::Target target(pos_t position, X const& x) const {
        typename I::Target p;
        ZWALK_UNROLL
        for (int j = 0; j < I::dim; ++j) p.x[j] = x(j);
        p.position = position;
        p.index = position - first_target;
        p.payload = target_payload[position];
        return p;
    }
};

/// Source points that all lanes read.
template <class G, class I>
struct PointTile {
    static constexpr int N = 64;
    using T = typename I::real;
    static constexpr unsigned capacity = G::template Tile<T, N>::capacity;
    /// Behind the points there are NaNs, which are near to nothing.
    static constexpr bool fills = G::template Tile<T, N>::fills;

    typename G::template Tile<T, N> x[I::dim];

    ZWALK_INLINE void load(G const& g, PointColumns<I::dim, T> const& points, pos_t begin, unsigned n) {
        ZWALK_UNROLL
        for (int j = 0; j < I::dim; ++j)
            x[j].load_and_fill(g, points.from(j, begin), n, not_a_number<T>);
    }
};

/// Target points [begin, end), at most one per lane.
template <class G, class I>
struct PointLanes {
    using T = typename I::real;
    static constexpr int D = I::dim;
    typename G::template var<T> x[D];
    pos_t begin, end;

    ZWALK_INLINE bool active(int l) const { return begin + pos_t(l) < end; }
    ZWALK_INLINE PointLanes(G const& g, PointColumns<D, T> const& points, pos_t b, pos_t e)
        : begin(b), end(e) {
        ZWALK_UNROLL
        for (int j = 0; j < D; ++j) {
            T const* const column = points.from(j, begin);
            g.lanes([&](int l) { x[j][l] = column[l]; });
        }
    }
    ZWALK_INLINE typename I::Target view(int l, LeafPoints<I> const& points) const {
        return points.target(begin + pos_t(l), [&](int j) { return x[j][l]; });
    }
};

/// Source points whose distances are computed at once.
inline constexpr int sources_at_once = 4;

/// visit(l, position, d2, x) for the lanes that want it, for every source point [begin, end), of coordinates x(j):
/// d2 of all lanes is computed first, for some points at a time, then wanted(l, position, d2) selects, which is false
/// where d2 is NaN; if any lane wants one, visited() follows.
template <class G, class I, class Space, class Wanted, class Visit, class Visited>
ZWALK_INLINE void for_source_points(G const& g, Space const& space, LeafPoints<I> const& points,
                                    PointLanes<G, I> const& target, PointTile<G, I>& tile, pos_t begin,
                                    pos_t end, Wanted const& wanted, Visit const& visit,
                                    Visited const& visited) {
    using T = typename I::real;
    constexpr int U = sources_at_once;
    static_assert(PointTile<G, I>::N % U == 0 && U <= int(column_padding));
    typename G::template var<T> d2[U];
    for (pos_t c = begin; c < end;) {
        unsigned const n = min_of(unsigned(end - c), PointTile<G, I>::capacity);
        g.sync();  // the tile may still be read
        tile.load(g, points.sources, c, n);
        g.sync();
        for (unsigned i = 0; i < n; i += U) {
            ZWALK_UNROLL
            for (int u = 0; u < U; ++u)  // also behind the last point
                g.lanes([&](int l) {
                    T sum = 0;
                    ZWALK_UNROLL
                    for (int j = 0; j < I::dim; ++j) {
                        T const dx = space.axis(j, abs_of(tile.x[j][i + unsigned(u)] - target.x[j][l]));
                        sum = std::fma(dx, dx, sum);
                    }
                    d2[u][l] = sum;
                });
            auto const is_wanted = [&](int l, int u) {
                return (PointTile<G, I>::fills || i + unsigned(u) < n) &&
                       wanted(l, c + i + pos_t(u), d2[u][l]);
            };
            if (!g.any([&](int l) {
                    bool some = false;
                    ZWALK_UNROLL
                    for (int u = 0; u < U; ++u) some |= is_wanted(l, u);
                    return some;
                }))
                continue;
            ZWALK_UNROLL
            for (int u = 0; u < U; ++u)
                g.where([&](int l) { return is_wanted(l, u); },
                        [&](int l) {
                            visit(l, c + i + pos_t(u), d2[u][l],
                                  [&](int j) { return tile.x[j][i + unsigned(u)]; });
                        });
            visited();
        }
        c += n;
    }
}

/// Lower bounds of the squared distance between each target point and any point of source leaf s.
template <class G, class I, class Space>
ZWALK_INLINE void box_distances(G const& g, Step<I, Space> const& step, PointLanes<G, I> const& target,
                                pos_t s, typename G::template var<typename I::real>& lo2) {
    using T = typename I::real;
    g.lanes([&](int l) {
        Range<T> r{0, 0};
        ZWALK_UNROLL
        for (int j = 0; j < I::dim; ++j)
            add_axis(step.space, j, target.x[j][l], target.x[j][l], step.sources.box_lo(j, s),
                     step.sources.box_hi(j, s), r);
        lo2[l] = r.lo2;
    });
}

/// The source at a position, with coordinates x(j).
template <class I, class X>
ZWALK_INLINE typename I::Point source_point(LeafPoints<I> const& points, pos_t position, X const& x) {
    typename I::Point q;
    ZWALK_UNROLL
    for (int j = 0; j < I::dim; ++j) q.x[j] = x(j);
    q.position = position;
    q.payload = points.source_payload[position];
    return q;
}

/// Folds all listed sources into each of the target points [begin, end) of one leaf. `far`: something with
/// each(f), see FarChain. A cutoff is a horizon that stays where it is; lists aren't ordered then.
template <class G, class I, class Space, class Far>
ZWALK_INLINE void leaf_step(G const& g, Step<I, Space> const& step, LeafPoints<I> const& points,
                            pos_t begin, pos_t end, typename I::State const& state,
                            ListView<typename I::real> list, Far const& far, Sink<I>& sink) {
    using T = typename I::real;
    I const& trait = step.trait;
    PointLanes<G, I> target(g, points.targets, begin, end);
    typename G::template Local<PointTile<G, I>> local;
    PointTile<G, I>& tile = [&]() -> PointTile<G, I>& {
        if constexpr (tuning_of<I>.batch)
            return local.hold(g);  // else its address would be computed at each turn
        else return local.get(g);
    }();
    typename G::template var<detail::FoldOf<I>> fold;
    typename G::template var<T> horizon_d2, box_lo2;
    typename G::template var<pos_t> horizon_pos;

    g.lanes([&](int l) {
        if (!target.active(l)) return;
        auto const p = target.view(l, points);
        if constexpr (I::uses.scratch)
            fold[l] = trait.begin(p, state, points.scratch + std::size_t(l) * points.scratch_stride);
        else fold[l] = trait.begin(p, state);
        if constexpr (I::uses.far)
            far.each([&](auto const& summary) { trait.far(fold[l], p, summary, step.space); });
    });
    auto const update = [&](int l) {
        if constexpr (I::uses.ordered) {
            Key<T> const h = trait.horizon(fold[l]);
            horizon_d2[l] = h.d2;
            horizon_pos[l] = h.pos;
        }
    };
    g.lanes([&](int l) {
        horizon_d2[l] = T(-1);  // lanes without a target need nothing
        horizon_pos[l] = 0;
        if (!target.active(l)) return;
        if constexpr (I::uses.cutoff) {
            horizon_d2[l] = cutoff_of(trait, target.view(l, points));
            horizon_pos[l] = no_pos;
        }
        update(l);
    });
    auto const within = [&](int l, Key<T> key) { return key <= Key<T>{horizon_d2[l], horizon_pos[l]}; };

    LeafBatchOf<G, I, sources_at_once> batch(g);
    [[maybe_unused]] auto const hand_over = [&] {
        if constexpr (tuning_of<I>.batch)
            batch.hand_over(g, [&](int l, Key<T>(&keys)[batch_size]) {
                if constexpr (tuning_of<I>.kept > 0) {
                    auto kept = batch.kept_by(g, l);
                    trait.visit_batch(fold[l], target.view(l, points), keys, kept);
                } else {
                    trait.visit_batch(fold[l], target.view(l, points), keys);
                }
                update(l);
            });
    };
    for (size_type e = 0; e < list.size; ++e) {
        Entry<T> const entry = list.entries[e];
        pos_t const s = entry.source;
        if constexpr (has_bound<I>) {
            Key<T> const key{entry.lo2, step.sources.first[s]};
            if (!g.any([&](int l) { return within(l, key); })) {
                if constexpr (I::uses.ordered) break;
                else continue;
            }
            // The box may still be too far from each single point. The trait's own metric isn't
            // called here; it can only be larger.
            box_distances(g, step, target, s, box_lo2);
            if (!g.any([&](int l) { return within(l, {box_lo2[l], key.pos}); })) continue;
        }
        pos_t const first = step.sources.first[s], last = step.sources.first[s + 1];
        for_source_points(
            g, step.space, points, target, tile, first, last,
            [&](int l, pos_t, T d2) {
                return has_bound<I> ? d2 <= horizon_d2[l] : target.active(l) && d2 >= 0;
            },
            [&](int l, pos_t position, T d2, auto const& x) {
                if constexpr (tuning_of<I>.batch) {
                    batch.put(g, l, {d2, position});
                } else {
                    auto const p = target.view(l, points);
                    auto const q = source_point(points, position, x);
                    meet_source(trait, step.space, fold[l], p, q, d2);
                    update(l);
                }
            },
            [&] {
                if constexpr (tuning_of<I>.batch)
                    if (batch.is_full(g)) hand_over();
            });
    }
    if constexpr (tuning_of<I>.batch)
        while (!batch.is_empty(g)) hand_over();
    g.lanes([&](int l) {
        if (!target.active(l)) return;
        if constexpr (tuning_of<I>.kept > 0) {
            auto kept = batch.kept_by(g, l);
            trait.end_batches(fold[l], kept);
        }
        end_fold(trait, step.space, fold[l], target.view(l, points), sink);
    });
}

/// Whether all targets, of groups `label`, and all points of source leaf s are one group by now.
template <class G, class I, class Space>
ZWALK_INLINE bool one_group(G const& g, Step<I, Space> const& step, PointLanes<G, I> const& target,
                            typename G::template var<pos_t> const& label, pos_t s) {
    pos_t const first = step.sources.first[s], last = step.sources.first[s + 1];
    pos_t const group = step.links.root(first);
    return !g.any([&](int l) {
        bool other = target.active(l) && label[l] != group;
        for (pos_t q = first + pos_t(l); q < last; q += G::width)
            other = other || step.links.root(q) != group;
        return other;
    });
}

/// Meets every unordered pair of points of one leaf and its listed leaves once. With only_links those of
/// leaf `met` and those that are one group already are left out.
template <class G, class I, class Space>
ZWALK_INLINE void leaf_pair_step(G const& g, Step<I, Space> const& step, LeafPoints<I> const& points,
                                 pos_t begin, pos_t end, ListView<typename I::real> list, Sink<I>& sink,
                                 pos_t met = no_pos) {
    using T = typename I::real;
    using Point = typename I::Point;
    PointLanes<G, I> target(g, points.targets, begin, end);
    typename G::template Local<PointTile<G, I>> local;
    PointTile<G, I>& tile = local.get(g);
    typename G::template var<T> box_lo2;
    typename G::template var<pos_t> label;
    T cutoff2 = infinity<T>;
    if constexpr (I::uses.cutoff) cutoff2 = step.trait.cutoff2();
    auto const visit = [&](int l, pos_t position, T d2, auto const& x) {
        if constexpr (only_links<I>)
            if (step.links.relative(position) == label[l]) return;
        Point const p = target.view(l, points), q = source_point(points, position, x);
        meet_pair(step.trait, step.space, p, q, d2, sink);
        if constexpr (only_links<I>) label[l] = step.links.root(p.position);
    };
    for (size_type e = 0; e < list.size; ++e) {
        pos_t const s = list.entries[e].source;
        if constexpr (I::uses.cutoff) {
            box_distances(g, step, target, s, box_lo2);
            if (!g.any([&](int l) { return target.active(l) && box_lo2[l] <= cutoff2; })) continue;
        }
        if constexpr (only_links<I>) {
            if (s == met) continue;
            g.lanes([&](int l) {
                label[l] = target.active(l) ? step.links.root(begin + pos_t(l)) : no_pos;
            });
            if (one_group(g, step, target, label, s)) continue;
        }
        for_source_points(
            g, step.space, points, target, tile, step.sources.first[s], step.sources.first[s + 1],
            // Source leaves never lie before the target leaf, so the second test only matters inside it.
            [&](int l, pos_t q, T d2) {
                return target.active(l) && q > begin + pos_t(l) && d2 <= cutoff2;
            },
            visit, [] {});
    }
}

}}  // namespace zwalk::v0
