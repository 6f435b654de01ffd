// The state of 32 lanes that execute a kernel, and access to it for operations.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "ptx/program.hpp"

namespace ptx {

struct Block;

/// Registers lie slot by slot, a slot has 64 bits of each lane. Operations read as many as their type has, so what is above those
/// needn't be defined.
struct Warp {
    std::vector<u64> slots{};
    std::vector<u32> predicates{};
    u32 carry = 0;  ///< a bit per lane
    Block* block = nullptr;
    u32 index = 0;
    // Lanes that haven't left the kernel; of these, those that wait for others of their warp, and of their block.
    u32 alive = 0, at_warp = 0, at_block = 0;
    u32 turn_over = 0;                           ///< lanes that have run long enough for now
    std::array<u32, 32> at{};                    ///< each lane's next instruction
    std::array<u32, 32> members{};               ///< whom a lane of at_warp waits for
    std::array<std::vector<u32>, 32> callers{};  ///< instructions that follow calls

    [[nodiscard]] u64* slot(u32 number) { return slots.data() + std::size_t(32) * number; }
    [[nodiscard]] u32 get(Predicate p) const { return predicates[p / 2] ^ (0 - (p & 1)); }
    void put(Predicate p, u32 lanes, u32 value) {
        u32& mine = predicates[p / 2];
        mine = (mine & ~lanes) | (value & lanes);
    }
};

enum class Kind : u8 { read, write, both };
/// The memory that a lane accesses, after all checks. Throws Fault.
u8* access(Warp& warp, Instruction const& instruction, int lane, u64 address, u32 bytes, Kind kind);
/// Throws Fault with kernel, line and lane.
[[noreturn]] void fail(Warp const& warp, Instruction const& instruction, int lane,
                       std::string const& what);

/// f(lane) for lanes whose bits are set.
template <class F>
inline void for_each(u32 lanes, F const& f) {
    for (; lanes != 0; lanes &= lanes - 1) f(std::countr_zero(lanes));
}
/// The same, with a loop over all 32 that compilers make vectors of.
template <class F>
inline void for_many(u32 lanes, F const& f) {
    if (lanes != ~0U) return for_each(lanes, f);
#pragma GCC ivdep
    for (int lane = 0; lane < 32; ++lane) f(lane);
}
/// The bits of lanes for which f(lane).
template <class F>
inline u32 those(u32 lanes, F const& f) {
    u32 bits = 0;
    for_many(lanes, [&](int lane) { bits |= u32(bool(f(lane))) << lane; });
    return bits;
}

template <class T>
inline T value_of(u64 slot) {
    if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(u32(slot));
    else if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(slot);
    else return T(slot);
}
template <class T>
inline u64 slot_of(T value) {
    if constexpr (std::is_same_v<T, float>) return std::bit_cast<u32>(value);
    else if constexpr (std::is_same_v<T, double>) return std::bit_cast<u64>(value);
    else return u64(s64(value));
}

}  // namespace ptx
