// Comparisons and conversions against the host's.
#include <doctest/doctest.h>

#include <algorithm>
#include <cfenv>
#include <functional>

#include "ptx/unit/run.hpp"

namespace {

using namespace ptx;

template <class T>
std::string type_name() {
    return (std::is_floating_point_v<T> ? "f"
            : std::is_signed_v<T>       ? "s"
                                        : "u") +
           std::to_string(8 * sizeof(T));
}

/// setp.NAME for both predicates, alone and combined with a third operand that isn't zero.
template <class T>
void comparison(std::string const& name, std::function<bool(T, T)> const& f,
                std::string const& type = type_name<T>()) {
    std::string const get = "selp.u32 %x, 1, 0, %p3;\n@%p4 add.u32 %x, %x, 2;";
    auto const both = [](bool first, bool second) { return u32(first) + 2 * u32(second); };
    compare<u32, T, T>("setp." + name + "." + type + " %p3|%p4, %a, %b;\n" + get,
                       [&](T a, T b) { return both(f(a, b), !f(a, b)); });
    std::string const third = "setp.ne.u32 %p2, %c, 0;\nsetp." + name;
    compare<u32, T, T, u32>(
        third + ".and." + type + " %p3|%p4, %a, %b, %p2;\n" + get,
        [&](T a, T b, u32 c) { return both(f(a, b) && c != 0, !f(a, b) && c != 0); });
    compare<u32, T, T, u32>(
        third + ".or." + type + " %p3|%p4, %a, %b, !%p2;\n" + get,
        [&](T a, T b, u32 c) { return both(f(a, b) || c == 0, !f(a, b) || c == 0); });
    compare<u32, T, T, u32>(
        third + ".xor." + type + " %p3|%p4, %a, %b, %p2;\n" + get,
        [&](T a, T b, u32 c) { return both(f(a, b) != (c != 0), !f(a, b) != (c != 0)); });
}
template <class T>
void ordered() {
    comparison<T>("eq", [](T a, T b) { return a == b; });
    comparison<T>("lt", [](T a, T b) { return a < b; });
    comparison<T>("le", [](T a, T b) { return a <= b; });
    comparison<T>("gt", [](T a, T b) { return a > b; });
    comparison<T>("ge", [](T a, T b) { return a >= b; });
}
template <class T>
void integers() {
    ordered<T>();
    comparison<T>("ne", [](T a, T b) { return a != b; });
}
template <class T>
void floats() {
    ordered<T>();
    auto const unordered = [](T a, T b) { return std::isnan(a) || std::isnan(b); };
    comparison<T>("ne", [&](T a, T b) { return !unordered(a, b) && a != b; });
    comparison<T>("equ", [&](T a, T b) { return unordered(a, b) || a == b; });
    comparison<T>("neu", [&](T a, T b) { return unordered(a, b) || a != b; });
    comparison<T>("ltu", [&](T a, T b) { return unordered(a, b) || a < b; });
    comparison<T>("leu", [&](T a, T b) { return unordered(a, b) || a <= b; });
    comparison<T>("gtu", [&](T a, T b) { return unordered(a, b) || a > b; });
    comparison<T>("geu", [&](T a, T b) { return unordered(a, b) || a >= b; });
    comparison<T>("num", [&](T a, T b) { return !unordered(a, b); });
    comparison<T>("nan", unordered);
}

// Conversions. Registers are as wide as the result or the operand, but have 16 bits at least.

template <class To, class From>
void between_integers() {
    std::string const types = "." + type_name<To>() + "." + type_name<From>() + " %x, %a;";
    using Wide =
        std::conditional_t<sizeof(To) == 1, std::conditional_t<std::is_signed_v<To>, s16, u16>, To>;
    compare<Wide, From>("cvt" + types, [](From a) { return Wide(To(a)); });
    compare<Wide, From>("cvt.sat" + types, [](From a) {
        __extension__ using s128 = __int128;
        return Wide(std::clamp<s128>(a, std::numeric_limits<To>::min(), std::numeric_limits<To>::max()));
    });
}
template <class To>
void to_integer() {
    between_integers<To, u8>();
    between_integers<To, s8>();
    between_integers<To, u16>();
    between_integers<To, s16>();
    between_integers<To, u32>();
    between_integers<To, s32>();
    between_integers<To, u64>();
    between_integers<To, s64>();
}

struct Mode {
    std::string name;
    int mode;
};
std::vector<Mode> const modes = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

template <class T, class F>
T rounded(int mode, F const& f) {
    std::fesetround(mode);
    T volatile const result = f();
    std::fesetround(FE_TONEAREST);
    return result;
}
template <class To, class From>
void to_float() {
    for (Mode const& m : modes)
        compare<To, From>("cvt." + m.name + "." + type_name<To>() + "." + type_name<From>() + " %x, %a;",
                          [&](From a) {
                              From volatile const value = a;
                              return rounded<To>(m.mode, [&] { return To(value); });
                          });
}
template <class To, class From>
void from_float() {
    using Wide =
        std::conditional_t<sizeof(To) == 1, std::conditional_t<std::is_signed_v<To>, s16, u16>, To>;
    for (Mode const& m : modes)
        compare<Wide, From>(
            "cvt." + m.name + "i." + type_name<To>() + "." + type_name<From>() + " %x, %a;",
            [&](From a) {
                From volatile const value = a;
                From const whole = rounded<From>(m.mode, [&] { return std::nearbyint(value); });
                if (std::isnan(a))
                    return sizeof(To) == 8 || sizeof(From) == 8 ? Wide(To(1) << (8 * sizeof(To) - 1))
                                                                : Wide(0);
                if (whole <= From(std::numeric_limits<To>::min()))
                    return Wide(std::numeric_limits<To>::min());
                if (whole >= From(std::numeric_limits<To>::max()))
                    return Wide(std::numeric_limits<To>::max());
                return Wide(To(whole));
            });
}
template <class F>
void float_conversions() {
    to_float<F, u8>();
    to_float<F, s16>();
    to_float<F, u32>();
    to_float<F, s32>();
    to_float<F, u64>();
    to_float<F, s64>();
    from_float<u8, F>();
    from_float<s8, F>();
    from_float<u16, F>();
    from_float<u32, F>();
    from_float<s32, F>();
    from_float<u64, F>();
    from_float<s64, F>();
    for (Mode const& m : modes)
        compare<F, F>("cvt." + m.name + "i." + type_name<F>() + "." + type_name<F>() + " %x, %a;",
                      [&](F a) {
                          F volatile const value = a;
                          return rounded<F>(m.mode, [&] { return std::nearbyint(value); });
                      });
    compare<F, F>("cvt.sat." + type_name<F>() + "." + type_name<F>() + " %x, %a;",
                  [](F a) { return a > 0 ? std::min(a, F(1)) : F(0); });
}

}  // namespace

