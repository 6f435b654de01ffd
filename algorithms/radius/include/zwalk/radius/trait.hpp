// Radius search as list traits (lists/list_trait.hpp): what is within a radius of a target, one for all or one of its own.
#pragma once
#include <cstddef>

#include "zwalk/core/within.hpp"
#include "zwalk/exec/simd.hpp"
#include "zwalk/lists/list_trait.hpp"

namespace zwalk { inline namespace v0 {

/// Wants all sources with d2 <= radius2. A node that is near enough as a whole is accepted.
template <int D, class T>
struct WithinRadius : Types<D, T> {
    using typename Types<D, T>::Node, typename Types<D, T>::Point, typename Types<D, T>::Target;
    static constexpr ListUses uses{.cutoff = true};

    T radius2;  ///< of the radius (largest_square); a source at exactly this distance is wanted
    bool exclude_self = false;  ///< targets and sources are the same hierarchy
    bool once =
        false;  ///< so they are, and a pair is wanted by the first of its points only; on threads

    WithinRadius() = default;
    explicit WithinRadius(T radius, bool excludes = false, bool pairs_once = false)
        : radius2(largest_square(radius)), exclude_self(excludes), once(pairs_once) {}

    ZWALK_HD T cutoff2() const { return radius2; }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        if (d.lo2 > radius2 || (is_once() && s.last() <= t.first)) return Decision::discard;
        if (d.hi2 > radius2) return Decision::descend;
        bool const share = t.first <= s.last() && s.first <= t.last();
        return (exclude_self || is_once()) && share ? Decision::descend : Decision::accept;
    }
    ZWALK_HD bool wanted(Target const& p, Point const& q, T d2) const {
        return d2 <= radius2 && !(exclude_self && p.position == q.position) &&
               !(is_once() && q.position <= p.position);
    }

  private:
    /// Never on GPUs, which would keep registers for it.
    [[nodiscard]] ZWALK_HD bool is_once() const {
#if defined(__CUDA_ARCH__)
        return false;
#else
        return once;
#endif
    }
};

/// What a point carries that has a radius of its own. Points that are sources only need none: theirs is 0.
template <class T>
struct OwnRadius {
    static constexpr std::size_t required_columns = 0;

    T radius2;  ///< of the radius (largest_square)
};
/// The least and the largest radius2 of the points of a node.
template <class T>
struct OwnRadii {
    T least2, largest2;
};

/// WithinRadius, where each target wants what is within its own radius, or, of points among themselves, within the larger of
/// the two. A node has the largest one, beyond which it wants nothing, and the least, up to which it wants all.
template <int D, class T>
struct WithinRadii : Types<D, T, OwnRadius<T>, OwnRadii<T>> {
    using Base = Types<D, T, OwnRadius<T>, OwnRadii<T>>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::Summary;
    static constexpr ListUses uses{.cutoff = true, .limits = true, .summary = true};

    T most2 = 0;                ///< larger: no source has a larger radius2
    bool larger = false;        ///< of the two
    bool exclude_self = false;  ///< targets and sources are the same hierarchy

    ZWALK_HD T cutoff2(Target const& p) const { return two(p.payload.radius2, most2); }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        if (d.lo2 > two(t.summary.largest2, s.summary.largest2)) return Decision::discard;
        if (d.hi2 > two(t.summary.least2, s.summary.least2)) return Decision::descend;
        bool const share = t.first <= s.last() && s.first <= t.last();
        return exclude_self && share ? Decision::descend : Decision::accept;
    }
    ZWALK_HD bool wanted(Target const& p, Point const& q, T d2) const {
        return d2 <= two(p.payload.radius2, q.payload.radius2) &&
               !(exclude_self && p.position == q.position);
    }
    ZWALK_INLINE bool limits2(Target const& p, ColumnsView<OwnRadius<T>> const& sources, pos_t first,
                              pos_t n, T* to) const {
        if (!larger) return false;
        T const own2 = p.payload.radius2;
        T const* const radius2 = sources.template column<0>() + first;
        // But for the last of a leaf: of a known number, so that it becomes SIMD.
        if (n == simd_width<T>) {
            ZWALK_SIMD_LOOP
            for (int i = 0; i < simd_width<T>; ++i) to[i] = max_of(own2, radius2[i]);
        } else {
            for (pos_t i = 0; i < n; ++i) to[i] = max_of(own2, radius2[i]);
        }
        return true;
    }
    ZWALK_HD Summary summarize(Point const& p) const { return {p.payload.radius2, p.payload.radius2}; }
    ZWALK_HD Summary merge(Summary const& a, Summary const& b) const {
        return {min_of(a.least2, b.least2), max_of(a.largest2, b.largest2)};
    }

  private:
    /// The squared radius that a pair is compared with.
    [[nodiscard]] ZWALK_HD T two(T target2, T source2) const {
        return larger ? max_of(target2, source2) : target2;
    }
};

}}  // namespace zwalk::v0
