// Conversions: cvt.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "ptx/table.hpp"

namespace ptx {
namespace {

/// The lowest bits of a slot as a number.
template <class Wide>
Wide extended(u64 slot, u32 bits) {
    return Wide(slot << (64 - bits)) >> (64 - bits);
}
template <class Wide>
Wide least(u32 bits) {
    return std::is_signed_v<Wide> ? Wide(~u64(0) << (bits - 1)) : Wide(0);
}
template <class Wide>
Wide greatest(u32 bits) {
    return Wide(~u64(0) >> (64 - bits + (std::is_signed_v<Wide> ? 1 : 0)));
}

// The widest type of either sign stands for the narrower ones.
template <class From, class To, bool saturates>
void between_integers(Warp& warp, Instruction const& i, u32 lanes) {
    u64 *const result = warp.slot(i.result), *const source = warp.slot(i.source[0]);
    for_many(lanes, [&](int l) {
        From const value = extended<From>(source[l], i.from_bits);
        if constexpr (saturates) {
            To const low = least<To>(i.bits), high = greatest<To>(i.bits);
            bool const below = value < 0 && (std::is_unsigned_v<To> || s64(value) < s64(low));
            bool const above = value > 0 && u64(value) > u64(high);
            result[l] = below ? u64(low) : above ? u64(high) : u64(value);
        } else {
            result[l] = u64(extended<To>(u64(value), i.bits));
        }
    });
}
template <class From, class To>
void to_float(Warp& warp, Instruction const& i, u32 lanes) {
    u64 *const result = warp.slot(i.result), *const source = warp.slot(i.source[0]);
    for_many(lanes, [&](int l) { result[l] = slot_of(To(extended<From>(source[l], i.from_bits))); });
}

template <Rounding rounding, class T>
T whole(T value) {
    switch (rounding) {
        case Rounding::zero:
            return std::trunc(value);
        case Rounding::down:
            return std::floor(value);
        case Rounding::up:
            return std::ceil(value);
        default:
            return std::nearbyint(value);
    }
}
/// Numbers out of range become the end of it. What isn't a number is 0, or only the highest bit where a type has 64 bits.
template <class From, class To, Rounding rounding>
void to_integer(Warp& warp, Instruction const& i, u32 lanes) {
    u64 *const result = warp.slot(i.result), *const source = warp.slot(i.source[0]);
    To const low = least<To>(i.bits), high = greatest<To>(i.bits);
    u64 const otherwise = i.bits == 64 || i.from_bits == 64 ? 1ULL << (i.bits - 1) : 0;
    for_each(lanes, [&](int l) {
        From const value = whole<rounding>(value_of<From>(source[l]));
        if (std::isnan(value)) result[l] = otherwise;
        else if (value <= From(low)) result[l] = u64(low);
        else if (value >= From(high)) result[l] = u64(high);
        else result[l] = u64(To(value));
    });
}
template <class To>
struct Float {
    template <class From>
    To operator()(From value) const {
        return To(value);
    }
};
template <class To>
struct UnitFloat {
    template <class From>
    To operator()(From value) const {
        return value > 0 ? std::min(To(value), To(1)) : To(0);
    }
};
template <Rounding rounding>
struct Whole {
    template <class T>
    T operator()(T value) const {
        return whole<rounding>(value);
    }
};

constexpr std::array<std::string_view, 4> directions = {"rn", "rz", "rm", "rp"};

Form conversion(Operation operation, u32 from_bits, u32 bits) {
    Form known = form(operation, {{{Role::result, u8(bits)}, {Role::source, u8(from_bits)}}});
    known.model.bits = u8(bits);
    known.model.from_bits = u8(from_bits);
    return known;
}

template <class From, class To>
void add_between_integers(Table& table) {
    for (u32 const from : {8U, 16U, 32U, 64U})
        for (u32 const to : {8U, 16U, 32U, 64U}) {
            std::string const types = fmt::format(".{}{}.{}{}", kind_of<To>, to, kind_of<From>, from);
            table.emplace("cvt" + types, conversion(&between_integers<From, To, false>, from, to));
            table.emplace("cvt.sat" + types, conversion(&between_integers<From, To, true>, from, to));
        }
}
template <class Integer, class F>
void add_from_integers(Table& table) {
    for (u32 const from : {8U, 16U, 32U, 64U})
        for (u32 k = 0; k < directions.size(); ++k) {
            Form known = conversion(&to_float<Integer, F>, from, bits_of<F>);
            known.model.rounding = Rounding(k);
            table.emplace(
                fmt::format("cvt.{}.f{}.{}{}", directions[k], bits_of<F>, kind_of<Integer>, from),
                known);
        }
}
template <class F, class Integer, Rounding rounding>
void add_to_integers(Table& table) {
    for (u32 const to : {8U, 16U, 32U, 64U})
        for (std::string_view const sat : {"", ".sat"})
            table.emplace(fmt::format("cvt.{}i{}.{}{}.f{}", directions[u32(rounding)], sat,
                                      kind_of<Integer>, to, bits_of<F>),
                          conversion(&to_integer<F, Integer, rounding>, bits_of<F>, to));
}
template <class F, Rounding rounding>
void add_roundings(Table& table) {
    add_to_integers<F, s64, rounding>(table);
    add_to_integers<F, u64, rounding>(table);
    add<Whole<rounding>, F, F>(table,
                               fmt::format("cvt.{0}i.f{1}.f{1}", directions[u32(rounding)], bits_of<F>));
}
template <class F>
void add_floats(Table& table) {
    add_from_integers<s64, F>(table);
    add_from_integers<u64, F>(table);
    add_roundings<F, Rounding::nearest>(table);
    add_roundings<F, Rounding::zero>(table);
    add_roundings<F, Rounding::down>(table);
    add_roundings<F, Rounding::up>(table);
    add<Float<F>, F, F>(table, fmt::format("cvt.f{0}.f{0}", bits_of<F>));
    add<UnitFloat<F>, F, F>(table, fmt::format("cvt.sat.f{0}.f{0}", bits_of<F>));
}

}  // namespace

void add_conversions(Table& table) {
    add_between_integers<s64, s64>(table);
    add_between_integers<s64, u64>(table);
    add_between_integers<u64, s64>(table);
    add_between_integers<u64, u64>(table);
    add_floats<float>(table);
    add_floats<double>(table);
    add<Float<double>, double, float>(table, "cvt.f64.f32");
    for (u32 k = 0; k < directions.size(); ++k)
        add<Float<float>, float, double>(table, fmt::format("cvt.{}.f32.f64", directions[k]),
                                         Rounding(k));
    add<UnitFloat<float>, float, double>(table, "cvt.rn.sat.f32.f64");
}

}  // namespace ptx
