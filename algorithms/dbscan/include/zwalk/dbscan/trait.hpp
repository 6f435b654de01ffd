// Which points are core points of DBSCAN, as an interaction trait: neighbours are counted only until that is decided.
#pragma once
#include <cstdint>

#include "zwalk/core/bits.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/walk/interaction.hpp"
#include "zwalk/walk/tuning.hpp"

namespace zwalk { inline namespace v0 {

/// What is known of the number of neighbours of every point of a node.
struct NeighbourBounds {
    pos_t sure = 0;      ///< so many at least
    pos_t possible = 0;  ///< so many at most; no_pos: not known
};

/// Whether a target has at least `enough` sources within the radius, itself included.
///
/// Nodes that are within the radius as a whole raise the lower bound of the targets' counts, nodes beyond it lower the upper
/// one (so both are accepted). As soon as one of the bounds decides, nothing matters to the targets any more. So large nodes are
/// taken whole where many more or far fewer points are near than `enough`. Only targets for which it is a close
/// thing meet points: nearest first, until there are enough.
template <int D, class T>
struct EnoughNeighbours : Types<D, T, Empty, Empty, NeighbourBounds> {
    using Base = Types<D, T, Empty, Empty, NeighbourBounds>;
    using typename Base::Node, typename Base::Point, typename Base::Target;
    static constexpr Uses uses{.reach = true, .ordered = true, .state = true};
    static constexpr Tuning tuning{.blocks = true};

    T radius2 = 0;  ///< of the radius (largest_square); a source at exactly this distance is a neighbour
    pos_t enough = 1;    ///< >= 1, no more than max_points
    pos_t sources = 0;   ///< how many there are; no_pos: more than numbers have room for
    std::uint8_t* core;  ///< for each target, by its index: 1 if it has enough, else 0

    ZWALK_HD bool decided(NeighbourBounds const& n) const {
        return n.sure >= enough || n.possible < enough;
    }
    ZWALK_HD bool near(Range<T> d) const { return d.hi2 <= radius2; }

    ZWALK_HD NeighbourBounds top_state() const { return {0, sources}; }
    ZWALK_HD NeighbourBounds inherit(NeighbourBounds n, Node const&, Node const&) const { return n; }
    ZWALK_HD void absorb(NeighbourBounds& n, Node const&, Node const& s, Range<T> d) const {
        if (near(d)) n.sure = min_of(pos_t(n.sure + s.count), enough);
        else if (n.possible != no_pos) n.possible -= s.count;
    }

    /// Near sources until they are enough: those further away than all of them don't matter then.
    struct Reach {
        pos_t sure;
        T farthest;
    };
    ZWALK_HD Reach reach_begin(Node const& t) const {
        return {decided(t.state) ? enough : t.state.sure, T(-1)};
    }
    ZWALK_HD void reach_add(Reach& r, Node const&, Node const& s, Range<T> d) const {
        if (r.sure >= enough || !near(d)) return;
        r.sure += s.count;
        r.farthest = max_of(r.farthest, d.lo2);
    }
    ZWALK_HD Key<T> reach_end(Reach const& r, Node const&) const {
        return r.sure >= enough ? Key<T>{r.farthest, no_pos} : Key<T>{};
    }

    /// Nodes behind the reach are discarded, too: on a device a target's neighbours decide whether this is called for them.
    ZWALK_HD Decision decide(Node const& t, Node const&, Range<T> d) const {
        if (decided(t.state) || d.lo2 > t.reach.d2) return Decision::discard;
        return near(d) || d.lo2 > radius2 ? Decision::accept : Decision::descend;
    }

    struct Fold {
        pos_t found;  ///< neighbours, up to `enough`
        bool open;    ///< more neighbours would matter
    };
    ZWALK_HD Fold begin(Target const&, NeighbourBounds const& n) const {
        return {min_of(n.sure, enough), !decided(n)};
    }
    ZWALK_HD void add(Fold& f, pos_t neighbours) const {
        f.found = min_of(pos_t(f.found + neighbours), enough);
        if (f.found == enough) f.open = false;
    }
    ZWALK_HD void visit(Fold& f, Target const&, Point const&, T d2) const { add(f, d2 <= radius2); }
    template <Isa isa>
    ZWALK_INLINE void visit_block(Fold& f, Target const&, auto const& block) const {
        constexpr pos_t W = simd_width<T>;
        alignas(64) T d2[W];
        for (pos_t c = 0; c < block.count && f.found < enough; c += W) {
            block.distances(c, d2);
            add(f, pos_t(count_bits(Simd<isa>::at_most(d2, radius2) & block.lanes(c))));
        }
    }
    ZWALK_HD Key<T> horizon(Fold const& f) const {
        return f.open ? Key<T>{radius2, no_pos} : Key<T>{T(-1), 0};
    }
    ZWALK_HD void end(Fold const& f, Target const& p) const { core[p.index] = f.found == enough; }
};

}}  // namespace zwalk::v0
