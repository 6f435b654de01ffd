// The space that points live in: the only place where a distance is computed.
//
// Squared distance is ONE expression everywhere: d2 = 0, then d2 = fma(dx_i, dx_i, d2) for
// i = 0..D-1, where dx_i is the separation along axis i to the nearest image. Bounds between boxes
// use the same expression on the same rounding. Rounding is monotone, so a computed lower bound
// never exceeds, and a computed upper bound is never below, a computed distance: no slack factors.
// Compile host code with -ffp-contract=off and device code with --fmad=false.
#pragma once
#include <array>
#include <cmath>

#include "zwalk/core/config.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/core/vec.hpp"

namespace zwalk { inline namespace v0 {

/// Bounds of the squared distance between ANY point of one box and ANY point of another.
template <class T>
struct Range {
    T lo2, hi2;
};

/// Smallest and largest separation along one axis.
template <class T>
struct AxisRange {
    T lo, hi;
};

template <class T>
ZWALK_INLINE T abs_of(T x) {
    return std::fabs(x);  // part of the instruction that uses it, on a GPU
}

/// Separations |q - p| along one axis for p in [plo, phi], q in [qlo, qhi], without regard to images.
template <class T>
ZWALK_INLINE AxisRange<T> open_axis_range(T plo, T phi, T qlo, T qhi) {
    return {max_of(T(0), max_of(qlo - phi, plo - qhi)), max_of(phi - qlo, qhi - plo)};
}

/// Unbounded space.
template <int D, class T>
struct Open {
    using real = T;
    static constexpr int dim = D;

    /// Length of the separation along axis i, given |q_i - p_i|.
    ZWALK_INLINE T axis(int, T a) const { return a; }
    /// The same, given q_i - p_i, but for its sign, which a square doesn't show: taking it away is a third of the operations
    /// of a distance on a CPU.
    ZWALK_INLINE T axis_up_to_sign(int, T d) const { return d; }
    ZWALK_INLINE AxisRange<T> axis_range(int, AxisRange<T> r) const { return r; }
    /// Signed separation along axis i, given q_i - p_i.
    ZWALK_INLINE T signed_axis(int, T d) const { return d; }
};

/// Space that repeats along some axes: `box[i]` is the period, +infinity on an open axis.
///
/// The data must lie inside one interval of length box[i] per axis (checked where points are
/// passed in), so the nearest image is at |q - p| or at L - |q - p|: nothing is moved, so nothing
/// is rounded. Comparisons are written so that the NaN of inf - inf loses them.
template <int D, class T>
struct Periodic {
    using real = T;
    static constexpr int dim = D;
    T box[D];

    /// From one length for each axis, 0 for open ones, as everywhere else.
    static Periodic of(std::array<T, D> const& lengths) {
        Periodic space;
        for (int i = 0; i < D; ++i)
            space.box[i] = lengths[std::size_t(i)] > 0 ? lengths[std::size_t(i)] : infinity<T>;
        return space;
    }

    ZWALK_INLINE T axis(int i, T a) const {
        T const other = box[i] - a;
        return other < a ? other : a;
    }
    ZWALK_INLINE T axis_up_to_sign(int i, T d) const { return axis(i, abs_of(d)); }
    /// a -> min(a, L - a) is concave, so its least value over [lo, hi] is at an end, and it never
    /// exceeds L/2 (also not after rounding: L/2 is a floating-point number).
    ZWALK_INLINE AxisRange<T> axis_range(int i, AxisRange<T> r) const {
        T const far_lo = box[i] - r.hi, far_hi = box[i] - r.lo, half = box[i] / 2;
        T const lo = far_lo < r.lo ? far_lo : r.lo;
        T hi = far_hi < r.hi ? far_hi : r.hi;
        hi = half < hi ? half : hi;
        return {lo, hi};
    }
    ZWALK_INLINE T signed_axis(int i, T d) const {
        T const a = abs_of(d), other = box[i] - a;
        return other < a ? (d > 0 ? -other : other) : d;
    }
};

/// Squared distance of two points (the documented expression).
template <class Space, int D, class T>
ZWALK_INLINE T distance2(Space const& space, Vec<D, T> const& p, Vec<D, T> const& q) {
    T d2 = 0;
    ZWALK_UNROLL
    for (int i = 0; i < D; ++i) {
        T const dx = space.axis(i, abs_of(q[i] - p[i]));
        d2 = std::fma(dx, dx, d2);
    }
    return d2;
}

/// Separation q - p to the nearest image of q.
template <class Space, int D, class T>
ZWALK_INLINE Vec<D, T> displacement(Space const& space, Vec<D, T> const& p, Vec<D, T> const& q) {
    Vec<D, T> dx;
    ZWALK_UNROLL
    for (int i = 0; i < D; ++i) dx[i] = space.signed_axis(i, q[i] - p[i]);
    return dx;
}

}}  // namespace zwalk::v0
