// How much memory the work needs, and whether there is that much.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace zwalk::apps {

/// Bytes, saturating. The sort is over before results are written, so the peak beside the input is
/// the larger of `working` and `tree` + `result`.
struct KnnMemory {
    std::uint64_t input, result, working, tree;
    [[nodiscard]] std::uint64_t beside_input() const;
};

/// @param points  sources and queries together
/// @param rows    rows of the result
/// @param item    bytes of one coordinate
KnnMemory knn_memory(std::uint64_t points, std::uint64_t rows, int dim, std::uint64_t k,
                     std::uint64_t item);

/// @throws Error  the machine's memory is too small for the result
void check_memory(KnnMemory const& need);

/// What to tell a user whose budget is below the working memory; "" if it isn't. A small budget
/// never makes the work fail: lists are bounded anyway, and the sorted points have to be somewhere.
std::string budget_note(KnnMemory const& need, std::optional<std::uint64_t> budget);

std::uint64_t physical_memory();
/// The most memory that this process has held at a time.
std::uint64_t peak_resident();

}  // namespace zwalk::apps
