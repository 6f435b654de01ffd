#include "ptx/races.hpp"

#include <algorithm>

namespace ptx {

void Clocks::start(u32 count) {
    threads = count;
    known.assign(std::size_t(count) * count, 0);
    for (u32 k = 0; k < count; ++k) known[std::size_t(k) * count + k] = 1;
}

void Clocks::join(std::vector<u32> const& lanes) {
    std::vector<u32> most(threads, 0);
    auto const for_all = [&](auto const& f) {
        for (u32 warp = 0; warp < lanes.size(); ++warp)
            for_each(lanes[warp], [&](int lane) {
                f(&known[std::size_t(32 * warp + u32(lane)) * threads], 32 * warp + u32(lane));
            });
    };
    for_all([&](u32 const* mine, u32) {
        for (u32 k = 0; k < threads; ++k) most[k] = std::max(most[k], mine[k]);
    });
    for_all([&](u32* mine, u32 thread) {
        std::ranges::copy(most, mine);
        ++mine[thread];
    });
}

void Races::note(Clocks const& clocks, std::vector<Cell>* shared, u64 address, u32 bytes, Access access,
                 Kind kind) {
    for (u64 word = address / 4; word * 4 < address + bytes; ++word) {
        access.bytes = 0;
        for (u32 k = 0; k < 4; ++k)
            access.bytes |= u8(u32(word * 4 + k >= address && word * 4 + k < address + bytes) << k);
        note(clocks, shared ? shared->at(word) : global_[word], access, kind);
    }
}

void Races::note(Clocks const& clocks, Cell& cell, Access const& access, Kind kind) {
    check(clocks, cell.write, access, Kind::write, kind);
    if (kind == Kind::read) {
        // Reads that this one knows of need no memory: who is ordered with this one is with them.
        auto const known = [&](Access const& read) {
            return !read.instruction ||
                   (read.block == access.block && read.clock <= clocks.of(access.thread, read.thread) &&
                    (read.bytes & ~access.bytes) == 0 && !read.instruction->read_only);
        };
        auto const place = std::ranges::find_if(cell.reads, known);
        (place != cell.reads.end() ? *place : cell.reads[cell.next++ % cell.reads.size()]) = access;
        return;
    }
    for (Access& read : cell.reads) {
        check(clocks, read, access, Kind::read, kind);
        if (!read.instruction || !read.instruction->read_only) read = {};
    }
    cell.write = access;
}

void Races::check(Clocks const& clocks, Access const& before, Access const& access, Kind kind_before,
                  Kind kind) {
    if (!before.instruction || (before.bytes & access.bytes) == 0) return;
    Instruction const &first = *before.instruction, &second = *access.instruction;
    bool const one_block = before.block == access.block;
    bool const ordered = one_block && before.clock <= clocks.of(access.thread, before.thread);
    bool const through_cache = first.read_only || second.read_only;  // which no order helps
    if ((ordered || (first.strong && second.strong)) && !through_cache) return;
    ++found_[{second.line, first.line, kind, kind_before, one_block}];
}

}  // namespace ptx
