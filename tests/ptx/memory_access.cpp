// Loads, stores, atomic operations, and conversions of addresses; vectors that are packed in one register.
#include <cmath>
#include <cstring>

#include "ptx/table.hpp"

namespace ptx {
namespace {

u64 address_of(Warp& warp, Instruction const& i, int lane) {
    u64 const base = warp.slot(i.source[0])[lane];
    return i.wide ? base + u64(i.offset) : u32(base + u64(i.offset));  // those of 32 bits wrap around
}

template <class T>
void load(Warp& warp, Instruction const& i, u32 lanes) {
    for_each(lanes, [&](int l) {
        u8 const* const place =
            access(warp, i, l, address_of(warp, i, l), u32(sizeof(T)) * i.elements, Kind::read);
        for (u32 k = 0; k < i.elements; ++k) {
            T value;
            std::memcpy(&value, place + k * sizeof(T), sizeof(T));
            warp.slot(i.vector[k])[l] = slot_of(value);
        }
    });
}
template <class T>
void store(Warp& warp, Instruction const& i, u32 lanes) {
    for_each(lanes, [&](int l) {
        u8* const place =
            access(warp, i, l, address_of(warp, i, l), u32(sizeof(T)) * i.elements, Kind::write);
        for (u32 k = 0; k < i.elements; ++k) {
            T const value = T(warp.slot(i.vector[k])[l]);
            std::memcpy(place + k * sizeof(T), &value, sizeof(T));
        }
    });
}

/// F(what is in memory, second operand, third) is there afterwards; lanes follow each other.
template <class F, class T>
void change(Warp& warp, Instruction const& i, u32 lanes) {
    for_each(lanes, [&](int l) {
        u8* const place = access(warp, i, l, address_of(warp, i, l), sizeof(T), Kind::both);
        T before;
        std::memcpy(&before, place, sizeof(T));
        T const after =
            F{}(before, value_of<T>(warp.slot(i.source[1])[l]), value_of<T>(warp.slot(i.source[2])[l]));
        std::memcpy(place, &after, sizeof(T));
        warp.slot(i.result)[l] = slot_of(before);
    });
}
struct Add {
    template <class T>
    T operator()(T a, T b, T) const {
        if constexpr (std::is_floating_point_v<T>) return a + b;
        else return T(u64(a) + u64(b));
    }
};
struct Minimum {
    template <class T>
    T operator()(T a, T b, T) const {
        return b < a ? b : a;
    }
};
struct Maximum {
    template <class T>
    T operator()(T a, T b, T) const {
        return b > a ? b : a;
    }
};
struct And {
    template <class T>
    T operator()(T a, T b, T) const {
        return a & b;
    }
};
struct Or {
    template <class T>
    T operator()(T a, T b, T) const {
        return a | b;
    }
};
struct ExclusiveOr {
    template <class T>
    T operator()(T a, T b, T) const {
        return a ^ b;
    }
};
struct Exchange {
    template <class T>
    T operator()(T, T b, T) const {
        return b;
    }
};
struct CompareAndSwap {
    template <class T>
    T operator()(T a, T b, T c) const {
        return a == b ? c : a;
    }
};
struct Increment {
    u32 operator()(u32 a, u32 b, u32) const { return a >= b ? 0 : a + 1; }
};
struct Decrement {
    u32 operator()(u32 a, u32 b, u32) const { return a == 0 || a > b ? b : a - 1; }
};

/// Generic addresses to those of a space and back: the window's begin is in the offset.
void move_address(Warp& warp, Instruction const& i, u32 lanes) {
    for_many(lanes, [&](int l) { warp.slot(i.result)[l] = warp.slot(i.source[0])[l] + u64(i.offset); });
}
void is_in_window(Warp& warp, Instruction const& i, u32 lanes) {
    u64 const* const address = warp.slot(i.source[0]);
    warp.put(i.predicate_result[0], lanes,
             those(lanes, [&](int l) { return address[l] >> 56 == u64(i.offset) >> 56; }));
}

void pack(Warp& warp, Instruction const& i, u32 lanes) {
    u64 const mask = (1ULL << i.bits) - 1;
    for_many(lanes, [&](int l) {
        u64 whole = 0;
        for (u32 k = 0; k < i.elements; ++k) whole |= (warp.slot(i.vector[k])[l] & mask) << (k * i.bits);
        warp.slot(i.result)[l] = whole;
    });
}
void unpack(Warp& warp, Instruction const& i, u32 lanes) {
    u64 const mask = (1ULL << i.bits) - 1;
    for_many(lanes, [&](int l) {
        u64 const whole = warp.slot(i.source[0])[l];
        for (u32 k = 0; k < i.elements; ++k) warp.slot(i.vector[k])[l] = whole >> (k * i.bits) & mask;
    });
}

template <class T>
void add_access(Table& table, char kind) {
    table.emplace(named<T>("ld", kind), form(&load<T>, {{{Role::loaded, bits_of<T>}, {Role::address}}}));
    table.emplace(named<T>("st", kind),
                  form(&store<T>, {{{Role::address}, {Role::stored, bits_of<T>}}}));
}
template <class F, class T>
void add_atomic(Table& table, std::string_view name, char kind = kind_of<T>) {
    Part const source{Role::source, bits_of<T>},
        third = std::is_same_v<F, CompareAndSwap> ? source : Part();
    Form known = form(&change<F, T>, {{{Role::result, bits_of<T>}, {Role::address}, source, third}});
    known.model.strong = true;
    table.emplace(named<T>(fmt::format("atom.{}", name), kind), known);
    known.parts = {{{Role::address}, source, third}};
    table.emplace(named<T>(fmt::format("red.{}", name), kind), known);
}
template <class T>
void add_atomics(Table& table) {
    using S = std::make_signed_t<T>;
    add_atomic<Add, T>(table, "add");
    add_atomic<Add, S>(table, "add");
    add_atomic<Minimum, T>(table, "min");
    add_atomic<Minimum, S>(table, "min");
    add_atomic<Maximum, T>(table, "max");
    add_atomic<Maximum, S>(table, "max");
    add_atomic<And, T>(table, "and", 'b');
    add_atomic<Or, T>(table, "or", 'b');
    add_atomic<ExclusiveOr, T>(table, "xor", 'b');
    add_atomic<Exchange, T>(table, "exch", 'b');
    add_atomic<CompareAndSwap, T>(table, "cas", 'b');
}
void add_address(Table& table, std::string const& space, u64 window) {
    Part const result{Role::result, 64}, source{Role::source, 64};
    Form known = form(&move_address, {{result, source}});
    known.model.offset = s64(window);
    table.emplace("cvta." + space + ".u64", known);
    known.model.offset = -s64(window);
    table.emplace("cvta.to." + space + ".u64", known);
    known = form(&is_in_window, {{{Role::predicates}, source}});
    known.model.offset = s64(window);
    table.emplace("isspacep." + space, known);
}

}  // namespace

void add_memory(Table& table) {
    for (char const kind : {'b', 'u'}) {
        add_access<u8>(table, kind);
        add_access<u16>(table, kind);
        add_access<u32>(table, kind);
        add_access<u64>(table, kind);
    }
    add_access<s8>(table, 's');
    add_access<s16>(table, 's');
    add_access<s32>(table, 's');
    add_access<s64>(table, 's');
    add_access<u32>(table, 'f');
    add_access<u64>(table, 'f');
    add_atomics<u32>(table);
    add_atomics<u64>(table);
    add_atomic<CompareAndSwap, u16>(table, "cas", 'b');
    add_atomic<Add, float>(table, "add");
    add_atomic<Add, double>(table, "add");
    add_atomic<Increment, u32>(table, "inc");
    add_atomic<Decrement, u32>(table, "dec");
    add_address(table, "shared", shared_window);
    add_address(table, "local", local_window);
    add_address(table, "param", parameter_window);
    add_address(table, "global", 0);
    add_address(table, "const", 0);
    for (char const kind :
         {'b', 'u', 's', 'f'}) {  // decoding sets how many elements of how many bits there are
        for (u8 const bits : {u8(32), u8(64)}) {
            table.emplace(fmt::format("pack.{}{}", kind, bits),
                          form(&pack, {{{Role::result, bits}, {Role::stored}}}));
            table.emplace(fmt::format("unpack.{}{}", kind, bits),
                          form(&unpack, {{{Role::loaded}, {Role::source, bits}}}));
        }
    }
}

}  // namespace ptx
