// Comparisons: setp, which combines its result with a predicate.
#include <array>
#include <cmath>

#include "ptx/table.hpp"

namespace ptx {
namespace {

enum class Combine : u8 { nothing, conjunction, disjunction, difference };

/// A pair of predicates takes the comparison and its opposite, both combined.
void put_both(Warp& warp, Instruction const& i, u32 lanes, u32 found) {
    u32 const other = warp.get(i.predicate[0]);
    auto const combined = [&](u32 mine) {
        switch (Combine(i.immediate)) {
            case Combine::conjunction:
                return mine & other;
            case Combine::disjunction:
                return mine | other;
            case Combine::difference:
                return mine ^ other;
            default:
                return mine;
        }
    };
    u32 const first = combined(found), second = combined(~found);
    warp.put(i.predicate_result[0], lanes, first);
    warp.put(i.predicate_result[1], lanes, second);
}

struct Equal {
    template <class T>
    bool operator()(T a, T b) const {
        return a == b;
    }
};
struct Less {
    template <class T>
    bool operator()(T a, T b) const {
        return a < b;
    }
};
struct LessOrEqual {
    template <class T>
    bool operator()(T a, T b) const {
        return a <= b;
    }
};
struct Numbers {
    template <class T>
    bool operator()(T a, T b) const {
        return !std::isnan(a) && !std::isnan(b);
    }
};
/// Not F, and so true for floats that aren't numbers.
template <class F>
struct Opposite {
    template <class T>
    bool operator()(T a, T b) const {
        return !F{}(a, b);
    }
};
template <class F>
struct Swapped {
    template <class T>
    bool operator()(T a, T b) const {
        return F{}(b, a);
    }
};
struct Different {
    template <class T>
    bool operator()(T a, T b) const {
        return a < b || a > b;
    }
};

template <class T, class F>
void compare(Warp& warp, Instruction const& i, u32 lanes) {
    u64 const *const a = warp.slot(i.source[0]), *const b = warp.slot(i.source[1]);
    put_both(warp, i, lanes,
             those(lanes, [&](int l) { return F{}(value_of<T>(a[l]), value_of<T>(b[l])); }));
}
template <class T, class F>
void add_comparison(Table& table, std::string_view name, char kind) {
    constexpr std::array<std::string_view, 4> combinations = {"", ".and", ".or", ".xor"};
    for (u32 k = 0; k < combinations.size(); ++k) {
        Part const source{Role::source, bits_of<T>};
        Form known = form(&compare<T, F>, {{{Role::predicates}, source, source}});
        known.model.immediate = k;
        if (k != u32(Combine::nothing)) known.parts[3] = {Role::predicate};
        table.emplace(named<T>(fmt::format("setp.{}{}", name, combinations[k]), kind), known);
    }
}
template <class T>
void add_ordered(Table& table) {
    char const kind = kind_of<T>;
    add_comparison<T, Equal>(table, "eq", kind);
    add_comparison<T, Less>(table, "lt", kind);
    add_comparison<T, LessOrEqual>(table, "le", kind);
    add_comparison<T, Swapped<Less>>(table, "gt", kind);
    add_comparison<T, Swapped<LessOrEqual>>(table, "ge", kind);
}
template <class T>
void add_integers(Table& table) {
    using S = std::make_signed_t<T>;
    add_ordered<T>(table);
    add_ordered<S>(table);
    for (char const kind : {'b', 'u', 's'}) {
        add_comparison<T, Equal>(table, "eq", kind);
        add_comparison<T, Opposite<Equal>>(table, "ne", kind);
    }
    add_comparison<T, Less>(table, "lo", 'u');
    add_comparison<T, LessOrEqual>(table, "ls", 'u');
    add_comparison<T, Swapped<Less>>(table, "hi", 'u');
    add_comparison<T, Swapped<LessOrEqual>>(table, "hs", 'u');
}
template <class T>
void add_floats(Table& table) {
    add_ordered<T>(table);
    add_comparison<T, Different>(table, "ne", 'f');
    add_comparison<T, Opposite<Different>>(table, "equ", 'f');
    add_comparison<T, Opposite<Equal>>(table, "neu", 'f');
    add_comparison<T, Opposite<Swapped<LessOrEqual>>>(table, "ltu", 'f');
    add_comparison<T, Opposite<Swapped<Less>>>(table, "leu", 'f');
    add_comparison<T, Opposite<LessOrEqual>>(table, "gtu", 'f');
    add_comparison<T, Opposite<Less>>(table, "geu", 'f');
    add_comparison<T, Numbers>(table, "num", 'f');
    add_comparison<T, Opposite<Numbers>>(table, "nan", 'f');
}

}  // namespace

void add_comparisons(Table& table) {
    add_integers<u16>(table);
    add_integers<u32>(table);
    add_integers<u64>(table);
    add_floats<float>(table);
    add_floats<double>(table);
}

}  // namespace ptx
