// Blocks of a launch while they run.
#pragma once
#include <optional>
#include <random>
#include <vector>

#include "ptx/launch.hpp"
#include "ptx/races.hpp"
#include "ptx/warp.hpp"

namespace ptx {

/// Memory that belongs to a block, and which bytes of it were written.
struct Own {
    std::vector<u64> words{};
    std::vector<bool> written{};

    void start(u64 bytes) {
        words.assign((bytes + 7) / 8, 0xcdcdcdcdcdcdcdcdULL);
        written.assign(bytes, false);
    }
    [[nodiscard]] u8* begin() { return reinterpret_cast<u8*>(words.data()); }
};

struct Launch {
    Program const& program;
    Memory& memory;
    Options const& options;
    Size grid, block;
    u32 dynamic_shared_bytes;
    std::vector<u64> parameters{};
    std::mt19937_64 random{};
    std::optional<Races> races{};
    Report report{};

    /// One of so many, at random.
    u32 one_of(u64 count) { return u32(random() % count); }
    /// Where dynamic shared memory begins in a block's memory.
    [[nodiscard]] u32 dynamic_begin() const { return (program.shared_bytes + 15) / 16 * 16; }
    [[nodiscard]] u32 shared_bytes() const { return dynamic_begin() + dynamic_shared_bytes; }
};

struct Block {
    Launch* launch = nullptr;
    Size id{};
    u32 number = 0;
    bool running = false;
    std::vector<Warp> warps{};
    Own shared{}, local{};
    Clocks clocks{};
    std::vector<Races::Cell> cells{};  ///< of shared memory
};

/// Lanes that have something to do.
inline u32 ready(Warp const& warp) { return warp.alive & ~warp.at_warp & ~warp.at_block; }
/// Runs lanes that have something to do, for so many instructions or until there are none.
void run(Warp& warp, u64 budget);
/// Where something is, for messages: ", PTX line 12: add.s32 %r1, %r2, %r3".
std::string line_of(Program const& program, u32 line);

}  // namespace ptx
