// How a key is stored where keys are compared most: such that one instruction compares them.
#pragma once
#include <cstdint>
#include <type_traits>

#include "zwalk/core/bits.hpp"
#include "zwalk/core/key.hpp"

namespace zwalk::inline v0 {

template <class T>
struct KeySlot {
    using type = Key<T>;
    static ZWALK_INLINE type pack(Key<T> key) { return key; }
    static ZWALK_INLINE Key<T> unpack(type slot) { return slot; }
    /// A slot before that of every key.
    static ZWALK_INLINE type first() { return {T(-1), 0}; }
};
/// A float key in one integer: d2 >= 0, so its bits order like its value.
template <>
struct KeySlot<float> {
    using type = std::int64_t;
    static ZWALK_INLINE type pack(Key<float> key) {
        return type(std::uint64_t(bit_cast_to<std::uint32_t>(key.d2)) << 32 | key.pos);
    }
    static ZWALK_INLINE Key<float> unpack(type slot) {
        return {bit_cast_to<float>(std::uint32_t(std::uint64_t(slot) >> 32)),
                pos_t(std::uint64_t(slot))};
    }
    static ZWALK_INLINE type first() { return -1; }
};

/// One of two slots, member by member: `?:` on structs chooses between their addresses, which keeps them out of
/// registers.
template <class S>
ZWALK_INLINE S choose_slot(bool first, S const& a, S const& b) {
    if constexpr (std::is_integral_v<S>) return first ? a : b;
    else return {first ? a.d2 : b.d2, first ? a.pos : b.pos};
}
/// a, b = the smaller one, the larger one.
template <class S>
ZWALK_INLINE void put_in_order(S& a, S& b) {
    S const x = a, y = b;
    bool const swap = y < x;
    a = choose_slot(swap, y, x);
    b = choose_slot(swap, x, y);
}

}  // namespace zwalk::inline v0
