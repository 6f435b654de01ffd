// Sums, products, quotients and extremes against the host's arithmetic.
#include <doctest/doctest.h>

#include <algorithm>
#include <cfenv>

#include "ptx/unit/run.hpp"

namespace {

using namespace ptx;
__extension__ using s128 = __int128;
__extension__ using u128 = unsigned __int128;

template <class T>
std::string name(std::string const& operation) {
    return operation + "." +
           (std::is_floating_point_v<T> ? "f"
            : std::is_signed_v<T>       ? "s"
                                        : "u") +
           std::to_string(8 * sizeof(T));
}
template <class T, class F>
void binary(std::string const& operation, F const& f) {
    compare<T, T, T>(name<T>(operation) + " %x, %a, %b;", f);
}
template <class T>
using Unsigned = std::make_unsigned_t<T>;

template <class T>
void integers() {
    constexpr int bits = 8 * sizeof(T);
    using W = Unsigned<T>;
    binary<T>("add", [](T a, T b) { return T(W(a) + W(b)); });
    binary<T>("sub", [](T a, T b) { return T(W(a) - W(b)); });
    binary<T>("mul.lo", [](T a, T b) { return T(u64(a) * u64(b)); });
    auto const high = [](T a, T b) {
        if constexpr (sizeof(T) == 8 && std::is_unsigned_v<T>) {  // by halves
            u64 const al = u32(a), ah = a >> 32, bl = u32(b), bh = b >> 32;
            u64 const middle = (al * bl >> 32) + u32(ah * bl) + u32(al * bh);
            return T(ah * bh + (ah * bl >> 32) + (al * bh >> 32) + (middle >> 32));
        } else {
            return T(s128(a) * s128(b) >> bits);
        }
    };
    binary<T>("mul.hi", high);
    compare<T, T, T, T>(name<T>("mad.lo") + " %x, %a, %b, %c;",
                        [](T a, T b, T c) { return T(u64(a) * u64(b) + u64(c)); });
    compare<T, T, T, T>(name<T>("mad.hi") + " %x, %a, %b, %c;",
                        [&](T a, T b, T c) { return T(W(high(a, b)) + W(c)); });
    auto const overflows = [](T a, T b) {
        return std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == T(-1);
    };
    binary<T>("div", [&](T a, T b) { return b == 0 ? T(-1) : overflows(a, b) ? a : T(a / b); });
    binary<T>("rem", [&](T a, T b) { return b == 0 ? a : overflows(a, b) ? T(0) : T(a % b); });
    binary<T>("min", [](T a, T b) { return std::min(a, b); });
    binary<T>("max", [](T a, T b) { return std::max(a, b); });
    compare<T, T, T, T>(name<T>("sad") + " %x, %a, %b, %c;",
                        [](T a, T b, T c) { return T(W(c) + W(std::max(a, b)) - W(std::min(a, b))); });
    if constexpr (std::is_signed_v<T>) {
        compare<T, T>(name<T>("neg") + " %x, %a;", [](T a) { return T(W(0) - W(a)); });
        compare<T, T>(name<T>("abs") + " %x, %a;", [](T a) { return a < 0 ? T(W(0) - W(a)) : a; });
    }
}
template <class T, class Wide>
void wide() {
    compare<Wide, T, T>(name<T>("mul.wide") + " %x, %a, %b;",
                        [](T a, T b) { return Wide(s128(a) * s128(b)); });
    compare<Wide, T, T, Wide>(name<T>("mad.wide") + " %x, %a, %b, %c;",
                              [](T a, T b, Wide c) { return Wide(s128(a) * s128(b) + s128(c)); });
}

/// What the host's hardware makes of an operation under a rounding mode.
template <class T, class F>
T rounded(int mode, F const& f, T a, T b) {
    std::fesetround(mode);
    T volatile x = a, y = b;
    T volatile result = f(x, y);
    std::fesetround(FE_TONEAREST);
    return result;
}
template <class T>
void roundings(std::string const& operation, T (*f)(T, T)) {
    std::vector<std::pair<std::string, int>> const modes = {
        {".rn", FE_TONEAREST}, {".rz", FE_TOWARDZERO}, {".rm", FE_DOWNWARD}, {".rp", FE_UPWARD}};
    for (auto const& [rounding, mode] : modes)
        binary<T>(operation + rounding, [&, mode = mode](T a, T b) {
            return rounded<T>(
                mode, [&](T x, T y) { return f(x, y); }, a, b);
        });
}
template <class T>
T extreme(bool greatest, T a, T b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
    if (a == b) return std::signbit(a) == greatest ? b : a;
    return (a < b) == greatest ? b : a;
}
template <class T>
void floats() {
    roundings<T>("add", [](T a, T b) { return a + b; });
    roundings<T>("sub", [](T a, T b) { return a - b; });
    roundings<T>("mul", [](T a, T b) { return a * b; });
    roundings<T>("div", [](T a, T b) { return a / b; });
    binary<T>("add", [](T a, T b) { return a + b; });
    binary<T>("mul", [](T a, T b) { return a * b; });
    binary<T>("min", [](T a, T b) { return extreme(false, a, b); });
    binary<T>("max", [](T a, T b) { return extreme(true, a, b); });
    binary<T>("copysign", [](T a, T b) { return std::copysign(b, a); });
    compare<T, T>(name<T>("neg") + " %x, %a;", [](T a) { return -a; });
    compare<T, T>(name<T>("abs") + " %x, %a;", [](T a) { return std::fabs(a); });
    compare<T, T>(name<T>("rcp.rn") + " %x, %a;", [](T a) { return 1 / a; });
    compare<T, T>(name<T>("sqrt.rn") + " %x, %a;", [](T a) { return std::sqrt(a); });
    compare<T, T>(name<T>("sqrt.rz") + " %x, %a;", [](T a) {
        return rounded<T>(
            FE_TOWARDZERO, [](T x, T) { return std::sqrt(x); }, a, 0);
    });
    compare<T, T, T, T>(name<T>("fma.rn") + " %x, %a, %b, %c;",
                        [](T a, T b, T c) { return std::fma(a, b, c); });
}

}  // namespace

