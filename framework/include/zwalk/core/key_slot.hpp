// How a key is stored where keys are compared most: such that one instruction or two compare them.
#pragma once
#include <cstdint>

#include "zwalk/core/bits.hpp"
#include "zwalk/core/key.hpp"

namespace zwalk { inline namespace v0 {

template <class T>
struct KeySlot {
    using type = Key<T>;
    static ZWALK_INLINE type pack(Key<T> key) { return key; }
    static ZWALK_INLINE Key<T> unpack(type slot) { return slot; }
    /// A slot before that of every key.
    static ZWALK_INLINE type first() { return {T(-1), 0}; }
};

/// A float key as one integer: d2 >= 0, so its bits order like its value. In two halves, because nvcc would make a
/// minimum and a maximum of integers out of what compares once and chooses twice, with two comparisons.
struct PackedKey {
    std::uint32_t pos, d2;

    [[nodiscard]] ZWALK_INLINE std::int64_t number() const {
        return std::int64_t(std::uint64_t(d2) << 32 | pos);
    }
    ZWALK_INLINE friend bool operator<(PackedKey a, PackedKey b) { return a.number() < b.number(); }
};
template <>
struct KeySlot<float> {
    using type = PackedKey;
    static ZWALK_INLINE type pack(Key<float> key) {
        return {key.pos, bit_cast_to<std::uint32_t>(key.d2)};
    }
    static ZWALK_INLINE Key<float> unpack(type slot) { return {bit_cast_to<float>(slot.d2), slot.pos}; }
    static ZWALK_INLINE type first() { return {0, 0xffffffffU}; }  // negative
};

/// One of two slots, member by member: `?:` on structs chooses between their addresses, which keeps them out of
/// registers.
template <class S>
ZWALK_INLINE S choose_slot(bool first, S const& a, S const& b) {
    S chosen;
    chosen.d2 = first ? a.d2 : b.d2;
    chosen.pos = first ? a.pos : b.pos;
    return chosen;
}
}}  // namespace zwalk::v0
