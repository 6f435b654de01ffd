// How kNN, friends-of-friends, spanning trees, clusters and density peaks use the cores of a machine, phase by phase:
//
//   bench_scaling [knn|fof|catalogue|dbscan|emst|hdbscan|peaks|pairs|gravity|all] [N] [uniform|clustered] [repeats] [threads|foreseen]
//
// N float points in 3-D. kNN, peaks: k = 16. fof: b = 0.2 of the mean spacing. emst: plain distances. hdbscan: clusters of at
// least 20 points. Runs on 1, 2, 4 ... threads and on all (or at most so many), the best of `repeats` of each, after
// one on all that isn't counted. Prints a line per number of threads as it comes, then a table: seconds of each
// phase, how many times as fast as on one thread, and that divided by the threads.
//
// foreseen: on one core, by work and span (core/work_span.hpp), in its CPU seconds: for 1, 2, 4, 16 and 64 threads, and, as `inf`, the span of what 64 threads
// do, which is what can't be shared out; divided by the seconds of one thread, in the last column.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "figures.hpp"
#include "zwalk/core/work_span.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/fof/catalogue.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/peaks/peaks.hpp"
#include "zwalk/tree/joint.hpp"

namespace {

using namespace zwalk;

/// Seconds of a run: its phases, `other` (checks, memory of the results), and the whole call as `total`.
using Run = std::vector<std::pair<std::string, double>>;

template <class Compute>
Run timed(Compute const& compute, Stats& stats) {
    double const start = now_seconds();
    auto const result = compute();
    double const seconds = now_seconds() - start;
    stats = result.stats;
    Run run = stats.seconds;
    double rest = seconds;
    for (auto const& phase : run) rest -= phase.second;
    run.insert(run.end(), {{"other", rest}, {"total", seconds}});
    return run;
}

Run run_once(std::string const& algorithm, Points<float> points, Cpu const& cpu, Stats& stats) {
    if (algorithm == "knn") return timed([&] { return knn(points, {.k = 16}, cpu); }, stats);
    double const spacing = mean_spacing(points);
    if (algorithm == "fof")
        return timed([&] { return fof(points, {.linking_length = .2 * spacing}, cpu); }, stats);
    if (algorithm == "catalogue")
        return timed(
            [&] { return fof_with_catalogue(points, {.linking_length = .2 * spacing}, {}, cpu); },
            stats);
    if (algorithm == "dbscan")
        return timed([&] { return dbscan(points, {.epsilon = spacing, .min_samples = 10}, cpu); },
                     stats);
    if (algorithm == "pairs")
        return timed(
            [&] {
                return pair_counts(points, {.edges = {.1 * spacing, spacing, 2 * spacing}}, cpu);
            },
            stats);
    if (algorithm == "gravity")
        return timed([&] { return gravity(points, {.softening = .1 * spacing, .accuracy = 1e-2}, cpu); },
                     stats);
    if (algorithm == "emst") return timed([&] { return emst(points, {}, cpu); }, stats);
    if (algorithm == "peaks") return timed([&] { return density_peaks(points, {.k = 16}, cpu); }, stats);
    return timed([&] { return hdbscan(points, {.min_cluster_size = 20}, cpu); }, stats);
}

/// 1, 2, 4 ... below `all`, and `all`.
std::vector<int> thread_counts(int all) {
    std::vector<int> counts;
    for (int threads = 1; threads < all; threads *= 2) counts.push_back(threads);
    counts.push_back(all);
    return counts;
}

void print_table(std::vector<int> const& threads, std::vector<Run> const& runs) {
    fmt::print("\n{:<12}", "threads");
    for (int t : threads) fmt::print("{:>10}{}", t, t > 1 ? "   times   eff" : "");
    for (std::size_t phase = 0; phase < runs[0].size(); ++phase) {
        auto const& [name, one] = runs[0][phase];
        fmt::print("\n{:<12}", name);
        for (std::size_t i = 0; i < threads.size(); ++i) {
            double const seconds = runs[i][phase].second, times = one / seconds;
            fmt::print("{:>10.4f}", seconds);
            if (threads[i] > 1) fmt::print("{:>8.2f}{:>5.0f}%", times, 100 * times / threads[i]);
        }
    }
    fmt::print("\n\n");
}

void scale(std::string const& algorithm, Points<float> points, std::string const& kind, int repeats,
           int all) {
    auto const threads = thread_counts(all);
    std::vector<Run> best;
    Stats stats;
    (void)run_once(algorithm, points, Cpu(all), stats);  // has the process's memory and threads made
    for (int t : threads) {
        Run least;
        Stats of_least;
        for (int i = 0; i < std::max(repeats, 1); ++i) {
            Run run = run_once(algorithm, points, Cpu(t), stats);
            if (least.empty() || run.back().second < least.back().second)
                least = std::move(run), of_least = stats;
        }
        fmt::print("best cpu {} {} points={} threads={}{}\n", algorithm, kind, points.size, t,
                   bench::figures("", least.back().second, of_least));
        std::fflush(stdout);  // a later run may be stopped
        best.push_back(std::move(least));
    }
    print_table(threads, best);
}

/// scale() on threads that needn't be there.
void foresee(std::string const& algorithm, Points<float> points, std::string const& kind, int repeats) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    std::vector<double> const threads{1, 2, 4, 16, 64, inf};
    std::vector<Run> best;
    Stats unread;
    (void)run_once(algorithm, points, Cpu(1), unread);  // has the process's memory made
    for (double t : threads) {
        Run least;
        for (int i = 0; i < std::max(repeats, 1); ++i) {
            WorkSpan foreseen(t);
            WorkSpan::Scope const scope(foreseen);
            Stats stats;
            Run run = run_once(algorithm, points, Cpu(int(std::min(t, 64.))), stats);
            if (least.empty() || run.back().second < least.back().second) least = std::move(run);
        }
        best.push_back(std::move(least));
    }
    fmt::print("foreseen cpu {} {} points={}\n{:<12}", algorithm, kind, points.size, "threads");
    for (double t : threads) fmt::print("{:>9}{}", t, t > 1 ? "  times" : "");
    fmt::print("{:>9}", "share");
    double const whole = best[0].back().second;
    for (std::size_t phase = 0; phase < best[0].size(); ++phase) {
        fmt::print("\n{:<12}", best[0][phase].first);
        for (std::size_t i = 0; i < threads.size(); ++i) {
            double const seconds = best[i][phase].second;
            fmt::print("{:>9.4f}", seconds);
            if (i > 0) fmt::print("{:>7.1f}", best[0][phase].second / seconds);
        }
        fmt::print("{:>8.2f}%", 100 * best.back()[phase].second / whole);
    }
    fmt::print("\n\n");
}

