// What a search for the nearest sources is asked.
#pragma once
#include <cstdint>
#include <functional>

#include "zwalk/core/index.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk::inline v0 {

/// What an output on a device usually keeps of its neighbours at a time, if it doesn't keep all.
inline constexpr std::uint64_t run_bytes = 64 << 20;

struct NearestSearch {
    index_t k = 16;             ///< how many of each target; may exceed the number of sources
    bool exclude_self = false;  ///< a target is not its own source: targets and sources are one tree
    // On devices, as in WalkInputs:
    std::function<void(pos_t begin, pos_t end)> after_run{};
    pos_t run_points = no_pos;
    TargetNodes targets{};
};

}  // namespace zwalk::inline v0
