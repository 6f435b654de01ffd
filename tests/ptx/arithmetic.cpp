// Sums, products, quotients and the like.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "ptx/table.hpp"

namespace ptx {
namespace {

__extension__ using u128 = unsigned __int128;
__extension__ using s128 = __int128;

/// A type that holds products of two T.
template <class T>
using Product = std::conditional_t<std::is_signed_v<T>, s128, u128>;

// Integers go over 64 unsigned bits, where overflow is defined.
struct Add {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) return a + b;
        else return T(u64(a) + u64(b));
    }
};
struct Subtract {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) return a - b;
        else return T(u64(a) - u64(b));
    }
};
struct Multiply {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) return a * b;
        else return T(u64(a) * u64(b));
    }
};
struct MultiplyHigh {
    template <class T>
    T operator()(T a, T b) const {
        return T((Product<T>(a) * Product<T>(b)) >> bits_of<T>);
    }
};
template <class Wide>
struct MultiplyWide {
    template <class T>
    Wide operator()(T a, T b) const {
        return Wide(Product<T>(a) * Product<T>(b));
    }
};
/// The sum of a product of the first two and the third.
template <class F>
struct ThenAdd {
    template <class T, class Sum>
    Sum operator()(T a, T b, Sum c) const {
        return Add{}(F{}(a, b), c);
    }
};
struct FusedMultiplyAdd {
    template <class T>
    T operator()(T a, T b, T c) const {
        return std::fma(a, b, c);
    }
};
/// Of division by zero PTX says nothing; GPUs return all ones, and for the remainder the dividend.
struct Divide {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) return a / b;
        else if (b == 0) return T(~T(0));
        else if constexpr (std::is_signed_v<T>) return b == T(-1) ? T(0 - u64(a)) : T(a / b);
        else return T(a / b);
    }
};
struct Remainder {
    template <class T>
    T operator()(T a, T b) const {
        if (b == 0) return a;
        if constexpr (std::is_signed_v<T>) return b == T(-1) ? T(0) : T(a % b);
        else return T(a % b);
    }
};
struct Reciprocal {
    template <class T>
    T operator()(T a) const {
        return T(1) / a;
    }
};
struct SquareRoot {
    template <class T>
    T operator()(T a) const {
        return std::sqrt(a);
    }
};
template <class T>
T not_a_number() {
    if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(0x7fffffffU);
    else return std::bit_cast<double>(0x7fffffffffffffffULL);
}
/// The least, or the greatest. Without NaN a number wins over what is none. -0 is less than 0.
template <bool greatest, bool keeps_nan>
struct Extreme {
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(a) || std::isnan(b)) {
                if (keeps_nan || (std::isnan(a) && std::isnan(b))) return not_a_number<T>();
                return std::isnan(a) ? b : a;
            }
            if (a == b) return std::signbit(a) == greatest ? b : a;
        }
        return (b < a) == greatest ? a : b;
    }
};
struct Negate {
    template <class T>
    T operator()(T a) const {
        if constexpr (std::is_floating_point_v<T>) return -a;
        else return T(0 - u64(a));
    }
};
struct Absolute {
    template <class T>
    T operator()(T a) const {
        if constexpr (std::is_floating_point_v<T>) return std::fabs(a);
        else return a < 0 ? T(0 - u64(a)) : a;
    }
};
struct AbsoluteDifference {
    template <class T>
    T operator()(T a, T b, T c) const {
        return T(u64(c) + (a < b ? u64(b) - u64(a) : u64(a) - u64(b)));
    }
};
struct CopySign {
    template <class T>
    T operator()(T sign, T value) const {
        return std::copysign(value, sign);
    }
};
/// Results of F within [0, 1], where what isn't a number is 0; those of integers within their range.
template <class F>
struct Saturated {
    template <class... T>
    auto operator()(T... sources) const {
        auto const result = F{}(sources...);
        using R = decltype(result);
        return result > R(0) ? std::min<std::remove_const_t<R>>(result, 1) : std::remove_const_t<R>(0);
    }
};
template <class F>
struct Clamped {
    s32 operator()(s32 a, s32 b) const {
        s64 const result = F{}(s64(a), s64(b));
        s64 const least = std::numeric_limits<s32>::min(), most = std::numeric_limits<s32>::max();
        return s32(std::max(least, std::min(most, result)));
    }
};

/// With the carry bit: a + b or a - b, or c plus the low or high half of a * b.
enum class Of : u8 { sum, difference, low, high };
template <class T, Of of, bool in, bool out>
void with_carry(Warp& warp, Instruction const& i, u32 lanes) {
    u64* const result = warp.slot(i.result);
    for_each(lanes, [&](int l) {
        T a = T(warp.slot(i.source[0])[l]), b = T(warp.slot(i.source[1])[l]);
        if constexpr (of == Of::low || of == Of::high) {
            a = of == Of::low ? Multiply{}(a, b) : MultiplyHigh{}(a, b);
            b = T(warp.slot(i.source[2])[l]);
        }
        T const carry = in ? T(warp.carry >> l & 1) : T(0);
        u128 const exact = of == Of::difference ? u128(a) - b - carry : u128(a) + b + carry;
        result[l] = T(exact);
        if (out) warp.carry = (warp.carry & ~(1U << l)) | (u32(exact >> bits_of<T>) & 1) << l;
    });
}
template <class T, Of of>
void add_carries(Table& table, std::string_view name, std::string_view half) {
    auto const add_one = [&](std::string_view after, std::string_view end, Operation operation) {
        Part const source{Role::source, bits_of<T>};
        bool const three = of == Of::low || of == Of::high;
        Form const known =
            form(operation, {{{Role::result, bits_of<T>}, source, source, three ? source : Part()}});
        for (char const kind : {'u', 's', 'b'})
            if (of != Of::high || kind == 'u')
                table.emplace(named<T>(fmt::format("{}{}{}{}", name, after, half, end), kind), known);
    };
    add_one("", ".cc", &with_carry<T, of, false, true>);
    add_one("c", "", &with_carry<T, of, true, false>);
    add_one("c", ".cc", &with_carry<T, of, true, true>);
}

