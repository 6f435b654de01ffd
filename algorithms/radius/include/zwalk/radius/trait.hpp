// Radius search as a list trait (lists/list_trait.hpp): what is within a radius of a target.
#pragma once
#include "zwalk/core/within.hpp"
#include "zwalk/lists/list_trait.hpp"

namespace zwalk::inline v0 {

/// Wants all sources with d2 <= radius2. A node that is near enough as a whole is accepted.
template <int D, class T>
struct WithinRadius : Types<D, T> {
    using typename Types<D, T>::Node, typename Types<D, T>::Point, typename Types<D, T>::Target;
    static constexpr ListUses uses{.cutoff = true};

    T radius2;  ///< of the radius (largest_square); a source at exactly this distance is wanted
    bool exclude_self = false;  ///< targets and sources are the same hierarchy

    WithinRadius() = default;
    explicit WithinRadius(T radius, bool excludes = false)
        : radius2(largest_square(radius)), exclude_self(excludes) {}

    ZWALK_HD T cutoff2() const { return radius2; }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        if (d.lo2 > radius2) return Decision::discard;
        if (d.hi2 > radius2) return Decision::descend;
        bool const share = t.first <= s.last() && s.first <= t.last();
        return exclude_self && share ? Decision::descend : Decision::accept;
    }
    ZWALK_HD bool wanted(Target const& p, Point const& q, T d2) const {
        return d2 <= radius2 && !(exclude_self && p.position == q.position);
    }
};

}  // namespace zwalk::inline v0
