// What the results of all algorithms have in common.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace zwalk { inline namespace v0 {

/// In which order rows (and the indices inside them) are given.
enum class Order {
    input,  ///< as the points were passed in
    z,      ///< as if the points had been passed in z-order
};

/// What a step of a call on MPI ranks has cost this rank.
struct StepStats {
    char const* name;
    std::uint64_t collectives = 0;  ///< times at which ranks waited for each other
    std::uint64_t messages = 0;     ///< between pairs of ranks, sent by this one
    std::uint64_t bytes = 0;        ///< sent to others; what goes to all is counted once for each
};

/// Seconds by phase, in the order in which they ran, and numbers of what was done; on MPI ranks those of this rank.
struct Stats {
    std::vector<std::pair<std::string, double>> seconds;
    std::vector<std::pair<std::string, std::uint64_t>> counts;
    std::vector<StepStats> steps;  ///< on MPI ranks what was sent, step by step
};

}}  // namespace zwalk::v0
