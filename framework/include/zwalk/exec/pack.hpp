// Several numbers of one kind, on which arithmetic works as on a single one: what a trait's leaf action is written for
// once (uses.lanes).
//
//   template <class V>                     // V: float, or a Pack of 16 of them
//   V weight(V d2) { return select(d2 > 0, 1 / sqrt_of(d2), 0); }
//
// All functions here take plain numbers as well, so that the same line is the scalar form. They are exact or correctly
// rounded, lane by lane, and packs are as wide on every CPU: an instruction set changes the time, never a bit.
//
// g++ makes good code of them if it sees the whole way from a kernel (exec/isa.hpp) to the hook early: so no function
// on that way is ZWALK_INLINE, since g++ looks at what such functions call too late. All is inlined in the end.
//
// There is no `!=` and no `not` of a mask, since these are true for NaN (see uses.lanes), and no `if`: lanes differ.
#pragma once
#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "zwalk/core/config.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/core/space.hpp"
#include "zwalk/core/vec.hpp"
#include "zwalk/exec/detail/pack_ops.hpp"

namespace zwalk { inline namespace v0 {

/// One truth value for each lane of a Pack.
template <class T, Isa isa>
class PackMask {
    using Ops = detail::PackOps<isa>;
    using Bits = typename Ops::template Mask<T>;
    Bits bits_;

  public:
    ZWALK_INLINE explicit PackMask(Bits const& bits) : bits_(bits) {}
    friend ZWALK_INLINE PackMask operator&(PackMask const& a, PackMask const& b) {
        return PackMask(Ops::both(a.bits_, b.bits_));
    }
    friend ZWALK_INLINE PackMask operator|(PackMask const& a, PackMask const& b) {
        return PackMask(Ops::either(a.bits_, b.bits_));
    }
    [[nodiscard]] ZWALK_INLINE Bits const& bits() const { return bits_; }

    /// The conversion that `if` and `&&` need. A template, so that only its use is an error.
    template <std::same_as<bool> B>
    explicit operator B() const {
        static_assert(
            sizeof(B) == 0,
            "zwalk: a condition on a pack has an answer for each lane: write select(condition, "
            "a, b) instead of if, & instead of &&, or ask any_of(condition)");
        return false;
    }
};

template <class T, Isa isa>
class LaneCounts;

/// simd_width<T> numbers; T is float or double. A number becomes a pack of equal ones where a pack is needed.
template <class T, Isa isa>
struct Pack {
    using Ops = detail::PackOps<isa>;
    using Mask = PackMask<T, isa>;
    using Counts = LaneCounts<T, isa>;
    static constexpr int width = simd_width<T>;

    T lane[width];

    /// Zeros.
    ZWALK_INLINE Pack() { Ops::set(T(0), lane); }
    ZWALK_INLINE explicit(false) Pack(T x) { Ops::set(x, lane); }
    // Copied as vectors: pieces of another width would stall the loads that follow.
    ZWALK_INLINE Pack(Pack const& other) { Ops::copy(other.lane, lane); }
    ZWALK_INLINE Pack& operator=(Pack const& other) {
        Ops::copy(other.lane, lane);
        return *this;
    }
    /// The numbers x[0], ..., x[width - 1].
    static ZWALK_INLINE Pack load(T const* x) {
        Pack r;
        Ops::copy(x, r.lane);
        return r;
    }

    friend ZWALK_INLINE Pack operator+(Pack const& a, Pack const& b) {
        Pack r;
        Ops::add(a.lane, b.lane, r.lane);
        return r;
    }
    friend ZWALK_INLINE Pack operator-(Pack const& a, Pack const& b) {
        Pack r;
        Ops::subtract(a.lane, b.lane, r.lane);
        return r;
    }
    friend ZWALK_INLINE Pack operator*(Pack const& a, Pack const& b) {
        Pack r;
        Ops::multiply(a.lane, b.lane, r.lane);
        return r;
    }
    friend ZWALK_INLINE Pack operator/(Pack const& a, Pack const& b) {
        Pack r;
        Ops::divide(a.lane, b.lane, r.lane);
        return r;
    }
    friend ZWALK_INLINE Pack operator-(Pack const& a) {
        Pack r;
        Ops::negate(a.lane, r.lane);
        return r;
    }
    ZWALK_INLINE Pack& operator+=(Pack const& b) { return *this = *this + b; }
    ZWALK_INLINE Pack& operator-=(Pack const& b) { return *this = *this - b; }
    ZWALK_INLINE Pack& operator*=(Pack const& b) { return *this = *this * b; }
    ZWALK_INLINE Pack& operator/=(Pack const& b) { return *this = *this / b; }

    friend ZWALK_INLINE Mask operator<(Pack const& a, Pack const& b) {
        return Mask(Ops::less(a.lane, b.lane));
    }
    friend ZWALK_INLINE Mask operator<=(Pack const& a, Pack const& b) {
        return Mask(Ops::at_most(a.lane, b.lane));
    }
    friend ZWALK_INLINE Mask operator>(Pack const& a, Pack const& b) { return b < a; }
    friend ZWALK_INLINE Mask operator>=(Pack const& a, Pack const& b) { return b <= a; }
    friend ZWALK_INLINE Mask operator==(Pack const& a, Pack const& b) {
        return Mask(Ops::equal(a.lane, b.lane));
    }
    friend Mask operator!=(Pack const& a, Pack const& b) {
        static_assert(sizeof(a) == 0,
                      "zwalk: packs have no !=, which is true of NaN behind the last source: write "
                      "(a < b) | (b < a), or d2 > 0 of points that are elsewhere");
        return a == b;
    }
};

/// For each lane of packs, how often a mask was true there: less than 2^31 times in all lanes together.
template <class T, Isa isa>
class LaneCounts {
    using Ops = detail::PackOps<isa>;
    detail::LaneInt<T> lane_[simd_width<T>];

