#include "ptx/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "ptx/block.hpp"
#include "ptx/fault.hpp"

namespace ptx {
namespace {

u64 special_value(Special which, Warp const& warp, u32 lane) {
    Launch const& launch = *warp.block->launch;
    Size const size = launch.block, id = warp.block->id;
    u32 const thread = 32 * warp.index + lane;
    switch (which) {
        case Special::tid_x:
            return thread % size.x;
        case Special::tid_y:
            return thread / size.x % size.y;
        case Special::tid_z:
            return thread / size.x / size.y;
        case Special::ntid_x:
            return size.x;
        case Special::ntid_y:
            return size.y;
        case Special::ntid_z:
            return size.z;
        case Special::ctaid_x:
            return id.x;
        case Special::ctaid_y:
            return id.y;
        case Special::ctaid_z:
            return id.z;
        case Special::nctaid_x:
            return launch.grid.x;
        case Special::nctaid_y:
            return launch.grid.y;
        case Special::nctaid_z:
            return launch.grid.z;
        case Special::laneid:
            return lane;
        case Special::warpid:
            return warp.index;
        case Special::nwarpid:
            return warp.block->warps.size();
        case Special::lanemask_eq:
            return 1U << lane;
        case Special::lanemask_lt:
            return (1U << lane) - 1;
        case Special::lanemask_le:
            return (2U << lane) - 1;
        case Special::lanemask_gt:
            return u32(~((2U << lane) - 1));
        case Special::lanemask_ge:
            return u32(~((1U << lane) - 1));
        case Special::smid:
            return 0;
        case Special::nsmid:
            return 1;
        case Special::dynamic_smem_size:
            return launch.dynamic_shared_bytes;
        case Special::total_smem_size:
            return launch.shared_bytes();
    }
    return 0;
}

/// Registers keep what the last block left in them, as on a GPU.
void start(Warp& warp) {
    Program const& program = warp.block->launch->program;
    u64 const threads = warp.block->launch->block.count();
    warp.slots.resize(std::size_t(32) * program.slots, 0xcbcbcbcbcbcbcbcbULL);
    warp.predicates.resize(program.predicates, 0x5a5a5a5aU);
    warp.predicates[always / 2] = ~0U;
    warp.alive = u32(threads - 32 * warp.index >= 32 ? ~0U : (1U << (threads - 32 * warp.index)) - 1);
    warp.at_warp = warp.at_block = warp.turn_over = 0;
    warp.at = {};
    warp.callers = {};
    for (auto const& [slot, value] : program.constants) std::fill_n(warp.slot(slot), 32, value);
    for (auto const& [slot, which] : program.specials)
        for (u32 lane = 0; lane < 32; ++lane) warp.slot(slot)[lane] = special_value(which, warp, lane);
}

void start(Block& block, Launch& launch, u32 number) {
    u64 const threads = launch.block.count(), warps = (threads + 31) / 32;
    block.launch = &launch;
    block.number = number;
    block.id = {number % launch.grid.x, number / launch.grid.x % launch.grid.y,
                number / launch.grid.x / launch.grid.y};
    block.running = true;
    block.warps.resize(warps);
    block.shared.start(launch.shared_bytes());
    block.local.start(32 * warps * launch.program.local_bytes);
    if (launch.races) {
        block.clocks.start(number, u32(32 * warps));
        block.cells.assign(launch.shared_bytes() / 4 + 1, {});
    }
    for (u32 k = 0; k < warps; ++k) {
        block.warps[k].block = &block;
        block.warps[k].index = k;
        start(block.warps[k]);
    }
}

// Barriers of blocks.

Instruction const& barrier_of(Warp const& warp) {
    return warp.block->launch->program.code[warp.at[std::size_t(std::countr_zero(warp.at_block))]];
}

/// Whether all threads that haven't left the kernel have come. Throws Fault if they have come to different barriers.
bool all_have_come(Block const& block) {
    Instruction const* first = nullptr;
    for (Warp const& warp : block.warps) {
        if (warp.alive != warp.at_block) return false;
        if (warp.alive == 0) continue;
        Instruction const& mine = barrier_of(warp);
        for_each(warp.at_block, [&](int l) {
            if (&block.launch->program.code[warp.at[std::size_t(l)]] != &mine)
                fail(warp, mine, l, "lanes of a warp are at different barriers");
        });
        if (first && (first->immediate != mine.immediate || first->agreement != mine.agreement))
            fail(warp, mine, 0,
                 "warps of a block are at different barriers" +
                     line_of(block.launch->program, first->line));
        first = &mine;
    }
    return first != nullptr;
}

void pass_barrier(Block& block) {
    u32 threads = 0, count = 0;
    std::vector<u32> lanes;
    for (Warp const& warp : block.warps) {
        lanes.push_back(warp.at_block);
        if (warp.at_block == 0) continue;
        threads += u32(std::popcount(warp.at_block));
        count += u32(std::popcount(warp.get(barrier_of(warp).predicate[0]) & warp.at_block));
    }
    if (block.launch->races) block.clocks.join(lanes);
    for (Warp& warp : block.warps) {
        if (warp.at_block == 0) continue;
        Instruction const& i = barrier_of(warp);
        bool const yes = i.agreement == Agreement::all ? count == threads : count > 0;
        if (i.agreement == Agreement::count)
            for_each(warp.at_block, [&](int l) { warp.slot(i.result)[l] = count; });
        else if (i.agreement != Agreement::nothing)
            warp.put(i.predicate_result[0], warp.at_block, yes ? ~0U : 0U);
        for_each(warp.at_block, [&](int l) { ++warp.at[std::size_t(l)]; });
        warp.at_block = 0;
    }
}

/// Nobody can go on: says who is where.
[[noreturn]] void explain_deadlock(Block const& block) {
    Program const& program = block.launch->program;
    std::string text = "deadlock";
    Warp const* stuck = nullptr;
    for (Warp const& warp : block.warps) {
        if (warp.alive != 0 && !stuck) stuck = &warp;
        for (u32 rest = warp.alive; rest != 0;) {
            std::size_t const one = std::size_t(std::countr_zero(rest));
            bool const at_block = (warp.at_block >> one & 1) != 0;
            u32 const like = those(rest,
                                   [&](int l) {
                                       std::size_t const k = std::size_t(l);
                                       return warp.at[k] == warp.at[one] &&
                                              (at_block || warp.members[k] == warp.members[one]);
                                   }) &
                             rest;
            std::string const whom =
                at_block ? "for the block" : fmt::format("for lanes {:08x}", warp.members[one]);
            text += fmt::format("\n  warp {}: lanes {:08x} wait {}{}", warp.index, like, whom,
                                line_of(program, program.code[warp.at[one]].line));
            rest &= ~like;
        }
    }
    int const lane = std::countr_zero(stuck->alive);
    fail(*stuck, program.code[stuck->at[std::size_t(lane)]], lane, text);
}

// The schedule.

/// Lets warps of a block run for a while.
void advance(Block& block) {
    Launch& launch = *block.launch;
    bool const at_random = launch.options.seed != 0;
    if (at_random) {
        run(block.warps[launch.one_of(block.warps.size())], 1 + launch.one_of(64));
    } else {
        for (Warp& warp : block.warps) run(warp, 1 << 16);
    }
    if (std::ranges::any_of(block.warps, [](Warp const& warp) { return ready(warp) != 0; })) return;
    if (std::ranges::all_of(block.warps, [](Warp const& warp) { return warp.alive == 0; }))
        block.running = false;
    else if (all_have_come(block)) pass_barrier(block);
    else explain_deadlock(block);
}

void run_blocks(Launch& launch) {
    u64 const count = launch.grid.count();
    bool const at_random = launch.options.seed != 0;
    std::vector<Block> blocks(std::min<u64>(count, at_random ? launch.options.resident_blocks : 1));
    u64 started = 0, ended = 0;
    for (Block& block : blocks) start(block, launch, u32(started++));
    while (ended < count) {
        Block& block = blocks[at_random ? launch.one_of(blocks.size()) : 0];
        if (!block.running) continue;
        advance(block);
        if (launch.options.limit != 0 && launch.report.instructions > launch.options.limit)
            throw Fault(fmt::format("kernel {} hangs: more than {} instructions", launch.program.kernel,
                                    launch.options.limit));
        if (block.running) continue;
        ++ended;
        if (started < count) start(block, launch, u32(started++));
    }
}

std::string_view named(Kind kind) {
    return kind == Kind::read ? "read" : kind == Kind::write ? "write" : "atomic access";
}

void report_races(Launch& launch) {
    for (auto const& [pair, times] : launch.races->found())
        launch.report.findings[fmt::format(
            "race of threads of {}: {}{}, and {}{}", pair.one_block ? "one block" : "two blocks",
            named(pair.kind_before), line_of(launch.program, pair.before), named(pair.kind),
            line_of(launch.program, pair.line))] += times;
}

}  // namespace

Report launch(Program const& program, Memory& memory, Size grid, Size block,
              std::span<void const* const> arguments, u32 dynamic_shared_bytes, Options const& options) {
    if (block.count() == 0 || block.count() > 1024)
        throw Fault(fmt::format("kernel {}: blocks of {} threads", program.kernel, block.count()));
    if (arguments.size() != program.parameters.size())
        throw Fault(fmt::format("kernel {}: {} arguments for {} parameters", program.kernel,
                                arguments.size(), program.parameters.size()));
    Launch launch{program, memory, options, grid, block, dynamic_shared_bytes};
    launch.parameters.resize(program.parameter_bytes / 8 + 1);
    for (std::size_t k = 0; k < arguments.size(); ++k)
        std::memcpy(reinterpret_cast<u8*>(launch.parameters.data()) + program.parameters[k].first,
                    arguments[k], program.parameters[k].second);
    launch.random.seed(options.seed);
    launch.report.executed.resize(program.code.size());
    if (options.races) launch.races.emplace();
    if (grid.count() > 0) run_blocks(launch);
    if (launch.races) report_races(launch);
    return std::move(launch.report);
}

}  // namespace ptx
