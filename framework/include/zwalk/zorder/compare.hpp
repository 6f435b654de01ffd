// The z-order of two points at full floating-point precision (paper section II-A, eqs. 3 and 4).
#pragma once
#include "zwalk/zorder/level.hpp"

namespace zwalk { inline namespace v0 {

/// Whether p comes before q on the z-order curve: they are compared along the axis in which they
/// differ most significantly. Strict (eq. 4 with < in place of <=), so that it is a strict weak
/// order whose only ties are equal points. Rows of `dim` coordinates; O(dim).
template <class T>
ZWALK_INLINE bool z_less(T const* p, T const* q, int dim) {
    int const k = z_difference<T>(p, q, dim).axis;
    return p[k] < q[k];
}

/// Whether p comes before q on the z-order curve.
template <int D, class T>
ZWALK_INLINE bool z_less(Vec<D, T> const& p, Vec<D, T> const& q) {
    int const k = z_difference<T>(p, q, D).axis;
    return p[k] < q[k];
}

}}  // namespace zwalk::v0
