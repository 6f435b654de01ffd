#include "ptx/races.hpp"

#include <algorithm>
#include <utility>

namespace ptx {

namespace {

void join(std::vector<u32>& mine, std::vector<u32> const& other) {
    mine.resize(std::max(mine.size(), other.size()), 0);
    for (std::size_t k = 0; k < other.size(); ++k) mine[k] = std::max(mine[k], other[k]);
}
void join(Progress& mine, Progress const& other) {
    for (auto const& [block, threads] : other) join(mine[block], threads);
}

}  // namespace

void Clocks::start(u32 block, u32 threads) {
    block_ = block;
    threads_ = threads;
    known_.assign(std::size_t(threads) * threads, 0);
    for (u32 k = 0; k < threads; ++k) known_[std::size_t(k) * threads + k] = 1;
    beyond_.assign(threads, {});
}

void Clocks::join(std::vector<u32> const& lanes) {
    std::vector<u32> most(threads_, 0);
    Progress others;
    auto const for_all = [&](auto const& f) {
        for (u32 warp = 0; warp < lanes.size(); ++warp)
            for_each(lanes[warp], [&](int lane) {
                f(&known_[std::size_t(32 * warp + u32(lane)) * threads_], 32 * warp + u32(lane));
            });
    };
    for_all([&](u32 const* mine, u32 thread) {
        for (u32 k = 0; k < threads_; ++k) most[k] = std::max(most[k], mine[k]);
        ptx::join(others, beyond_[thread].others);
    });
    for_all([&](u32* mine, u32 thread) {
        std::ranges::copy(most, mine);
        ++mine[thread];
        if (!others.empty()) beyond_[thread].others = others;
    });
}

void Clocks::learn(u32 thread, Progress const& progress) {
    for (auto const& [block, threads] : progress) {
        if (block != block_) {
            ptx::join(beyond_[thread].others[block], threads);
            continue;
        }
        for (u32 k = 0; k < threads_; ++k) {
            u32& mine = known_[std::size_t(thread) * threads_ + k];
            mine = std::max(mine, threads[k]);
        }
    }
}

void Clocks::fence(u32 thread) {
    Beyond& beyond = beyond_[thread];
    learn(thread, std::exchange(beyond.seen, {}));
    auto const mine = known_.begin() + long(std::size_t(thread) * threads_);
    beyond.released = beyond.others;
    beyond.released[block_] = {mine, mine + long(threads_)};
    ++mine[long(thread)];
}

void Clocks::see(u32 thread, Progress const& progress, bool known) {
    if (known) learn(thread, progress);
    else ptx::join(beyond_[thread].seen, progress);
}

bool Clocks::knows(u32 thread, u32 block, u32 other, u32 clock, bool strong) const {
    if (block == block_ && clock <= of(thread, other)) return true;
    auto const is_in = [&](Progress const& progress) {
        auto const threads = progress.find(block);
        return threads != progress.end() && clock <= threads->second[other];
    };
    Beyond const& beyond = beyond_[thread];
    return is_in(beyond.others) || (strong && is_in(beyond.seen));
}

void Races::take_over(Clocks& clocks, u64 word, Access const& access) const {
    auto const found = released_.find(word);
    if (found != released_.end()) clocks.see(access.thread, found->second, access.instruction->acquires);
}

/// An atomic access adds to what those before it handed on, another write replaces it.
void Races::hand_on(Clocks& clocks, u64 word, Access const& access, Kind kind) {
    if (access.instruction->releases) clocks.fence(access.thread);
    Progress const& mine = clocks.released(access.thread);
    if (kind == Kind::write) released_.erase(word);
    if (!mine.empty()) join(released_[word], mine);
}

void Races::note(Clocks& clocks, std::vector<Cell>* shared, u64 address, u32 bytes, Access access,
                 Kind kind) {
    for (u64 word = address / 4; word * 4 < address + bytes; ++word) {
        access.bytes = 0;
        for (u32 k = 0; k < 4; ++k)
            access.bytes |= u8(u32(word * 4 + k >= address && word * 4 + k < address + bytes) << k);
        bool const strong = !shared && access.instruction->strong;
        if (strong && kind != Kind::write) take_over(clocks, word, access);
        note(clocks, shared ? shared->at(word) : global_[word], access, kind);
        if (strong && kind != Kind::read) hand_on(clocks, word, access, kind);
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
    // Loads that are strong stay in order with those before them on all GPUs so far, which read_published() relies on.
    bool const in_order = second.strong && kind == Kind::read;
    bool const ordered =
        clocks.knows(access.thread, before.block, before.thread, before.clock, in_order);
    bool const through_cache = first.read_only || second.read_only;  // which no order helps
    if ((ordered || (first.strong && second.strong)) && !through_cache) return;
    ++found_[{second.line, first.line, kind, kind_before, one_block}];
}

}  // namespace ptx
