// What algorithms on MPI ranks cost: seconds of each phase, bytes of each step, points that are brought in.
//
//   mpirun -n P bench_ranks [N] [k] [kind] [input|z] [repeats]
//   mpirun -n P bench_ranks [N] fof [kind] [linking length / mean spacing] [repeats]
//   mpirun -n P bench_ranks [N] emst [kind] [min_samples] [repeats]
//   mpirun -n P bench_ranks [N] radius|count|dbscan|pairs [kind] [radius / mean spacing] [repeats]
//   mpirun -n P bench_ranks [N] gravity [kind] [accuracy] [repeats]
//
// N float points in 3-D of all ranks together, one thread each; neighbours in the order of the input or of the z-order; count is
// radius_count(), dbscan has min_samples 10, pairs 16 bins. Of the
// repeats the fastest counts. Seconds are those of the slowest and the fastest rank; bytes are per point of a rank, the
// largest of all ranks; `imported` is a share of a rank's own points. Bytes, steps and shares are exact anywhere; seconds
// say something where each rank has a core of its own.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/points.hpp"
#include "zwalk/core/clock.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/gravity/gravity.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/radius/radius.hpp"
#include "zwalk/run/rank_index.hpp"

namespace {

using namespace zwalk;

struct Spread {
    double least, most;
};
Spread over_ranks(Comm& comm, double value) {
    return {comm.reduce_all(value, [](double a, double b) { return std::min(a, b); }),
            comm.reduce_all(value, [](double a, double b) { return std::max(a, b); })};
}

/// @param solve  solve(own points)
template <class Solve>
void run(std::size_t n, std::string const& what, Solve const& solve, std::string const& kind,
         int repeats) {
    Comm comm{Mpi{}};
    auto const ranks = std::size_t(comm.size()), rank = std::size_t(comm.rank());
    auto const all = test::make_points<3, float>(kind, n, 1);
    std::size_t const begin = n * rank / ranks, end = n * (rank + 1) / ranks;
    Points<float> const local(all.data()->data() + 3 * begin, end - begin, 3);
    decltype(solve(local)) best;
    double fastest = infinity<double>;
    for (int i = 0; i < repeats; ++i) {
        (void)over_ranks(comm, 0);  // all begin together
        double const start = now_seconds();
        auto r = solve(local);
        double const seconds = over_ranks(comm, now_seconds() - start).most;
        if (seconds < fastest) {
            fastest = seconds;
            best = std::move(r);
        }
    }
    auto const say = [&](std::string const& line) {
        if (comm.rank() == 0) fmt::print("{}\n", line);
    };
    say(fmt::format("{} {} points, {}, {} ranks: {:.3f} s", n, kind, what, ranks, fastest));
    for (auto const& [phase, seconds] : best.stats.seconds) {
        auto const s = over_ranks(comm, seconds);
        say(fmt::format("  {:<8} {:.3f} - {:.3f} s", phase, s.least, s.most));
    }
    double const own = double(n) / double(ranks);
    std::uint64_t waits = 0;
    for (StepStats const& step : best.stats.steps) waits += step.collectives;
    say(fmt::format("  {} collective steps", waits));
    for (StepStats const& step : best.stats.steps) {
        double const bytes = over_ranks(comm, double(step.bytes)).most;
        say(fmt::format("  {:<8} {} collective steps, {:.2f} bytes per point", step.name,
                        step.collectives, bytes / own));
    }
    for (auto const& [name, count] : best.stats.counts)
        if (name == "imported") {
            auto const share = over_ranks(comm, double(count) / own);
            say(fmt::format("  imported {:.3f} - {:.3f} of the own points", share.least, share.most));
        } else if (name == "parts" || name == "rounds" || name == "searches") {
            say(fmt::format("  {} {}", count, name));
        }
}

}  // namespace

int main(int argc, char** argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    auto const argument = [&](int i, char const* usual) {
        return std::string(argc > i ? argv[i] : usual);
    };
    auto const n = std::size_t(std::atof(argument(1, "1e6").c_str()));
    auto const what = argument(2, "16"), kind = argument(3, "uniform");
    int const repeats = std::atoi(argument(5, "3").c_str());
    auto const spacings = [&](char const* usual) {
        return std::atof(argument(4, usual).c_str()) *
               mean_spacing(test::make_points<3, float>(kind, n, 1));
    };
    if (what == "radius" || what == "count") {
        RadiusOptions const options{.radius = spacings("1")};
        run(
            n, what,
            [&](Points<float> own) {
                return what == "count" ? radius_count(own, options, Mpi{}, Cpu(1))
                                       : radius_search(own, options, Mpi{}, Cpu(1));
            },
            kind, repeats);
    } else if (what == "dbscan") {
        DbscanOptions const options{.epsilon = spacings("1"), .min_samples = 10};
        run(
            n, what, [&](Points<float> own) { return dbscan(own, options, Mpi{}, Cpu(1)); }, kind,
            repeats);
    } else if (what == "pairs") {
        PairOptions options;
        double const largest = spacings("2");
        for (int i = 0; i <= 16; ++i) options.edges.push_back(largest * i / 16);
        run(
            n, what, [&](Points<float> own) { return pair_counts(own, options, Mpi{}, Cpu(1)); }, kind,
            repeats);
    } else if (what == "gravity") {
        GravityOptions const options{.accuracy = std::atof(argument(4, "1e-3").c_str())};
        run(
            n, what, [&](Points<float> own) { return gravity(own, options, Mpi{}, Cpu(1)); }, kind,
            repeats);
    } else if (what == "emst") {
        EmstOptions const options{.min_samples = std::atoi(argument(4, "1").c_str())};
        run(
            n, fmt::format("spanning tree, min_samples = {}", options.min_samples),
            [&](Points<float> own) { return emst(own, options, Mpi{}, Cpu(1)); }, kind, repeats);
    } else if (what == "fof") {
        FofOptions const options{.linking_length = spacings("0.2")};
        run(
            n, fmt::format("friends-of-friends, b = {}", argument(4, "0.2")),
            [&](Points<float> own) { return fof(own, options, Mpi{}, Cpu(1)); }, kind, repeats);
    } else {
        KnnOptions options{.k = index_t(std::atoi(what.c_str()))};
        if (argument(4, "input") == "z") options.order = Order::z;
        run(
            n, fmt::format("k = {}", options.k),
            [&](Points<float> own) { return knn(own, options, Mpi{}, Cpu(1)); }, kind, repeats);
    }
    MPI_Finalize();
}