constexpr char usage[] =
    "usage: bench_scaling [knn|fof|catalogue|dbscan|emst|hdbscan|peaks|pairs|gravity|all] [N] "
    "[uniform|clustered] [repeats] "
    "[threads|foreseen]\n";

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> const all{"knn",     "fof",   "catalogue", "dbscan", "emst",
                                       "hdbscan", "peaks", "pairs",     "gravity"};
    std::string const what = argc > 1 ? argv[1] : "all", kind = argc > 3 ? argv[3] : "uniform";
    if (what != "all" && std::find(all.begin(), all.end(), what) == all.end())
        return fmt::print("{}", usage), what == "help" ? 0 : 2;
    auto const number = [&](int i, double otherwise) {
        return argc > i ? std::strtod(argv[i], nullptr) : otherwise;
    };
    try {
        std::size_t const n = std::size_t(number(2, 1e6));
        auto const rows = bench::many_points(kind, n, 1);
        Points<float> const points(rows.data(), n, 3);
        int const repeats = int(number(4, 1));
        bool const foreseen = argc > 5 && argv[5] == std::string("foreseen");
        for (auto const& algorithm : all) {
            if (what != "all" && what != algorithm) continue;
            if (foreseen) foresee(algorithm, points, kind, repeats);
            else scale(algorithm, points, kind, repeats, int(number(5, Cpu().threads())));
        }
    } catch (std::exception const& error) {
        fmt::print(stderr, "{}: {}\n", argv[0], error.what());
        return 1;
    }
}