TEST_CASE("ptx: integer arithmetic") {
    integers<u16>();
    integers<s16>();
    integers<u32>();
    integers<s32>();
    integers<u64>();
    integers<s64>();
}

TEST_CASE("ptx: products of twice the width") {
    wide<u16, u32>();
    wide<s16, s32>();
    wide<u32, u64>();
    wide<s32, s64>();
}

TEST_CASE("ptx: integers that saturate") {
    auto const clamped = [](s64 x) {
        return s32(std::clamp<s64>(x, std::numeric_limits<s32>::min(), std::numeric_limits<s32>::max()));
    };
    binary<s32>("add.sat", [&](s32 a, s32 b) { return clamped(s64(a) + b); });
    binary<s32>("sub.sat", [&](s32 a, s32 b) { return clamped(s64(a) - b); });
}

TEST_CASE("ptx: sums of 128 bits by carries") {
    // Operands of 128 bits whose halves are the same.
    std::string const halves = "{ .reg .b64 %l;\n";
    compare<u64, u64, u64>(halves + "add.cc.u64 %l, %a, %b; addc.u64 %x, %a, %b; }",
                           [](u64 a, u64 b) { return u64(a + b + (a + b < a)); });
    compare<u64, u64, u64>(halves + "sub.cc.u64 %l, %a, %b; subc.u64 %x, %a, %b; }",
                           [](u64 a, u64 b) { return u64(a - b - (a < b)); });
    compare<u64, u64, u64>(
        halves + "add.cc.u64 %l, %a, %b; addc.cc.u64 %l, %a, %b; addc.u64 %x, 0, 0; }",
        [](u64 a, u64 b) { return u64(a + b < a || a + b + (a + b < a) < a); });
    compare<u32, u32, u32>(
        "{ .reg .b32 %l; sub.cc.u32 %l, %a, %b; subc.cc.u32 %l, %a, %b; subc.u32 %x, 0, 0; }",
        [](u32 a, u32 b) {
            return a < b ? ~0U : 0U;  // of halves that are the same, the low one decides
        });
    compare<u64, u64, u64, u64>(halves + "mad.lo.cc.u64 %l, %a, %b, %c; madc.hi.u64 %x, %a, %b, 0; }",
                                [](u64 a, u64 b, u64 c) { return u64((u128(a) * b + c) >> 64); });
    compare<u32, u32, u32, u32>(
        "{ .reg .b32 %l; mad.lo.cc.u32 %l, %a, %b, %c; madc.hi.u32 %x, %a, %b, 0; }",
        [](u32 a, u32 b, u32 c) { return u32((u64(a) * b + c) >> 32); });
}

TEST_CASE("ptx: floats") {
    floats<float>();
    floats<double>();
}

TEST_CASE("ptx: floats that saturate, and extremes that keep NaN") {
    auto const unit = [](float x) { return x > 0 ? std::min(x, 1.F) : 0.F; };
    binary<float>("add.sat", [&](float a, float b) { return unit(a + b); });
    binary<float>("mul.rn.sat", [&](float a, float b) { return unit(a * b); });
    compare<float, float, float, float>(
        "fma.rn.sat.f32 %x, %a, %b, %c;",
        [&](float a, float b, float c) { return unit(std::fma(a, b, c)); });
    float const nan = std::numeric_limits<float>::quiet_NaN();
    binary<float>("min.NaN", [&](float a, float b) {
        return std::isnan(a) || std::isnan(b) ? nan : extreme(false, a, b);
    });
    binary<float>("max.NaN", [&](float a, float b) {
        return std::isnan(a) || std::isnan(b) ? nan : extreme(true, a, b);
    });
}

TEST_CASE("ptx: known results") {
    // A product and a sum are rounded once.
    CHECK(evaluate("fma.rn.f32 %x, %a, %a, %b;", {"f32", "f32", "f32"}, {0x3f800001, 0xbf800002}) ==
          std::vector<u64>{0x28800000});
    CHECK(evaluate("add.rp.f32 %x, %a, %b;", {"f32", "f32", "f32"}, {0x3f800000, 0x00000001}) ==
          std::vector<u64>{0x3f800001});
    CHECK(evaluate("add.rm.f32 %x, %a, %b;", {"f32", "f32", "f32"}, {0x3f800000, 0x80000001}) ==
          std::vector<u64>{0x3f7fffff});
    CHECK(evaluate("div.s32 %x, %a, %b;", {"b32", "b32", "b32"}, {0x80000000, 0xffffffff}) ==
          std::vector<u64>{0x80000000});
    CHECK(evaluate("min.f32 %x, %a, %b;", {"f32", "f32", "f32"}, {0, 0x80000000}) ==
          std::vector<u64>{0x80000000});
}
