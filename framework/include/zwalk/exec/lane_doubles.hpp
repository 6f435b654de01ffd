// One double for each lane of a group, on which arithmetic works as on a Pack (exec/pack.hpp): so what is written for packs also
// runs on the lanes of a GPU's warp, each with a number of its own in registers.
//
// All lanes of the group call these functions together, and outside of lanes(). Bits are the same on every group of as many lanes.
#pragma once
#include <cmath>
#include <concepts>
#include <type_traits>

#include "zwalk/core/config.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/exec/exp_log.hpp"
#include "zwalk/exec/inverse_sqrt.hpp"
#include "zwalk/exec/pack.hpp"

namespace zwalk { inline namespace v0 {

namespace detail {

/// How many lanes of a group one thread holds the values of: one on a GPU, all on a CPU.
template <class G>
inline constexpr int lanes_held = int(sizeof(typename G::template var<double>) / sizeof(double));

template <class G, class F>
ZWALK_INLINE void each_lane_held(F const& f) {
    ZWALK_UNROLL
    for (int l = 0; l < lanes_held<G>; ++l) f(l);
}

}  // namespace detail

/// One truth value for each lane of a group.
template <class G>
struct LaneTruths {
    typename G::template var<bool> lane;

    template <class F>
    static ZWALK_INLINE LaneTruths of(F const& f) {
        LaneTruths r;
        detail::each_lane_held<G>([&](int l) { r.lane[l] = f(l); });
        return r;
    }
    friend ZWALK_INLINE LaneTruths operator&(LaneTruths const& a, LaneTruths const& b) {
        return of([&](int l) { return a.lane[l] && b.lane[l]; });
    }
    friend ZWALK_INLINE LaneTruths operator|(LaneTruths const& a, LaneTruths const& b) {
        return of([&](int l) { return a.lane[l] || b.lane[l]; });
    }
};

/// One double for each lane of a group G. A number becomes as many equal ones where they are needed.
/// @tparam Tag  what they are for
template <class G, class Tag>
struct LaneDoubles {
    using Mask = LaneTruths<G>;

    typename G::template var<double> lane;

    /// Zeros.
    ZWALK_INLINE LaneDoubles() : LaneDoubles(0.) {}
    ZWALK_INLINE explicit(false) LaneDoubles(double x) {
        detail::each_lane_held<G>([&](int l) { lane[l] = x; });
    }
    /// f(l) on lane l.
    template <class F>
    static ZWALK_INLINE LaneDoubles of(F const& f) {
        LaneDoubles r;
        detail::each_lane_held<G>([&](int l) { r.lane[l] = f(l); });
        return r;
    }

    friend ZWALK_INLINE LaneDoubles operator+(LaneDoubles const& a, LaneDoubles const& b) {
        return of([&](int l) { return a.lane[l] + b.lane[l]; });
    }
    friend ZWALK_INLINE LaneDoubles operator-(LaneDoubles const& a, LaneDoubles const& b) {
        return of([&](int l) { return a.lane[l] - b.lane[l]; });
    }
    friend ZWALK_INLINE LaneDoubles operator*(LaneDoubles const& a, LaneDoubles const& b) {
        return of([&](int l) { return a.lane[l] * b.lane[l]; });
    }
    friend ZWALK_INLINE LaneDoubles operator/(LaneDoubles const& a, LaneDoubles const& b) {
        return of([&](int l) { return a.lane[l] / b.lane[l]; });
    }
    friend ZWALK_INLINE LaneDoubles operator-(LaneDoubles const& a) {
        return of([&](int l) { return -a.lane[l]; });
    }
    ZWALK_INLINE LaneDoubles& operator+=(LaneDoubles const& b) { return *this = *this + b; }
    ZWALK_INLINE LaneDoubles& operator-=(LaneDoubles const& b) { return *this = *this - b; }
    ZWALK_INLINE LaneDoubles& operator*=(LaneDoubles const& b) { return *this = *this * b; }
    ZWALK_INLINE LaneDoubles& operator/=(LaneDoubles const& b) { return *this = *this / b; }