template <class T, class Wide>
void add_wide(Table& table) {
    add<MultiplyWide<Wide>, Wide, T, T>(table, named<T>("mul.wide"));
    add<ThenAdd<MultiplyWide<Wide>>, Wide, T, T, Wide>(table, named<T>("mad.wide"));
}

void add_integers(Table& table) {
    add_binary<Add>(table, "add", Integers());
    add_binary<Subtract>(table, "sub", Integers());
    add<Clamped<Add>, s32, s32, s32>(table, "add.sat.s32");
    add<Clamped<Subtract>, s32, s32, s32>(table, "sub.sat.s32");
    add_binary<Multiply>(table, "mul.lo", Integers());
    add_binary<MultiplyHigh>(table, "mul.hi", Integers());
    add_ternary<ThenAdd<Multiply>>(table, "mad.lo", Integers());
    add_ternary<ThenAdd<MultiplyHigh>>(table, "mad.hi", Integers());
    add_wide<u16, u32>(table);
    add_wide<s16, s32>(table);
    add_wide<u32, u64>(table);
    add_wide<s32, s64>(table);
    add_binary<Divide>(table, "div", Integers());
    add_binary<Remainder>(table, "rem", Integers());
    add_binary<Extreme<false, false>>(table, "min", Integers());
    add_binary<Extreme<true, false>>(table, "max", Integers());
    add_unary<Negate>(table, "neg", Signed());
    add_unary<Absolute>(table, "abs", Signed());
    add_ternary<AbsoluteDifference>(table, "sad", Integers());
    add_carries<u32, Of::sum>(table, "add", "");
    add_carries<u64, Of::sum>(table, "add", "");
    add_carries<u32, Of::difference>(table, "sub", "");
    add_carries<u64, Of::difference>(table, "sub", "");
    add_carries<u32, Of::low>(table, "mad", ".lo");
    add_carries<u64, Of::low>(table, "mad", ".lo");
    add_carries<u32, Of::high>(table, "mad", ".hi");
    add_carries<u64, Of::high>(table, "mad", ".hi");
}

/// name.rn.T and with the other roundings; what says nothing rounds to nearest.
template <class F, class T, class... Sources>
void add_rounded(Table& table, std::string_view name, bool needs_rounding) {
    if (!needs_rounding) add<F, T, Sources...>(table, named<T>(name));
    add<F, T, Sources...>(table, named<T>(fmt::format("{}.rn", name)));
    add<F, T, Sources...>(table, named<T>(fmt::format("{}.rz", name)), Rounding::zero);
    add<F, T, Sources...>(table, named<T>(fmt::format("{}.rm", name)), Rounding::down);
    add<F, T, Sources...>(table, named<T>(fmt::format("{}.rp", name)), Rounding::up);
}
template <class T>
void add_floats(Table& table) {
    add_rounded<Add, T, T, T>(table, "add", false);
    add_rounded<Subtract, T, T, T>(table, "sub", false);
    add_rounded<Multiply, T, T, T>(table, "mul", false);
    add_rounded<FusedMultiplyAdd, T, T, T, T>(table, "fma", true);
    add_rounded<Divide, T, T, T>(table, "div", true);
    add_rounded<Reciprocal, T, T>(table, "rcp", true);
    add_rounded<SquareRoot, T, T>(table, "sqrt", true);
    add<Extreme<false, false>, T, T, T>(table, named<T>("min"));
    add<Extreme<true, false>, T, T, T>(table, named<T>("max"));
    add<Negate, T, T>(table, named<T>("neg"));
    add<Absolute, T, T>(table, named<T>("abs"));
    add<CopySign, T, T, T>(table, named<T>("copysign"));
}

}  // namespace

void add_arithmetic(Table& table) {
    add_integers(table);
    add_floats<float>(table);
    add_floats<double>(table);
    add<Extreme<false, true>, float, float, float>(table, "min.NaN.f32");
    add<Extreme<true, true>, float, float, float>(table, "max.NaN.f32");
    for (std::string const rounding : {"", ".rn"}) {
        add<Saturated<Add>, float, float, float>(table, "add" + rounding + ".sat.f32");
        add<Saturated<Subtract>, float, float, float>(table, "sub" + rounding + ".sat.f32");
        add<Saturated<Multiply>, float, float, float>(table, "mul" + rounding + ".sat.f32");
    }
    add<Saturated<FusedMultiplyAdd>, float, float, float, float>(table, "fma.rn.sat.f32");
}

}  // namespace ptx
