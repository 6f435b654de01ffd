// Logic, shifts, fields, counts, permutations, choices and moves against their definitions.
#include <doctest/doctest.h>

#include <algorithm>

#include "ptx/unit/run.hpp"

namespace {

using namespace ptx;

template <class T>
std::string bits_name(std::string const& operation, char kind = 'b') {
    return operation + "." + kind + std::to_string(8 * sizeof(T));
}
template <class T>
T bit(u32 k) {
    return k < 8 * sizeof(T) ? T(T(1) << k) : T(0);
}

template <class T>
void logic() {
    using S = std::make_signed_t<T>;
    static constexpr u32 width = 8 * sizeof(T);
    compare<T, T, T>(bits_name<T>("and") + " %x, %a, %b;", [](T a, T b) { return T(a & b); });
    compare<T, T, T>(bits_name<T>("or") + " %x, %a, %b;", [](T a, T b) { return T(a | b); });
    compare<T, T, T>(bits_name<T>("xor") + " %x, %a, %b;", [](T a, T b) { return T(a ^ b); });
    compare<T, T>(bits_name<T>("not") + " %x, %a;", [](T a) { return T(~a); });
    compare<T, T>(bits_name<T>("cnot") + " %x, %a;", [](T a) { return T(a == 0); });
    compare<T, T>(bits_name<T>("mov", 'u') + " %x, %a;", [](T a) { return a; });
    compare<T, T, u32>(bits_name<T>("shl") + " %x, %a, %b;",
                       [](T a, u32 by) { return by >= width ? T(0) : T(a << by); });
    compare<T, T, u32>(bits_name<T>("shr", 'u') + " %x, %a, %b;",
                       [](T a, u32 by) { return by >= width ? T(0) : T(a >> by); });
    compare<S, S, u32>(bits_name<T>("shr", 's') + " %x, %a, %b;",
                       [](S a, u32 by) { return S(a >> std::min(by, width - 1)); });
    compare<T, T, T, u32>("setp.ne.u32 %p2, %c, 0;\n" + bits_name<T>("selp") + " %x, %a, %b, %p2;",
                          [](T a, T b, u32 c) { return c != 0 ? a : b; });
}

template <class T>
u32 highest(T a) {
    for (u32 k = 8 * sizeof(T); k-- > 0;)
        if ((a & bit<T>(k)) != 0) return k;
    return ~0U;
}
template <class T>
void fields() {
    using S = std::make_signed_t<T>;
    static constexpr u32 width = 8 * sizeof(T);
    compare<u32, T>(bits_name<T>("popc") + " %x, %a;", [](T a) {
        u32 count = 0;
        for (u32 k = 0; k < width; ++k) count += (a & bit<T>(k)) != 0;
        return count;
    });
    compare<u32, T>(bits_name<T>("clz") + " %x, %a;", [](T a) { return width - 1 - highest(a); });
    compare<T, T>(bits_name<T>("brev") + " %x, %a;", [](T a) {
        T result = 0;
        for (u32 k = 0; k < width; ++k)
            if ((a & bit<T>(k)) != 0) result |= bit<T>(width - 1 - k);
        return result;
    });
    compare<u32, T>(bits_name<T>("bfind", 'u') + " %x, %a;", [](T a) { return highest(a); });
    compare<u32, S>(bits_name<T>("bfind", 's') + " %x, %a;",
                    [](S a) { return highest(T(a < 0 ? ~a : a)); });
    compare<u32, T>(bits_name<T>("bfind.shiftamt", 'u') + " %x, %a;",
                    [](T a) { return a == 0 ? ~0U : width - 1 - highest(a); });
    compare<T, T, u32, u32>(bits_name<T>("bfe", 'u') + " %x, %a, %b, %c;",
                            [](T a, u32 from, u32 length) {
                                from &= 255, length &= 255;
                                T const field = from >= width ? T(0) : T(a >> from);
                                return length >= width ? field : T(field & (bit<T>(length) - 1));
                            });
    compare<S, S, u32, u32>(bits_name<T>("bfe", 's') + " %x, %a, %b, %c;",
                            [](S a, u32 from, u32 length) {
                                from &= 255, length &= 255;
                                if (length == 0) return S(0);
                                S const field = S(a >> std::min(from, width - 1));
                                u32 const unused = width - std::min(length, width);
                                return S(S(T(field) << unused) >> unused);
                            });
    compare<T, T, T, u32, u32>(
        bits_name<T>("bfi") + " %x, %a, %b, %c, %d;", [](T field, T a, u32 from, u32 length) {
            for (u32 k = 0; k < width; ++k)
                if (k >= (from & 255) && k - (from & 255) < (length & 255))
                    a = T((a & ~bit<T>(k)) | ((field & bit<T>(k - (from & 255))) != 0 ? bit<T>(k) : 0));
            return a;
        });
}

}  // namespace

TEST_CASE("ptx: logic, shifts and choices") {
    logic<u16>();
    logic<u32>();
    logic<u64>();
    compare<double, double>("mov.f64 %x, %a;", [](double a) { return a; });
}

TEST_CASE("ptx: fields and counts") {
    fields<u32>();
    fields<u64>();
}

