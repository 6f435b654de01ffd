// For each point the nearest one of higher density, as an interaction trait.
#pragma once
#include <cmath>
#include <cstdint>

#include "zwalk/core/bits.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// Where a point stands in the order of density.
template <class T>
struct Standing {
    T radius;  ///< distance to the k-th neighbour: the smaller, the denser
    index_t
        row;  ///< of the input, on ranks of all of it: of points with equal radii the lowest is the densest

    ZWALK_HD friend bool operator<(Standing a, Standing b) {
        return a.radius < b.radius || (a.radius == b.radius && a.row < b.row);
    }
};

/// The densest point of a node and the least dense one, in parts, so that nothing is padded between them; and where the densest is.
template <int D, class T>
struct Standings {
    index_t first_row, last_row;
    T first_radius, last_radius;
    Vec<D, T> x;

    [[nodiscard]] ZWALK_HD Standing<T> first() const { return {first_radius, first_row}; }
    [[nodiscard]] ZWALK_HD Standing<T> last() const { return {last_radius, last_row}; }
};

/// Finds the nearest denser source of each target; of equally near ones the first in z-order. Targets and sources are the same
/// points.
///
/// A node of which no point is denser than the least dense target is discarded. How far others matter: to all targets of a node but
/// the densest that one is near enough, as it is in the same node; and to the densest any denser point whose place is known, that is,
/// the densest of a source node. So only few look far: points that are the densest of a wide neighbourhood.
template <int D, class T>
struct NearestDenser : Types<D, T, Standing<T>, Standings<D, T>> {
    using Base = Types<D, T, Standing<T>, Standings<D, T>>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State,
        typename Base::Summary;
    static constexpr Uses uses{.reach = true, .ordered = true, .summary = true};
    static constexpr Tuning tuning{.blocks = true};

    pos_t* denser;  ///< for each target, by its index: a position; no_pos: none is denser
    T* distance2;   ///< how far that is, squared

    ZWALK_HD Summary summarize(Point const& p) const {
        auto const& [radius, row] = p.payload;
        return {row, row, radius, radius, p.x};
    }
    ZWALK_HD Summary merge(Summary const& a, Summary const& b) const {
        Summary both = b.first() < a.first() ? b : a;
        auto const last = a.last() < b.last() ? b.last() : a.last();
        both.last_radius = last.radius;
        both.last_row = last.row;
        return both;
    }

    /// How far a denser point is at most: from all targets; and from the densest target, which the others have within the node's
    /// diagonal. In parts, since a Key of doubles has padding, and nvcc up to 13.0 gets copies of such members wrong.
    struct Reach {
        T all2, densest2;
        pos_t all_source, densest_source;
    };
    ZWALK_HD Reach reach_begin(Node const&) const { return {infinity<T>, infinity<T>, no_pos, no_pos}; }
    ZWALK_HD void reach_add(Reach& r, Node const& t, Node const& s, Range<T> d) const {
        if (!(s.summary.first() < t.summary.first())) return;
        if (Key<T>{d.hi2, s.last()} < Key<T>{r.all2, r.all_source})
            r.all2 = d.hi2, r.all_source = s.last();
        // As points meet in open space: in a periodic one they are as near or nearer, in every bit.
        T d2 = 0;
        for (int j = 0; j < D; ++j) {
            T const dx = abs_of(t.summary.x[j] - s.summary.x[j]);
            d2 = std::fma(dx, dx, d2);
        }
        if (Key<T>{d2, s.last()} < Key<T>{r.densest2, r.densest_source})
            r.densest2 = d2, r.densest_source = s.last();
    }
    ZWALK_HD Key<T> reach_end(Reach const& r, Node const& t) const {
        return min_of(Key<T>{r.all2, r.all_source},
                      max_of(Key<T>{r.densest2, r.densest_source}, Key<T>{t.diag2, no_pos}));
    }

    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        if (!(s.summary.first() < t.summary.last())) return Decision::discard;
        return Key<T>{d.lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }

    using Fold = Key<T>;
    ZWALK_HD Fold begin(Target const&, State const&) const { return {}; }
    ZWALK_HD void visit(Fold& best, Target const& p, Point const& q, T d2) const {
        Key<T> const key{d2, q.position};
        if (key < best && q.payload < p.payload) best = key;
    }
    template <Isa isa, class Block>
    ZWALK_INLINE void visit_block(Fold& best, Target const& p, Block const& block) const {
        constexpr pos_t W = simd_width<T>;
        alignas(64) T d2[W];
        for (pos_t c = 0; c < block.count; c += W) {
            block.distances(c, d2);
            std::uint32_t near = block.lanes(c) & Simd<isa>::at_most(d2, best.d2);
            for (; near != 0; near &= near - 1) {
                int const l = trailing_zeros(near);
                Key<T> const key{d2[l], block.first + c + pos_t(l)};
                if (key < best && block.payload[key.pos] < p.payload) best = key;
            }
        }
    }
    ZWALK_HD Key<T> horizon(Fold const& best) const { return best; }
    ZWALK_HD void end(Fold const& best, Target const& p) const {
        denser[p.index] = best.pos;
        distance2[p.index] = best.d2;
    }
};

}}  // namespace zwalk::v0
