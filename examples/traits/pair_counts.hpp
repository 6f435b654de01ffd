// Histogram of the separations of all unordered pairs: the core of a two-point correlation function.
//
// Shows symmetric mode (each pair once) with a global total: a pair of nodes all of whose
// separations fall into one bin is accepted as a whole. Where points meet, one meets as many as a register holds (lanes).
#pragma once
#include "zwalk/walk/interaction.hpp"

namespace zwalk::examples {

template <int D, class T, int Bins>
struct PairCounts : Types<D, T> {
    using typename Types<D, T>::Node, typename Types<D, T>::Point;
    static constexpr Uses uses{.total = true, .symmetric = true, .cutoff = true, .lanes = true};

    /// Ascending squared edges; bin b holds edge2[b] <= d2 < edge2[b + 1]. (Of the library's pair_counts() it is the larger
    /// edge that is in a bin.)
    T edge2[Bins + 1];

    struct Total {
        size_type pairs[Bins] = {};
    };
    ZWALK_HD void combine(Total& a, Total const& b) const {
        for (int i = 0; i < Bins; ++i) a.pairs[i] += b.pairs[i];
    }

    /// -1 below the first edge, Bins from the last edge on.
    ZWALK_HD int bin(T d2) const {
        int b = -1;
        for (int i = 0; i <= Bins; ++i) b += edge2[i] <= d2;
        return b;
    }
    ZWALK_HD T cutoff2() const { return edge2[Bins]; }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        int const lo = bin(d.lo2), hi = bin(d.hi2);
        if (hi < 0 || lo >= Bins) return Decision::discard;
        // Pairs inside one node also hold each point with itself: leave those to the leaves.
        return lo == hi && t.index != s.index ? Decision::accept : Decision::descend;
    }
    ZWALK_HD void accept(Node const& t, Node const& s, Range<T> d, auto& sink) const {
        sink.total().pairs[bin(d.lo2)] += size_type(t.count) * s.count;
    }
    /// V is T, or a pack of them. From the last bin down, until no pair is left: most are in the last ones, since these
    /// have most of the volume.
    template <class V>
    ZWALK_HD void pair(Point const&, auto const&, V d2, auto& sink) const {
        auto& pairs = sink.total().pairs;
        pos_t within = count_of(d2 < edge2[Bins]);
        for (int b = Bins - 1; b >= 0 && within > 0; --b) {
            pos_t const below = count_of(d2 < edge2[b]);
            pairs[b] += within - below;
            within = below;
        }
    }
};

}  // namespace zwalk::examples
