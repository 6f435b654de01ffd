#include "memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "parse.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

// Measured as peak resident memory beside input and result, 4e6 points, k = 1. While sorting: keys
// with row numbers, the order, levels, the sorted columns. After it: the columns, the order, nodes.
constexpr std::uint64_t sort_bytes_per_point = 28;
constexpr std::uint64_t tree_bytes_per_point = 8;
// The program itself, and lists of the walk.
constexpr std::uint64_t fixed_bytes = 16 << 20;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    std::uint64_t r;
    return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}
std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
    std::uint64_t r;
    return __builtin_add_overflow(a, b, &r) ? UINT64_MAX : r;
}

}  // namespace

std::uint64_t KnnMemory::beside_input() const { return std::max(working, plus(tree, result)); }

KnnMemory knn_memory(std::uint64_t points, std::uint64_t rows, int dim, std::uint64_t k,
                     std::uint64_t item) {
    std::uint64_t const columns = std::uint64_t(dim) * item;
    return {times(points, columns), times(times(rows, k), 8 + item),
            plus(times(points, columns + sort_bytes_per_point), fixed_bytes),
            plus(times(points, columns + tree_bytes_per_point), fixed_bytes)};
}

void check_memory(KnnMemory const& need) {
    if (need.result > physical_memory())
        throw Error(
            fmt::format("the result alone needs {}, more than this machine's {} of memory; "
                        "a smaller k helps",
                        human_bytes(double(need.result)), human_bytes(double(physical_memory()))));
}

std::string budget_note(KnnMemory const& need, std::optional<std::uint64_t> budget) {
    if (!budget || need.working <= *budget) return "";
    return fmt::format("sorting and holding the points needs about {}, more than the memory budget "
                       "of {}",
                       human_bytes(double(need.working)), human_bytes(double(*budget)));
}

std::uint64_t physical_memory() {
    return std::uint64_t(sysconf(_SC_PHYS_PAGES)) * std::uint64_t(sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_resident() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::uint64_t(usage.ru_maxrss) * 1024;
}

}  // namespace zwalk::apps
