// zwalk info --ranks
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "common.hpp"
#include "dbscan.hpp"
#include "emst.hpp"
#include "fof.hpp"
#include "gravity.hpp"
#include "hdbscan.hpp"
#include "info.hpp"
#include "launch.hpp"
#include "pairs.hpp"
#include "parse.hpp"
#include "peaks.hpp"
#include "radius.hpp"
#include "rank_host.hpp"
#include "rank_memory.hpp"
#include "rank_model.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/clock.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/ranks/mpi.hpp"

namespace zwalk::apps {
namespace {

constexpr int repetitions = 20;

/// Seconds over repetitions, each of which is that of the slowest rank.
struct Seconds {
    double least = 0, mean = 0, most = 0;
};

/// f(), which is collective and doesn't throw, `times` times in a row; seconds of one.
template <class F>
Seconds measure(Comm& comm, int times, F const& f) {
    f();  // MPI connects pairs of ranks when they first need it
    Seconds s;
    for (int i = 0; i < repetitions; ++i) {
        (void)comm.reduce_all(0, std::plus<>());  // all begin together
        double const start = now_seconds();
        for (int j = 0; j < times; ++j) f();
        double const own = (now_seconds() - start) / times;
        double const slowest = comm.reduce_all(own, [](double a, double b) { return std::max(a, b); });
        s.least = i == 0 ? slowest : std::min(s.least, slowest);
        s.most = std::max(s.most, slowest);
        s.mean += slowest / repetitions;
    }
    return s;
}

/// One record to each rank for which sends(rank), and one from each of these.
template <class Sends>
Routes one_each(int ranks, Sends const& sends) {
    std::vector<std::uint64_t> begin{0};
    for (int r = 0; r < ranks; ++r) begin.push_back(begin.back() + (sends(r) ? 1 : 0));
    return {begin, begin};
}

/// Messages over routes that have been made by one_each.
Seconds measure_messages(Comm& comm, Routes const& routes, std::size_t bytes, int times) {
    std::size_t const all = routes.sent.back() * bytes;
    std::vector<std::byte> from, to;
    comm.agree([&] {
        from.resize(all);
        to.resize(all);
        comm.reserve(routes, bytes);
    });
    return measure(comm, times, [&] { comm.transfer(routes, bytes, from.data(), to.data()); });
}

void print_rates(std::string const& what, double bytes, Seconds const& s) {
    fmt::print("bandwidth   {:<36}{:>9.4g}{:>9.4g}{:>9.4g} GB/s\n", what, bytes / s.most / 1e9,
               bytes / s.mean / 1e9, bytes / s.least / 1e9);
}
void print_times(std::string const& what, Seconds const& s) {
    fmt::print("latency     {:<36}{:>9.2f}{:>9.2f}{:>9.2f} us\n", what, s.least * 1e6, s.mean * 1e6,
               s.most * 1e6);
}

void print_steps(std::string const& what, std::vector<StepCost> const& steps, double alpha,
                 double beta) {
    double sum = 0;
    for (StepCost const& step : steps) {
        double const seconds = step.seconds(alpha, beta);
        fmt::print("{:<12}{:<8}{:>10} a rank, {:>2} waits{:>12.2e} s\n", what, step.name,
                   human_bytes(step.bytes), int(step.waits), seconds);
        sum += seconds;
    }
    fmt::print("{:<12}{:<8}{:>42.2e} s\n", what, "all", sum);
}

struct Speeds {
    double alpha, beta;  ///< seconds of a wait; bytes a second that each rank sends when all send to all
};

/// Measures, and prints the results on rank 0.
Speeds measure_speeds(Comm& comm) {
    int const ranks = comm.size(), me = comm.rank(), last = ranks - 1;
    auto const [all, pair, none] = comm.agree([&] {
        return std::tuple(one_each(ranks, [&](int r) { return r != me; }),
                          one_each(ranks, [&](int r) { return me % last == 0 && r == last - me; }),
                          std::vector<std::uint64_t>(std::size_t(ranks) + 1, 0));
    });
    std::size_t const large = std::size_t(16) << 20;
    // As much at a time as results that go home, and no longer messages (see carry(), ranks/travel.hpp).
    std::size_t const share =
        std::min<std::size_t>(4 << 20, (std::size_t(64) << 20) / std::size_t(ranks));
    auto const counts = measure(comm, 10, [&] { (void)comm.routes(none); });
    auto const small = measure_messages(comm, pair, 8, 10);
    auto const exchange = measure_messages(comm, all, share, 1);
    auto const between = measure_messages(comm, pair, large, 1);
    double const sent = double(share) * last;
    if (me == 0) {
        fmt::print("            {:<36}{:>9}{:>9}{:>9}\n", "", "min", "mean", "max");
        print_times("counts, all with all", counts);
        print_times(fmt::format("8 bytes, ranks 0 and {}", last), small);
        print_rates(fmt::format("a rank, all with all, by {}", human_bytes(double(share))), sent,
                    exchange);
        print_rates(fmt::format("ranks 0 and {}, by {}", last, human_bytes(double(large))),
                    double(large), between);
    }
    return {counts.mean, sent / exchange.mean};
}

/// A command with the settings that it needs; all others have their defaults.
template <class Command, class Settings>
Command usual(Settings const& settings) {
    Command command;
    command.input = command.output = "-";
    settings(command);
    return command;
}

/// Prints memory(), which is that of a command on a rank.
template <class Memory>
void print_memory(std::string const& name, Memory const& memory) {
    try {
        RankMemory const m = memory();
        auto const text = [](std::uint64_t bytes) { return human_bytes(double(bytes)); };
        fmt::print(
            "memory      {:<24}{:>10} a rank, {} of it input, {} results{}\n", name, text(m.each.peak()),
            text(m.each.input), text(m.each.result),
            m.first.peak() == m.each.peak() ? "" : fmt::format("; {} rank 0", text(m.first.peak())));
    } catch (InputError const& error) {  // the refusal of the command
        fmt::print("memory      {:<24}{}\n", name, error.what());
    }
}
template <class Job, class Settings>
void print_memory_of(std::string const& name, RankShape const& shape, Settings const& settings) {
    print_memory(name,
                 [&] { return memory_on_ranks<Job>(usual<typename Job::Command>(settings), shape); });
}
void print_memories(RankShape const& shape, std::string const& k) {
    auto const with_k = [&](auto& c) { c.k = k; };
    print_memory("knn -k " + k, [&] { return knn_memory_on_ranks(usual<KnnCommand>(with_k), shape); });
    print_memory_of<FofJob>("fof", shape, [](auto& c) { c.fraction = "0.2"; });
    print_memory_of<EmstJob>("emst", shape, [](auto&) {});
    print_memory_of<HdbscanJob>("hdbscan", shape, [](auto&) {});
    print_memory_of<RadiusJob>("radius, without lists", shape,
                               [](auto& c) { c.radius = "1", c.count = true; });
    print_memory_of<DbscanJob>("dbscan", shape, [](auto& c) { c.epsilon = "1", c.min_samples = "5"; });
    print_memory_of<PeaksJob>("peaks -k " + k, shape, with_k);
    print_memory_of<PairsJob>("pairs", shape, [](auto& c) { c.bins = "0,1,10"; });
    print_memory_of<GravityJob>("gravity", shape, [](auto&) {});
}

}  // namespace

void run_info_on_ranks(InfoCommand const& o) {
    int const asked_threads = int(parse_integer("--threads", o.threads, 0, 4096));
    auto const k = double(parse_integer("-k", o.k, 1, INT64_MAX));
    auto const points =
        o.points.empty() ? 0. : double(parse_integer("--points", o.points, 1, INT64_MAX));
    Comm comm{Mpi{}};
    auto const threads = threads_of_rank(comm, asked_threads);
    print_note(threads.note(), comm.rank() != 0);
    int const hosts = comm.reduce_all(int(comm.host_rank() == 0), std::plus<>());
    if (comm.rank() == 0) {
        fmt::print("ranks       {} on {} host{}, with {} thread{} each\n", comm.size(), hosts,
                   hosts == 1 ? "" : "s", threads.threads, threads.threads == 1 ? "" : "s");
        fmt::print("MPI         {}\n", mpi_library());
    }
    Speeds const speeds = measure_speeds(comm);
    if (comm.rank() != 0 || points == 0) return;
    std::uint64_t const free = available_memory() / std::uint64_t(comm.host_size());
    RankShape shape{{}, threads.threads, free / 2};
    shape.points.dim = 3;
    shape.points.total = std::uint64_t(points);
    shape.points.size = std::size_t(std::ceil(points / comm.size()));
    print_memories(shape, o.k);
    fmt::print("            {} are free for each rank on this machine\n", human_bytes(double(free)));
    RankTask const task{points, comm.size()};
    fmt::print("predicted   what ranks wait for each other, of {} uniform points in 3-D, float32\n",
               points);
    print_steps(fmt::format("knn -k {}", k), knn_steps(task, k), speeds.alpha, speeds.beta);
    print_steps("fof", fof_steps(task), speeds.alpha, speeds.beta);
}

}  // namespace zwalk::apps
