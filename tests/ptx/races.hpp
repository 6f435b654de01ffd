// Accesses to the same memory that nothing puts in an order: races, by vector clocks.
#pragma once
#include <array>
#include <map>
#include <unordered_map>
#include <vector>

#include "ptx/warp.hpp"

namespace ptx {

/// What the threads of a block know of each other: how far each had come when they last met at barriers.
struct Clocks {
    u32 threads = 0;
    std::vector<u32> known{};  ///< by thread, and by the one that it knows of

    void start(u32 count);
    /// What these lanes, by warp, have done is done before what any of them does from here on.
    void join(std::vector<u32> const& lanes);
    [[nodiscard]] u32 of(u32 thread, u32 other) const { return known[thread * threads + other]; }
};

class Races {
  public:
    struct Access {
        Instruction const* instruction = nullptr;  ///< null: there was none
        u32 block = 0, thread = 0, clock = 0;
        u8 bytes = 0;  ///< a bit each, of a word of 32 bits
    };
    /// The last write of a word, and reads of it that none of the others knows of: the last of them.
    struct Cell {
        Access write{};
        std::array<Access, 8> reads{};
        u32 next = 0;
    };

    /// One access; shared memory has cells of its own.
    void note(Clocks const& clocks, std::vector<Cell>* shared, u64 address, u32 bytes, Access access,
              Kind kind);

    struct Pair {
        u32 line, before;
        Kind kind, kind_before;
        bool one_block;
        auto operator<=>(Pair const&) const = default;
    };
    /// Which pairs of accesses, and how often.
    [[nodiscard]] std::map<Pair, u64> const& found() const { return found_; }

  private:
    void note(Clocks const& clocks, Cell& cell, Access const& access, Kind kind);
    void check(Clocks const& clocks, Access const& before, Access const& access, Kind kind_before,
               Kind kind);

    std::unordered_map<u64, Cell> global_;
    std::map<Pair, u64> found_;
};

}  // namespace ptx
