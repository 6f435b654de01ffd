// The Morton level of two points (paper section II-B, eqs. 3 and 5).
#pragma once
#include <cstdint>

#include "zwalk/core/vec.hpp"
#include "zwalk/zorder/detail/msb.hpp"

namespace zwalk { inline namespace v0 {

/// Level of two equal points, and the base of the virtual levels inside runs of equal points
/// (tree/detail/gap_levels.hpp). Real levels lie within +-70 000 (D <= 64).
inline constexpr std::int32_t equal_points_level = -(1 << 20);

/// Where two points differ most significantly (eq. 3): the bit and the axis. Equal points have
/// `msb == equal_msb<T>`.
struct Difference {
    int msb;
    int axis;
};

/// Eq. 3: k = argmax_i msb(p_i, q_i), the first axis among equals; with its msb. `P` is anything
/// with p[i]; O(dim).
template <class T, class P>
ZWALK_INLINE Difference z_difference(P const& p, P const& q, int dim) {
    Difference best{equal_msb<T>, 0};
    for (int i = 0; i < dim; ++i) {
        int const m = msb<T>(p[i], q[i]);
        if (m > best.msb) best = {m, i};
    }
    return best;
}

/// Eq. 5: (msb + 1) * D - k, the level of the smallest Morton cell that holds both points; 2^level
/// is its volume.
template <class T>
ZWALK_INLINE std::int32_t level_of(Difference d, int dim) {
    return d.msb == equal_msb<T> ? equal_points_level : (d.msb + 1) * dim - d.axis;
}

/// Level of two points of `dim` coordinates (rows in memory). Equal points: `equal_points_level`.
template <class T>
ZWALK_INLINE std::int32_t z_level(T const* p, T const* q, int dim) {
    return level_of<T>(z_difference<T>(p, q, dim), dim);
}

/// Level of two points.
template <int D, class T>
ZWALK_INLINE std::int32_t z_level(Vec<D, T> const& p, Vec<D, T> const& q) {
    return level_of<T>(z_difference<T>(p, q, D), D);
}

}}  // namespace zwalk::v0
