// Accesses to memory, and all that is checked of them.
#include <fmt/format.h>

#include <algorithm>

#include "ptx/block.hpp"
#include "ptx/fault.hpp"

namespace ptx {
namespace {

struct Place {
    u8* begin;
    std::vector<bool>* written;  ///< null: all is
    u64 index;                   ///< in `written`
    bool shared = false;
};

Place shared_place(Warp& warp, Instruction const& i, int lane, u64 address, u32 bytes) {
    Launch const& launch = *warp.block->launch;
    bool const dynamic = address >= dynamic_shared;
    u64 const size = dynamic ? launch.dynamic_shared_bytes : launch.program.shared_bytes;
    u64 const offset = dynamic ? address - dynamic_shared : address;
    if (offset + bytes > size || offset > size)
        fail(warp, i, lane,
             fmt::format("{} bytes at {:#x} of {} bytes of {}shared memory", bytes, offset, size,
                         dynamic ? "dynamic " : ""));
    u64 const index = offset + (dynamic ? launch.dynamic_begin() : 0);
    return {warp.block->shared.begin() + index, &warp.block->shared.written, index, true};
}

Place local_place(Warp& warp, Instruction const& i, int lane, u64 address, u32 bytes) {
    u64 const size = warp.block->launch->program.local_bytes;
    if (address + bytes > size || address > size)
        fail(warp, i, lane,
             fmt::format("{} bytes at {:#x} of {} bytes of local memory", bytes, address, size));
    u64 const index = address + (32 * warp.index + u32(lane)) * size;
    return {warp.block->local.begin() + index, &warp.block->local.written, index};
}

Place parameter_place(Warp& warp, Instruction const& i, int lane, u64 address, u32 bytes, Kind kind) {
    Launch& launch = *warp.block->launch;
    if (kind != Kind::read) fail(warp, i, lane, "write to a parameter");
    if (address + bytes > launch.program.parameter_bytes || address > launch.program.parameter_bytes)
        fail(warp, i, lane,
             fmt::format("{} bytes at {:#x} of {} bytes of parameters", bytes, address,
                         launch.program.parameter_bytes));
    return {reinterpret_cast<u8*>(launch.parameters.data()) + address, nullptr, 0};
}

Place global_place(Warp& warp, Instruction const& i, int lane, u64 address, u32 bytes, Kind kind) {
    Memory& memory = warp.block->launch->memory;
    Allocation* const found = memory.find(address);
    if (found && address + bytes <= found->begin + found->bytes)
        return {reinterpret_cast<u8*>(address), &found->written, address - found->begin};
    Allocation const* const below = memory.below(address);
    std::string const near = below ? fmt::format("{} bytes behind the begin of an allocation of {}",
                                                 address - below->begin, below->bytes)
                                   : std::string("before all allocations");
    fail(warp, i, lane,
         fmt::format("{} of {} bytes at {:#x}, {}", kind == Kind::read ? "read" : "write", bytes,
                     address, near));
}

Place find_place(Warp& warp, Instruction const& i, int lane, u64 address, u32 bytes, Kind kind) {
    constexpr u64 within = (1ULL << 56) - 1;
    Space space = i.space;
    if (space == Space::generic) {
        u64 const window = address & ~within;
        space = window == shared_window      ? Space::shared
                : window == local_window     ? Space::local
                : window == parameter_window ? Space::parameter
                                             : Space::global;
        if (space != Space::global) address &= within;
    }
    switch (space) {
        case Space::shared:
            return shared_place(warp, i, lane, address, bytes);
        case Space::local:
            return local_place(warp, i, lane, address, bytes);
        case Space::parameter:
            return parameter_place(warp, i, lane, address, bytes, kind);
        default:
            return global_place(warp, i, lane, address, bytes, kind);
    }
}

void check_written(Launch& launch, Instruction const& i, Place const& place, u32 bytes, Kind kind) {
    bool unwritten = false;
    for (u32 k = 0; k < bytes; ++k) {
        auto bit = (*place.written)[place.index + k];
        unwritten |= kind != Kind::write && (i.used_bytes >> k & 1) != 0 && !bit;
        if (kind != Kind::read) bit = true;
    }
    if (unwritten)
        ++launch.report.findings["read of what nobody wrote" + line_of(launch.program, i.line)];
}

}  // namespace

std::string line_of(Program const& program, u32 line) {
    std::string const& text = program.lines->at(line - 1);
    return fmt::format(", PTX line {}: {}", line,
                       text.substr(std::min(text.find_first_not_of(" \t"), text.size())));
}

void fail(Warp const& warp, Instruction const& i, int lane, std::string const& what) {
    Launch const& launch = *warp.block->launch;
    Size const id = warp.block->id;
    throw Fault(fmt::format("kernel {}{}\n  {}\n  block {},{},{}, warp {}, lane {}, seed {}",
                            launch.program.kernel, line_of(launch.program, i.line), what, id.x, id.y,
                            id.z, warp.index, lane, launch.options.seed));
}

u8* access(Warp& warp, Instruction const& i, int lane, u64 address, u32 bytes, Kind kind) {
    if (address % bytes != 0)
        fail(warp, i, lane, fmt::format("{:#x} is misaligned for {} bytes", address, bytes));
    Place const place = find_place(warp, i, lane, address, bytes, kind);
    Block& block = *warp.block;
    Launch& launch = *block.launch;
    if (launch.options.unwritten && place.written) check_written(launch, i, place, bytes, kind);
    bool const global = place.written && !place.shared && place.written != &block.local.written;
    if (launch.races && (place.shared || global)) {
        u32 const thread = 32 * warp.index + u32(lane);
        launch.races->note(block.clocks, place.shared ? &block.cells : nullptr,
                           place.shared ? place.index : address, bytes,
                           {&i, block.number, thread, block.clocks.of(thread, thread), 0}, kind);
    }
    return place.begin;
}

}  // namespace ptx
