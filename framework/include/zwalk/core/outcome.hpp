// What the results of all algorithms have in common.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace zwalk::inline v0 {

/// In which order rows (and the indices inside them) are given.
enum class Order {
    input,  ///< as the points were passed in
    z,      ///< as if the points had been passed in z-order
};

/// Seconds by phase, in the order in which they ran, and numbers of what was done.
struct Stats {
    std::vector<std::pair<std::string, double>> seconds;
    std::vector<std::pair<std::string, std::uint64_t>> counts;
};

}  // namespace zwalk::inline v0
