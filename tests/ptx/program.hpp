// A kernel as it is executed: compact instructions over slots of registers.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ptx/syntax.hpp"

namespace ptx {

// As PTX names them.
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

struct Warp;
struct Instruction;
/// What an instruction does to those lanes of a warp whose bits are set.
using Operation = void (*)(Warp&, Instruction const&, u32 lanes);

enum class Control : u8 {
    compute,
    branch,
    branch_indexed,
    call,
    leave,
    exit,
    meet_warp,
    meet_block,
    trap
};
/// To nearest with ties to even, towards zero, down, up: rn, rz, rm, rp.
enum class Rounding : u8 { nearest, zero, down, up };

/// What bar.red brings the threads of a block: how many of them have a predicate, whether all have, whether any has.
enum class Agreement : u8 { nothing, count, all, any };

/// A predicate and whether it is negated: twice its number, plus one if it is. Number 0 is true on all lanes, number 1 takes results
/// that nobody wants.
using Predicate = u32;
inline constexpr Predicate always = 0, nobody = 2;
/// The slot that takes results that nobody wants.
inline constexpr u32 unwanted = 0;

struct Instruction {
    Operation operation = nullptr;
    Operation rounded = nullptr;  ///< what `operation` calls under another rounding
    Control control = Control::compute;
    Space space = Space::generic;
    Rounding rounding = Rounding::nearest;
    Agreement agreement = Agreement::nothing;
    bool strong = false;  ///< volatile, atomic, or ordered in another way: no race with its like
    bool acquires = false, releases = false;  ///< and it orders what is after it, what is before it
    bool read_only = false;                   ///< it loads what no thread of the kernel may write
    bool wide = true;                         ///< the address is in a register of 64 bits, not of 32
    bool any_place =
        false;  ///< lanes may wait for each other at different instructions, as at bar.warp.sync
    u8 elements = 1;
    u8 bits = 0, from_bits = 0;  ///< of what is converted, packed or compared
    u32 line = 0;
    Predicate guard = always;
    u32 result = unwanted;
    std::array<u32, 4> source{};  ///< slots; the last is a mask of lanes where these wait for each other
    std::array<u32, 4> vector{};  ///< slots of elements
    std::array<Predicate, 2> predicate_result{nobody, nobody};
    std::array<Predicate, 2> predicate{always, always};
    s64 offset = 0;     ///< of an address
    u32 immediate = 0;  ///< a table of lop3, a kind of comparison or combination, a barrier's number
    u32 target = 0;     ///< of a branch; number of a call, or of a list of targets
    u64 used_bytes = ~0ULL;
};

/// Bytes that a call copies within the local memory of a lane: parameters before, results after it.
struct Copy {
    u32 from, to, bytes;
};
struct Call {
    std::string function{};
    std::vector<u32> parameters{}, results{};  ///< places of the caller's variables
    std::vector<Copy> before{}, after{};
    u32 target = 0;
};

enum class Special : u8 {
    tid_x,
    tid_y,
    tid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    laneid,
    warpid,
    nwarpid,
    lanemask_eq,
    lanemask_lt,
    lanemask_le,
    lanemask_gt,
    lanemask_ge,
    smid,
    nsmid,
    dynamic_smem_size,
    total_smem_size
};

struct Program {
    std::string kernel{};
    std::vector<std::string> const* lines = nullptr;  ///< of the PTX, for messages
    std::vector<Instruction> code{};
    std::vector<std::vector<u32>> targets{};
    std::vector<Call> calls{};
    u32 slots = 1, predicates = 2;
    std::vector<std::pair<u32, u64>> constants{};  ///< slots that hold the same number on all lanes
    std::vector<std::pair<u32, Special>> specials{};
    u32 shared_bytes = 0, local_bytes = 0, parameter_bytes = 0;
    std::vector<std::pair<u32, u32>> parameters{};  ///< of the kernel: offset, bytes
};

// Addresses that are generic tell shared and local memory and parameters by their highest byte; all else is the host's.
inline constexpr u64 shared_window = 1ULL << 56, local_window = 2ULL << 56,
                     parameter_window = 3ULL << 56;
/// Where shared memory begins whose size the launch says: far behind what has its size in the program.
inline constexpr u32 dynamic_shared = 1U << 24;

}  // namespace ptx