TEST_CASE("ptx: funnel shifts") {
    auto const left = [](u32 low, u32 high, u32 n) {
        return n == 0 ? high : n == 32 ? low : high << n | low >> (32 - n);
    };
    auto const right = [](u32 low, u32 high, u32 n) {
        return n == 0 ? low : n == 32 ? high : high << (32 - n) | low >> n;
    };
    compare<u32, u32, u32, u32>("shf.l.wrap.b32 %x, %a, %b, %c;",
                                [&](u32 a, u32 b, u32 c) { return left(a, b, c & 31); });
    compare<u32, u32, u32, u32>("shf.l.clamp.b32 %x, %a, %b, %c;",
                                [&](u32 a, u32 b, u32 c) { return left(a, b, std::min(c, 32U)); });
    compare<u32, u32, u32, u32>("shf.r.wrap.b32 %x, %a, %b, %c;",
                                [&](u32 a, u32 b, u32 c) { return right(a, b, c & 31); });
    compare<u32, u32, u32, u32>("shf.r.clamp.b32 %x, %a, %b, %c;",
                                [&](u32 a, u32 b, u32 c) { return right(a, b, std::min(c, 32U)); });
}

TEST_CASE("ptx: tables of three bits") {
    // 0xf0, 0xcc and 0xaa are the three operands themselves, so each table is what it does to them.
    for (u32 table = 0; table < 256; ++table) {
        std::string const code = "lop3.b32 %x, %a, %b, %c, " + std::to_string(table) + ";";
        std::vector<u64> const result = evaluate(code, {"b32", "b32", "b32", "b32"}, {0xf0, 0xcc, 0xaa});
        CHECK_MESSAGE((result[0] & 255) == table, code);
    }
    compare<u32, u32, u32, u32>("lop3.b32 %x, %a, %b, %c, 0x96;",
                                [](u32 a, u32 b, u32 c) { return a ^ b ^ c; });
    compare<u32, u32, u32, u32>("lop3.b32 %x, %a, %b, %c, 0xea;",
                                [](u32 a, u32 b, u32 c) { return (a & b) | c; });
}

TEST_CASE("ptx: permutations of bytes") {
    compare<u32, u32, u32, u32>("prmt.b32 %x, %a, %b, %c;", [](u32 a, u32 b, u32 c) {
        u32 result = 0;
        for (u32 k = 0; k < 4; ++k) {
            u32 const from = c >> 4 * k & 7,
                      byte = (from < 4 ? a >> 8 * from : b >> 8 * (from - 4)) & 255;
            result |= ((c >> 4 * k & 8) == 0 ? byte : (byte & 128) != 0 ? 255U : 0U) << 8 * k;
        }
        return result;
    });
    CHECK(evaluate("prmt.b32 %x, %a, %b, 0x3276;", {"b32", "b32", "b32"}, {0x44332211, 0x88776655}) ==
          std::vector<u64>{0x44338877});
}

TEST_CASE("ptx: registers in registers") {
    compare<u64, u32, u32>("mov.b64 %x, {%a, %b};", [](u32 a, u32 b) { return u64(b) << 32 | a; });
    compare<u32, u64>("{ .reg .b32 %l; mov.b64 {%l, %x}, %a; }", [](u64 a) { return u32(a >> 32); });
    compare<u32, u64>("mov.b64 {%x, _}, %a;", [](u64 a) { return u32(a); });
    compare<u32, u16, u16>("mov.b32 %x, {%a, %b};", [](u16 a, u16 b) { return u32(b) << 16 | a; });
    compare<u16, u64>("{ .reg .b16 %l; mov.b64 {%l, %l, %x, %l}, %a; }",
                      [](u64 a) { return u16(a >> 32); });
}

TEST_CASE("ptx: predicates") {
    auto const set = "setp.ne.u32 %p2, %a, 0;\nsetp.ne.u32 %p3, %b, 0;\n";
    auto const get = " selp.u32 %x, 1, 0, %p4;";
    auto const yes = [](auto const& f) { return [f](u32 a, u32 b) { return u32(f(a != 0, b != 0)); }; };
    compare<u32, u32, u32>(std::string(set) + "and.pred %p4, %p2, %p3;" + get,
                           yes([](bool a, bool b) { return a && b; }));
    compare<u32, u32, u32>(std::string(set) + "or.pred %p4, %p2, %p3;" + get,
                           yes([](bool a, bool b) { return a || b; }));
    compare<u32, u32, u32>(std::string(set) + "xor.pred %p4, %p2, %p3;" + get,
                           yes([](bool a, bool b) { return a != b; }));
    compare<u32, u32, u32>(std::string(set) + "not.pred %p4, %p2;" + get,
                           yes([](bool a, bool) { return !a; }));
    compare<u32, u32, u32>(std::string(set) + "mov.pred %p4, %p3;" + get,
                           yes([](bool, bool b) { return b; }));
    compare<u32, u32>("mov.pred %p4, -1;" + std::string(get), [](u32) { return 1U; });
    compare<u32, u32, u32>("mov.b32 %x, 5;\nsetp.ne.u32 %p2, %a, 0;\n@!%p2 mov.b32 %x, %b;",
                           [](u32 a, u32 b) { return a != 0 ? 5U : b; });
}
