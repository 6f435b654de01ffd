// Friends-of-friends as an interaction trait (paper section IV-A).
#pragma once
#include "zwalk/core/within.hpp"
#include "zwalk/walk/interaction.hpp"

namespace zwalk { inline namespace v0 {

/// Links every two points that are no further apart than the linking length. After the walk the links
/// are a union-find over z-order positions whose sets are the groups.
///
/// Where this differs from the paper: two nodes are linked as a whole only if BOTH are small enough to
/// be one group each. Testing one of them joins points of the other that no chain of links connects
/// (tests/fof/everywhere.cpp has eight points that show it).
template <int D, class T>
struct Fof : Types<D, T> {
    using typename Types<D, T>::Node, typename Types<D, T>::Point;
    static constexpr Uses uses{.links = true, .symmetric = true, .cutoff = true};

    T link2;  ///< of the linking length (largest_square); a pair at exactly this distance is linked

    Fof() = default;
    explicit Fof(T linking_length) : link2(largest_square(linking_length)) {}

    ZWALK_HD T cutoff2() const { return link2; }
    ZWALK_HD bool whole(Node const& n) const { return n.diag2 <= link2; }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        if (d.lo2 > link2) return Decision::discard;
        if (!whole(t) || !whole(s)) return Decision::descend;
        if (t.label == s.label) return Decision::discard;
        return d.hi2 <= link2 ? Decision::accept : Decision::descend;
    }
    ZWALK_HD void accept(Node const& t, Node const& s, Range<T>, auto& sink) const {
        sink.link(t.first, s.first);
    }
    ZWALK_HD void pair(Point const& p, Point const& q, T d2, auto& sink) const {
        if (d2 <= link2) sink.link(p.position, q.position);
    }
};

}}  // namespace zwalk::v0
