#include "rank_host.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <functional>
#include <string>
#include <thread>

namespace zwalk::apps {
namespace {

using CoreSet = std::bitset<1024>;  // as many as glibc's cpu_set_t has

/// Which cores of which machine a rank may run on.
struct Cores {
    std::uint64_t host = 0;
    CoreSet cores;
};

CoreSet own_cores() {
    CoreSet cores;
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
        for (std::size_t i = 0; i < CoreSet().size(); ++i) cores[i] = CPU_ISSET(i, &allowed);
#endif
    if (cores.none())
        for (std::size_t i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
            cores.set(i % cores.size());
    return cores;
}

std::uint64_t own_host() {
    char name[256] = {};
    gethostname(name, sizeof(name) - 1);
    return std::hash<std::string>()(name);
}

}  // namespace

std::string RankThreads::note() const {
    if (asked_for <= least_cores) return "";
    return fmt::format(
        "--threads {}, but a rank may run on {} core{} only: mpirun --bind-to none, or --map-by "
        "slot:pe={} (srun: --cpus-per-task={}), gives it more",
        asked_for, least_cores, least_cores == 1 ? "" : "s", asked_for, asked_for);
}

RankThreads threads_of_rank(Comm& comm, int asked) {
    Cores const own{own_host(), own_cores()};
    auto const all = comm.gather_all(std::span<Cores const>(&own, 1));
    CoreSet together;
    RankThreads r{asked, asked, int(own.cores.count())};
    for (Cores const& rank : all.records) {
        if (rank.host == own.host) together |= rank.cores;
        r.least_cores = std::min(r.least_cores, int(rank.cores.count()));
    }
    if (asked == 0)
        r.threads =
            std::max(1, std::min(int(own.cores.count()), int(together.count()) / comm.host_size()));
    return r;
}

}  // namespace zwalk::apps
