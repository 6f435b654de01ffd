// Launches of kernels on the CPU.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ptx/memory.hpp"
#include "ptx/program.hpp"

namespace ptx {

struct Size {
    u32 x = 1, y = 1, z = 1;
    [[nodiscard]] u64 count() const { return u64(x) * y * z; }
};

struct Options {
    /// 0: block by block, and lanes that are behind go first. Else blocks, warps and some of their lanes take turns at random.
    u64 seed = 0;
    u32 resident_blocks = 6;  ///< of a random schedule: how many run at a time
    bool races = false;       ///< whether to look for them in shared and global memory
    bool unwritten =
        false;  ///< whether to look for reads of bytes that nobody has written. The same for all launches on a Memory
    u64 limit = 0;  ///< instructions of warps after which a kernel is said to hang; 0: none
};

struct Report {
    u64 instructions = 0;                   ///< of warps
    std::vector<u64> executed{};            ///< the same for each instruction of the program
    std::map<std::string, u64> findings{};  ///< races and reads of what nobody wrote, and how often
};

/// Executes a kernel; `arguments` point at the values of its parameters. Throws Fault where it does what CUDA leaves undefined: accesses
/// outside of allocations or misaligned, masks without the lane itself, shuffles from absent lanes, deadlocks, divergent barriers.
Report launch(Program const& program, Memory& memory, Size grid, Size block,
              std::span<void const* const> arguments, u32 dynamic_shared_bytes = 0,
              Options const& options = {});

}  // namespace ptx
