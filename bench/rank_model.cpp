// What kNN (k = 16) and friends-of-friends (b = 0.2) take on ranks, predicted: local work, and steps between ranks by the model
// that `zwalk info --ranks` prints with the speeds that it measures (apps/cli/rank_model.hpp).
//
//   bench_rank_model [N] [ranks] [threads of a rank] [bytes a second] [seconds of a wait]
//
// of N uniform float points in 3-D, in any order, results in the order of the input.
#include "cli/rank_model.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace {

using namespace zwalk::apps;

// Seconds of one point on one core: docs/performance/ranks.md.
constexpr double knn_local = .93e-6, fof_local = .22e-6;

}  // namespace

int main(int argc, char** argv) {
    auto const argument = [&](int i, double usual) { return argc > i ? std::atof(argv[i]) : usual; };
    RankTask const task{argument(1, 1e9), int(argument(2, 64))};
    double const threads = argument(3, 16), beta = argument(4, 12.5e9), alpha = argument(5, 1e-5);
    auto const print = [&](char const* what, double local, std::vector<StepCost> const& steps) {
        double sum = local * task.points / task.ranks / threads;
        fmt::print("{:<4}{:<8}{:>32}{:>9.4f} s\n", what, "local", "", sum);
        for (StepCost const& step : steps) {
            double const seconds = step.seconds(alpha, beta);
            fmt::print("{:<4}{:<8}{:>9.2e} bytes{:>5} waits{:>15.4f} s\n", what, step.name, step.bytes,
                       step.waits, seconds);
            sum += seconds;
        }
        fmt::print("{:<4}{:<8}{:>32}{:>9.4f} s\n", what, "all", "", sum);
    };
    print("knn", knn_local, knn_steps(task, 16));
    print("fof", fof_local, fof_steps(task));
}
