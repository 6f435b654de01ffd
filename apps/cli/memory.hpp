// How much memory the work needs, and whether there is that much.
#pragma once
#include <cstdint>
#include <optional>

namespace zwalk::apps {

struct KnnMemory {
    std::uint64_t input, result, working;  ///< bytes, saturating
    /// What is needed beside the input.
    [[nodiscard]] std::uint64_t beside_input() const;
};

/// @param points  sources and queries together
/// @param rows    rows of the result
/// @param item    bytes of one coordinate
KnnMemory knn_memory(std::uint64_t points, std::uint64_t rows, int dim, std::uint64_t k,
                     std::uint64_t item);

/// @throws Error  the budget, or the machine's memory when there is none, is too small
void check_memory(KnnMemory const& need, std::optional<std::uint64_t> budget);

std::uint64_t physical_memory();
/// The most memory that this process has held at a time.
std::uint64_t peak_resident();

}  // namespace zwalk::apps