  public:
    ZWALK_INLINE LaneCounts() { Ops::set(detail::LaneInt<T>(0), lane_); }
    ZWALK_INLINE LaneCounts(LaneCounts const& other) { Ops::copy(other.lane_, lane_); }
    LaneCounts& operator=(LaneCounts const&) = delete;

    ZWALK_INLINE LaneCounts& operator+=(PackMask<T, isa> const& mask) {
        Ops::count_lanes(mask.bits(), lane_);
        return *this;
    }
    /// Over all lanes.
    [[nodiscard]] ZWALK_INLINE std::int64_t sum() const {
        detail::LaneInt<T> n = 0;
        for (int l = 0; l < simd_width<T>; ++l) n += lane_[l];
        return n;
    }
};

// ---- these functions of plain numbers ----

/// a where the mask is true, b elsewhere; lane by lane.
template <std::floating_point T>
ZWALK_INLINE T select(bool mask, T a, std::type_identity_t<T> b) {
    return mask ? a : b;
}
/// a * b + c, rounded once.
template <std::floating_point T>
ZWALK_INLINE T fma_of(T a, std::type_identity_t<T> b, std::type_identity_t<T> c) {
    return std::fma(a, b, c);
}
template <std::floating_point T>
ZWALK_INLINE T sqrt_of(T x) {
    return std::sqrt(x);
}
/// The sum over lanes, a number being its own.
template <std::floating_point T>
ZWALK_INLINE T sum_of(T x) {
    return x;
}
/// Number of lanes where a mask is true: 0 or 1 of a bool.
ZWALK_INLINE pos_t count_of(bool mask) { return pos_t(mask); }
/// Whether a mask is true in any lane.
ZWALK_INLINE bool any_of(bool mask) { return mask; }
/// Whether a mask is true in all lanes.
ZWALK_INLINE bool all_of(bool mask) { return mask; }

// ---- of packs; a number in the place of any but the first is a pack of equal ones ----

template <class T, Isa isa>
ZWALK_INLINE Pack<T, isa> select(PackMask<T, isa> const& mask,
                                 std::type_identity_t<Pack<T, isa>> const& a,
                                 std::type_identity_t<Pack<T, isa>> const& b) {
    Pack<T, isa> r;
    detail::PackOps<isa>::select(mask.bits(), a.lane, b.lane, r.lane);
    return r;
}
template <class T, Isa isa>
ZWALK_INLINE Pack<T, isa> fma_of(Pack<T, isa> const& a, std::type_identity_t<Pack<T, isa>> const& b,
                                 std::type_identity_t<Pack<T, isa>> const& c) {
    Pack<T, isa> r;
    detail::PackOps<isa>::fma(a.lane, b.lane, c.lane, r.lane);
    return r;
}
template <class T, Isa isa>
ZWALK_INLINE Pack<T, isa> sqrt_of(Pack<T, isa> const& a) {
    Pack<T, isa> r;
    detail::PackOps<isa>::sqrt(a.lane, r.lane);
    return r;
}

/// Halves are added until one number is left: the same order on every CPU.
template <class T, Isa isa>
ZWALK_INLINE T sum_of(Pack<T, isa> const& x) {
    return detail::PackOps<isa>::sum(x.lane);
}
template <class T, Isa isa>
ZWALK_INLINE pos_t count_of(PackMask<T, isa> const& mask) {
    return detail::PackOps<isa>::count(mask.bits());
}
template <class T, Isa isa>
ZWALK_INLINE bool any_of(PackMask<T, isa> const& mask) {
    return count_of(mask) != 0;
}
template <class T, Isa isa>
ZWALK_INLINE bool all_of(PackMask<T, isa> const& mask) {
    return count_of(mask) == pos_t(simd_width<T>);
}
template <class T, Isa isa>
ZWALK_INLINE Pack<T, isa> min_of(Pack<T, isa> const& a, Pack<T, isa> const& b) {
    return select(b < a, b, a);
}
template <class T, Isa isa>
ZWALK_INLINE Pack<T, isa> min_of(Pack<T, isa> const& a, std::type_identity_t<T> b) {
    return min_of(a, Pack<T, isa>(b));
}
template <class T, Isa isa>
ZWALK_INLINE Pack<T, isa> max_of(Pack<T, isa> const& a, Pack<T, isa> const& b) {
    return select(a < b, b, a);
}
template <class T, Isa isa>
ZWALK_INLINE Pack<T, isa> max_of(Pack<T, isa> const& a, std::type_identity_t<T> b) {
    return max_of(a, Pack<T, isa>(b));
}
template <class T, Isa isa>
ZWALK_INLINE Pack<T, isa> abs_of(Pack<T, isa> const& a) {
    Pack<T, isa> r;
    detail::PackOps<isa>::magnitude(a.lane, r.lane);
    return r;
}

}}  // namespace zwalk::v0
