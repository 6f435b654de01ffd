// Accesses to the same memory that nothing puts in an order: races, by vector clocks.
#pragma once
#include <array>
#include <map>
#include <unordered_map>
#include <vector>

#include "ptx/warp.hpp"

namespace ptx {

/// How far threads have come, by their block.
using Progress = std::map<u32, std::vector<u32>>;

/// What the threads of a block know of each other: how far each had come when they last met at barriers. And what they know of all
/// threads by way of global memory: who fences and then writes hands that on to those who read it and then fence.
class Clocks {
  public:
    void start(u32 block, u32 threads);
    /// What these lanes, by warp, have done is done before what any of them does from here on.
    void join(std::vector<u32> const& lanes);
    [[nodiscard]] u32 of(u32 thread, u32 other) const { return known_[thread * threads_ + other]; }

    /// What a thread has seen it knows now, and what it knows it may hand on.
    void fence(u32 thread);
    /// What a thread handed on is read; `known`: by who acquires it.
    void see(u32 thread, Progress const& progress, bool known);
    [[nodiscard]] Progress const& released(u32 thread) const { return beyond_[thread].released; }
    /// Whether a thread knows what another one did; `strong`: or has seen something that came after it.
    [[nodiscard]] bool knows(u32 thread, u32 block, u32 other, u32 clock, bool strong) const;

  private:
    struct Beyond {
        Progress others{};    ///< of other blocks, that it knows
        Progress seen{};      ///< what it will know after a fence
        Progress released{};  ///< what it knew at its last fence
    };
    void learn(u32 thread, Progress const& progress);

    u32 block_ = 0, threads_ = 0;
    std::vector<u32> known_{};  ///< by thread, and by the one that it knows of
    std::vector<Beyond> beyond_{};
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
    void note(Clocks& clocks, std::vector<Cell>* shared, u64 address, u32 bytes, Access access,
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

    void take_over(Clocks& clocks, u64 word, Access const& access) const;
    void hand_on(Clocks& clocks, u64 word, Access const& access, Kind kind);

    std::unordered_map<u64, Cell> global_;
    std::unordered_map<u64, Progress>
        released_;  ///< what those who wrote a word of global memory handed on
    std::map<Pair, u64> found_;
};

}  // namespace ptx