    friend ZWALK_INLINE Mask operator<(LaneDoubles const& a, LaneDoubles const& b) {
        return Mask::of([&](int l) { return a.lane[l] < b.lane[l]; });
    }
    friend ZWALK_INLINE Mask operator<=(LaneDoubles const& a, LaneDoubles const& b) {
        return Mask::of([&](int l) { return a.lane[l] <= b.lane[l]; });
    }
    friend ZWALK_INLINE Mask operator>(LaneDoubles const& a, LaneDoubles const& b) { return b < a; }
    friend ZWALK_INLINE Mask operator>=(LaneDoubles const& a, LaneDoubles const& b) { return b <= a; }
    friend ZWALK_INLINE Mask operator==(LaneDoubles const& a, LaneDoubles const& b) {
        return Mask::of([&](int l) { return a.lane[l] == b.lane[l]; });
    }
};

// ---- the functions that packs have ----

template <class G, class Tag>
ZWALK_INLINE LaneDoubles<G, Tag> select(LaneTruths<G> const& mask,
                                        std::type_identity_t<LaneDoubles<G, Tag>> const& a,
                                        LaneDoubles<G, Tag> const& b) {
    return LaneDoubles<G, Tag>::of([&](int l) { return mask.lane[l] ? a.lane[l] : b.lane[l]; });
}
template <class G, class Tag>
ZWALK_INLINE LaneDoubles<G, Tag> select(LaneTruths<G> const& mask, LaneDoubles<G, Tag> const& a,
                                        double b) {
    return select(mask, a, LaneDoubles<G, Tag>(b));
}
template <class G, class Tag>
ZWALK_INLINE LaneDoubles<G, Tag> fma_of(LaneDoubles<G, Tag> const& a,
                                        std::type_identity_t<LaneDoubles<G, Tag>> const& b,
                                        std::type_identity_t<LaneDoubles<G, Tag>> const& c) {
    return LaneDoubles<G, Tag>::of([&](int l) { return std::fma(a.lane[l], b.lane[l], c.lane[l]); });
}
template <class G, class Tag>
ZWALK_INLINE LaneDoubles<G, Tag> sqrt_of(LaneDoubles<G, Tag> const& a) {
    return LaneDoubles<G, Tag>::of([&](int l) { return std::sqrt(a.lane[l]); });
}
template <class G, class Tag>
ZWALK_INLINE LaneDoubles<G, Tag> abs_of(LaneDoubles<G, Tag> const& a) {
    return LaneDoubles<G, Tag>::of([&](int l) { return std::fabs(a.lane[l]); });
}
template <class G, class Tag>
ZWALK_INLINE LaneDoubles<G, Tag> min_of(LaneDoubles<G, Tag> const& a, LaneDoubles<G, Tag> const& b) {
    return select(b < a, b, a);
}
template <class G, class Tag>
ZWALK_INLINE LaneDoubles<G, Tag> min_of(LaneDoubles<G, Tag> const& a, double b) {
    return min_of(a, LaneDoubles<G, Tag>(b));
}
template <class G, class Tag>
ZWALK_INLINE LaneDoubles<G, Tag> max_of(LaneDoubles<G, Tag> const& a, LaneDoubles<G, Tag> const& b) {
    return select(a < b, b, a);
}
template <class G, class Tag>
ZWALK_INLINE LaneDoubles<G, Tag> max_of(LaneDoubles<G, Tag> const& a, double b) {
    return max_of(a, LaneDoubles<G, Tag>(b));
}
template <class G, class Tag>
ZWALK_INLINE LaneDoubles<G, Tag> inverse_sqrt_of(LaneDoubles<G, Tag> const& a) {
    return LaneDoubles<G, Tag>::of([&](int l) { return inverse_sqrt_of(double(a.lane[l])); });
}
template <class G, class Tag>
ZWALK_INLINE LaneDoubles<G, Tag> exp_of(LaneDoubles<G, Tag> const& a) {
    return LaneDoubles<G, Tag>::of([&](int l) { return exp_of(double(a.lane[l])); });
}
template <class G, class Tag>
ZWALK_INLINE LaneDoubles<G, Tag> log_of(LaneDoubles<G, Tag> const& a) {
    return LaneDoubles<G, Tag>::of([&](int l) { return log_of(double(a.lane[l])); });
}

/// Halves are added until one number is left, as of packs: in the same order by threads that exchange them, each of which has the
/// sum then.
template <class G, class Tag>
ZWALK_INLINE double sum_of(LaneDoubles<G, Tag> const& x) {
    auto sum = x.lane;
    if constexpr (detail::lanes_held<G> == 1) {
        ZWALK_UNROLL
        for (int n = G::width / 2; n > 0; n /= 2)
            G{}.exchange(sum, n, [&](int l, double other) { sum[l] += other; });
    } else {
        for (int n = G::width / 2; n > 0; n /= 2)
            for (int l = 0; l < n; ++l) sum[l] += sum[l + n];
    }
    return sum[0];
}
template <class G>
ZWALK_INLINE pos_t count_of(LaneTruths<G> const& mask) {
    if constexpr (detail::lanes_held<G> == 1) {
        return pos_t(count_bits(G{}.ballot([&](int l) { return mask.lane[l]; })));
    } else {
        pos_t n = 0;
        for (int l = 0; l < G::width; ++l) n += pos_t(mask.lane[l]);
        return n;
    }
}
template <class G>
ZWALK_INLINE bool any_of(LaneTruths<G> const& mask) {
    return count_of(mask) != 0;
}
template <class G>
ZWALK_INLINE bool all_of(LaneTruths<G> const& mask) {
    return count_of(mask) == pos_t(G::width);
}

}}  // namespace zwalk::v0
