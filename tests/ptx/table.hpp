// Which instructions there are: tables from their names to what they do.
#pragma once
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "ptx/warp.hpp"

namespace ptx {

/// What an operand is: a register of so many bits that takes the result or is read, a mask of lanes, a predicate or a pair of them that
/// take a result, a predicate that is read, a number, an address, or what is loaded and stored: a register or a vector of them.
enum class Role : u8 {
    none,
    result,
    source,
    members,
    predicates,
    predicate,
    immediate,
    address,
    loaded,
    stored
};
struct Part {
    Role role = Role::none;
    u8 bits = 0;
};
using Parts = std::array<Part, 5>;

/// What an instruction does, and what its operands are in their order.
struct Form {
    Instruction model{};  ///< without operands
    Parts parts{};
};
inline Form form(Operation operation, Parts const& parts) {
    Form result;
    result.model.operation = operation;
    result.parts = parts;
    return result;
}
/// By an instruction's whole name, such as mad.wide.u16. Names of what accesses memory lack spaces, orders and hints for caches.
using Table = std::unordered_map<std::string, Form>;

void add_arithmetic(Table& table);
void add_bits(Table& table);
void add_comparisons(Table& table);
void add_conversions(Table& table);
void add_meetings(Table& table);
void add_memory(Table& table);

template <class T>
inline constexpr u8 bits_of = u8(8 * sizeof(T));
template <class T>
inline constexpr char kind_of = std::is_floating_point_v<T> ? 'f'
                                : std::is_signed_v<T>       ? 's'
                                                            : 'u';

template <class... T>
struct Types {};
using Integers = Types<u16, s16, u32, s32, u64, s64>;
using Signed = Types<s16, s32, s64>;
using Bits = Types<u16, u32, u64>;
using Words = Types<u32, u64>;
using Floats = Types<float, double>;

/// name.u32, or name.b32 for those of kind b.
template <class T>
std::string named(std::string_view name, char kind = kind_of<T>) {
    return fmt::format("{}.{}{}", name, kind, bits_of<T>);
}

/// result = F(sources...) on each lane.
template <class F, class Result, class... Sources>
void apply(Warp& warp, Instruction const& i, u32 lanes) {
    u64* const result = warp.slot(i.result);
    [&]<std::size_t... n>(std::index_sequence<n...>) {
        std::array<u64 const*, sizeof...(n)> const source{warp.slot(i.source[n])...};
        for_many(lanes,
                 [&](int l) { result[l] = slot_of(Result(F{}(value_of<Sources>(source[n][l])...))); });
    }
    (std::index_sequence_for<Sources...>());
}
template <class F, class Result, class... Sources>
void add(Table& table, std::string name, Rounding rounding = Rounding::nearest) {
    Form known = form(&apply<F, Result, Sources...>,
                      {{{Role::result, bits_of<Result>}, {Role::source, bits_of<Sources>}...}});
    known.model.rounding = rounding;
    table.emplace(std::move(name), known);
}

// name.T for each type: functions of one, two and three values of it.
template <class F, class... T>
void add_unary(Table& table, std::string_view name, Types<T...>) {
    (add<F, T, T>(table, named<T>(name)), ...);
}
template <class F, class... T>
void add_binary(Table& table, std::string_view name, Types<T...>) {
    (add<F, T, T, T>(table, named<T>(name)), ...);
}
template <class F, class... T>
void add_ternary(Table& table, std::string_view name, Types<T...>) {
    (add<F, T, T, T, T>(table, named<T>(name)), ...);
}

}  // namespace ptx
