// What is done to bits: logic, shifts, fields, counts, permutations; and moves.
#include <algorithm>
#include <bit>

#include "ptx/table.hpp"

namespace ptx {
namespace {

struct And {
    template <class T>
    T operator()(T a, T b) const {
        return T(a & b);
    }
};
struct Or {
    template <class T>
    T operator()(T a, T b) const {
        return T(a | b);
    }
};
struct ExclusiveOr {
    template <class T>
    T operator()(T a, T b) const {
        return T(a ^ b);
    }
};
struct Not {
    template <class T>
    T operator()(T a) const {
        return T(~a);
    }
};
struct IsZero {
    template <class T>
    T operator()(T a) const {
        return T(a == 0);
    }
};
struct Itself {
    template <class T>
    T operator()(T a) const {
        return a;
    }
};
// Shifts beyond the width are by the width.
struct ShiftLeft {
    template <class T>
    T operator()(T a, u32 by) const {
        return by >= bits_of<T> ? T(0) : T(u64(a) << by);
    }
};
struct ShiftRight {
    template <class T>
    T operator()(T a, u32 by) const {
        return T(a >> std::min<u32>(by, bits_of<T> - 1) >> u32(by >= bits_of<T>));
    }
};
template <bool left, bool wraps>
struct FunnelShift {
    u32 operator()(u32 low, u32 high, u32 by) const {
        u64 const both = u64(high) << 32 | low;
        u32 const n = wraps ? by & 31 : std::min(by, 32U);
        return left ? u32(both << n >> 32) : u32(both >> n);
    }
};
struct CountOnes {
    template <class T>
    u32 operator()(T a) const {
        return u32(std::popcount(a));
    }
};
struct CountLeadingZeros {
    template <class T>
    u32 operator()(T a) const {
        return u32(std::countl_zero(a));
    }
};
/// The highest bit that differs from the sign, or how far a shift to the left brings it to the top. All ones: there is none.
template <bool shift>
struct FindHighest {
    template <class T>
    u32 operator()(T a) const {
        using U = std::make_unsigned_t<T>;
        U const x = std::is_signed_v<T> && U(a) >> (bits_of<T> - 1) != 0 ? U(~U(a)) : U(a);
        if (x == 0) return ~0U;
        u32 const zeros = u32(std::countl_zero(x));
        return shift ? zeros : bits_of<T> - 1U - zeros;
    }
};
struct Reverse {
    template <class T>
    T operator()(T a) const {
        T result = 0;
        for (u32 k = 0; k < bits_of<T>; ++k) result = T(result << 1 | (a >> k & 1));
        return result;
    }
};
/// `length` bits from `from` on, above which the sign of the field is repeated; a field may reach beyond the top.
struct ExtractField {
    template <class T>
    T operator()(T a, u32 from, u32 length) const {
        using U = std::make_unsigned_t<T>;
        constexpr u32 top = bits_of<T> - 1;
        from &= 255;
        length &= 255;
        if (length == 0) return 0;
        bool const fill = std::is_signed_v<T> && (U(a) >> std::min(from + length - 1, top) & 1) != 0;
        U result = 0;
        for (u32 k = 0; k <= top; ++k) {
            bool const bit = k < length && from + k <= top ? (U(a) >> (from + k) & 1) != 0 : fill;
            result |= U(U(bit) << k);
        }
        return T(result);
    }
};
struct InsertField {
    template <class T>
    T operator()(T field, T a, u32 from, u32 length) const {
        from &= 255;
        length &= 255;
        for (u32 k = 0; k < length && from + k < bits_of<T>; ++k) {
            T const bit = T(T(1) << (from + k));
            a = T((a & ~bit) | ((field >> k & 1) != 0 ? bit : 0));
        }
        return a;
    }
};
/// Each byte of the result is one of eight, or its sign eight times.
struct Permute {
    u32 operator()(u32 a, u32 b, u32 selectors) const {
        u64 const bytes = u64(b) << 32 | a;
        u32 result = 0;
        for (u32 k = 0; k < 4; ++k) {
            u32 const selector = selectors >> (4 * k) & 15;
            u32 byte = u32(bytes >> (8 * (selector & 7))) & 255;
            if ((selector & 8) != 0) byte = byte >= 128 ? 255 : 0;
            result |= byte << (8 * k);
        }
        return result;
    }
};

/// Bit 4 a + 2 b + c of the table is the result for bits a, b and c.
void look_up(Warp& warp, Instruction const& i, u32 lanes) {
    u64 *const result = warp.slot(i.result), *const x = warp.slot(i.source[0]);
    u64 *const y = warp.slot(i.source[1]), *const z = warp.slot(i.source[2]);
    for_many(lanes, [&](int l) {
        u64 bits = 0;
        for (u32 k = 0; k < 8; ++k) {
            u64 const a = (k & 4) != 0 ? x[l] : ~x[l], b = (k & 2) != 0 ? y[l] : ~y[l],
                      c = (k & 1) != 0 ? z[l] : ~z[l];
            bits |= (i.immediate >> k & 1) != 0 ? a & b & c : 0;
        }
        result[l] = bits;
    });
}

template <class F>
void on_predicates(Warp& warp, Instruction const& i, u32 lanes) {
    warp.put(i.predicate_result[0], lanes, F{}(warp.get(i.predicate[0]), warp.get(i.predicate[1])));
}
struct First {
    u32 operator()(u32 a, u32) const { return a; }
};
struct NotFirst {
    u32 operator()(u32 a, u32) const { return ~a; }
};
void choose(Warp& warp, Instruction const& i, u32 lanes) {
    u64 *const result = warp.slot(i.result), *const a = warp.slot(i.source[0]),
               *const b = warp.slot(i.source[1]);
    u32 const first = warp.get(i.predicate[0]);
    for_many(lanes, [&](int l) { result[l] = (first >> l & 1) != 0 ? a[l] : b[l]; });
}

template <class T>
void add_moves(Table& table, char kind) {
    Part const result{Role::result, bits_of<T>}, source{Role::source, bits_of<T>};
    table.emplace(named<T>("mov", kind), form(&apply<Itself, u64, u64>, {{result, source}}));
    table.emplace(named<T>("selp", kind), form(&choose, {{result, source, source, {Role::predicate}}}));
}
template <class T>
void add_logic(Table& table) {
    add<And, T, T, T>(table, named<T>("and", 'b'));
    add<Or, T, T, T>(table, named<T>("or", 'b'));
    add<ExclusiveOr, T, T, T>(table, named<T>("xor", 'b'));
    add<Not, T, T>(table, named<T>("not", 'b'));
    add<IsZero, T, T>(table, named<T>("cnot", 'b'));
    add<ShiftLeft, T, T, u32>(table, named<T>("shl", 'b'));
    add<ShiftRight, T, T, u32>(table, named<T>("shr", 'b'));
    add<ShiftRight, T, T, u32>(table, named<T>("shr"));
    using S = std::make_signed_t<T>;
    add<ShiftRight, S, S, u32>(table, named<S>("shr"));
    for (char const kind : {'b', 'u', 's'}) add_moves<T>(table, kind);
    if (bits_of < T >> 16) add_moves<T>(table, 'f');
}
template <class T>
void add_fields(Table& table) {
    using S = std::make_signed_t<T>;
    add<CountOnes, u32, T>(table, named<T>("popc", 'b'));
    add<CountLeadingZeros, u32, T>(table, named<T>("clz", 'b'));
    add<Reverse, T, T>(table, named<T>("brev", 'b'));
    add<InsertField, T, T, T, u32, u32>(table, named<T>("bfi", 'b'));
    add<ExtractField, T, T, u32, u32>(table, named<T>("bfe"));
    add<ExtractField, S, S, u32, u32>(table, named<S>("bfe"));
    add<FindHighest<false>, u32, T>(table, named<T>("bfind"));
    add<FindHighest<false>, u32, S>(table, named<S>("bfind"));
    add<FindHighest<true>, u32, T>(table, named<T>("bfind.shiftamt"));
    add<FindHighest<true>, u32, S>(table, named<S>("bfind.shiftamt"));
}

}  // namespace

void add_bits(Table& table) {
    add_logic<u16>(table);
    add_logic<u32>(table);
    add_logic<u64>(table);
    add_fields<u32>(table);
    add_fields<u64>(table);
    add<FunnelShift<true, true>, u32, u32, u32, u32>(table, "shf.l.wrap.b32");
    add<FunnelShift<true, false>, u32, u32, u32, u32>(table, "shf.l.clamp.b32");
    add<FunnelShift<false, true>, u32, u32, u32, u32>(table, "shf.r.wrap.b32");
    add<FunnelShift<false, false>, u32, u32, u32, u32>(table, "shf.r.clamp.b32");
    add<Permute, u32, u32, u32, u32>(table, "prmt.b32");
    Part const word{Role::source, 32}, predicate{Role::predicate}, to_predicate{Role::predicates};
    table.emplace("lop3.b32",
                  form(&look_up, {{{Role::result, 32}, word, word, word, {Role::immediate}}}));
    table.emplace("and.pred", form(&on_predicates<And>, {{to_predicate, predicate, predicate}}));
    table.emplace("or.pred", form(&on_predicates<Or>, {{to_predicate, predicate, predicate}}));
    table.emplace("xor.pred", form(&on_predicates<ExclusiveOr>, {{to_predicate, predicate, predicate}}));
    table.emplace("not.pred", form(&on_predicates<NotFirst>, {{to_predicate, predicate}}));
    table.emplace("mov.pred", form(&on_predicates<First>, {{to_predicate, predicate}}));
}

}  // namespace ptx
