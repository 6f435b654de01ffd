#include "memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "parse.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

/// Sorted columns, keys, the planes and lists of the walk.
constexpr std::uint64_t working_bytes_per_point = 200;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    std::uint64_t r;
    return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}
std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
    std::uint64_t r;
    return __builtin_add_overflow(a, b, &r) ? UINT64_MAX : r;
}

}  // namespace

std::uint64_t KnnMemory::beside_input() const { return plus(result, working); }

KnnMemory knn_memory(std::uint64_t points, std::uint64_t rows, int dim, std::uint64_t k,
                     std::uint64_t item) {
    return {times(points, std::uint64_t(dim) * item), times(times(rows, k), 8 + item),
            times(points, working_bytes_per_point)};
}

void check_memory(KnnMemory const& need, std::optional<std::uint64_t> budget) {
    if (budget && need.beside_input() > *budget)
        throw Error(
            fmt::format("this needs about {} ({} of results), more than the memory budget "
                        "of {}; a smaller k or a larger --memory-budget helps",
                        human_bytes(double(need.beside_input())), human_bytes(double(need.result)),
                        human_bytes(double(*budget))));
    if (need.result > physical_memory())
        throw Error(
            fmt::format("the result alone needs {}, more than this machine's {} of memory; "
                        "a smaller k helps",
                        human_bytes(double(need.result)), human_bytes(double(physical_memory()))));
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