TEST_CASE("ptx: comparisons of integers") {
    integers<u16>();
    integers<s16>();
    integers<u32>();
    integers<s32>();
    integers<u64>();
    integers<s64>();
    comparison<u32>("eq", std::equal_to<u32>(), "b32");
    comparison<u64>("ne", std::not_equal_to<u64>(), "b64");
    comparison<u32>("lo", std::less<u32>());
    comparison<u32>("ls", std::less_equal<u32>());
    comparison<u32>("hi", std::greater<u32>());
    comparison<u32>("hs", std::greater_equal<u32>());
}

TEST_CASE("ptx: comparisons of floats") {
    floats<float>();
    floats<double>();
}

TEST_CASE("ptx: conversions between integers") {
    to_integer<u8>();
    to_integer<s8>();
    to_integer<u16>();
    to_integer<s16>();
    to_integer<u32>();
    to_integer<s32>();
    to_integer<u64>();
    to_integer<s64>();
    compare<u32, u64>("cvt.u32.u8 %x, %a;",
                      [](u64 a) { return u32(u8(a)); });  // an operand may be in a wider register
}

TEST_CASE("ptx: conversions of floats") {
    float_conversions<float>();
    float_conversions<double>();
    compare<double, float>("cvt.f64.f32 %x, %a;", [](float a) { return double(a); });
    for (Mode const& m : modes)
        compare<float, double>("cvt." + m.name + ".f32.f64 %x, %a;", [&](double a) {
            double volatile const value = a;
            return rounded<float>(m.mode, [&] { return float(value); });
        });
}
