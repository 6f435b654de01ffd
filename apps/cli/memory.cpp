#include "memory.hpp"

#include <fmt/format.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <sys/resource.h>

#include <fstream>
#include <string>

#include "parse.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {

void check_memory(Need const& need, int sharers, std::string const& help) {
    double const held = double(need.input) + double(need.program);
    double const more = double(need.peak()) - held, free = double(available_memory()) / sharers;
    if (more <= free) return;
    bool const alone = sharers == 1;
    throw Error(fmt::format(
        "not enough memory: {} are needed beside the input ({} of results, {} to work), but this "
        "machine has {} left{}; {}",
        human_bytes(more), human_bytes(double(need.result)), human_bytes(double(need.working())),
        human_bytes(free), alone ? "" : fmt::format(" for each of its {} ranks", sharers),
        !alone         ? "fewer ranks on a machine help, on more machines"
        : help.empty() ? "fewer points help, or --precision f4"
                       : help));
}

std::string budget_note(Need const& need) {
    if (need.working() <= need.budget) return "";
    return fmt::format(
        "sorting and holding the points needs about {}, more than the memory budget of {}",
        human_bytes(double(need.working())), human_bytes(double(need.budget)));
}

std::string describe_plan(KnnMemory const& need) {
    return need.descents       ? "queries one by one"
           : need.batches == 1 ? "all at once"
                               : fmt::format("{} batches of {} queries", need.batches, need.batch_size);
}

void return_large_blocks() {
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

std::uint64_t peak_resident() {
    // Linux hands ru_maxrss on from the process that started this one; VmHWM is this program's.
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (std::uint64_t kilobytes = 0; word == "VmHWM:" && status >> kilobytes)
            return kilobytes * 1024;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
    return std::uint64_t(usage.ru_maxrss);  // bytes there, kilobytes elsewhere
#else
    return std::uint64_t(usage.ru_maxrss) * 1024;
#endif
}

}  // namespace zwalk::apps
