// Walks against all pairs in many dimensions: what kNN chooses from (framework/include/zwalk/nearest/detail/rehearsal.hpp).
//
//   bench_all_pairs [D] [N] [k] [threads] [kind]
//
// prints seconds of the walk phase of knn(), float, the least of three calls, for both ways and for the
// one that is taken by itself. All pairs are brute force in blocks, the best way to do without a tree.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "support/points.hpp"
#include "zwalk/knn/knn.hpp"

namespace {

/// Seconds, and whether all pairs met. `way`: what ZWALK_ALL_PAIRS says.
template <class Rows>
std::pair<double, bool> measure(Rows const& rows, zwalk::KnnOptions const& options,
                                zwalk::Cpu const& cpu, char const* way) {
    setenv("ZWALK_ALL_PAIRS", way, 1);
    double best = 1e300;
    bool pairs = false;
    for (int i = 0; i < 3; ++i) {
        auto const stats = zwalk::knn(rows, options, cpu).stats;
        for (auto const& [phase, seconds] : stats.seconds)
            if (phase == "walk") best = std::min(best, seconds);
        for (auto const& [name, count] : stats.counts)
            if (name == "all_pairs") pairs = count == 1;
    }
    return {best, pairs};
}

template <int D>
void run(char const* kind, std::size_t n, zwalk::KnnOptions const& options, zwalk::Cpu const& cpu) {
    auto const rows = test::make_points<D, float>(kind, n, 1);
    double const walk = measure(rows, options, cpu, "0").first,
                 pairs = measure(rows, options, cpu, "1").first;
    auto const [taken, which] = measure(rows, options, cpu, "");
    std::printf("%d-D %s, N = %zu, k = %d: walk %.3f, all pairs %.3f, automatic %.3f (%s)\n", D, kind, n,
                int(options.k), walk, pairs, taken, which ? "all pairs" : "walk");
}

template <int... D>
void run_any(int dim, char const* kind, std::size_t n, zwalk::KnnOptions const& options,
             zwalk::Cpu const& cpu) {
    if (!((dim == D && (run<D>(kind, n, options, cpu), true)) || ...))
        throw std::invalid_argument("no such D");
}

}  // namespace

int main(int argc, char** argv) {
    int const dim = argc > 1 ? std::atoi(argv[1]) : 16;
    auto const n = std::size_t(argc > 2 ? std::atof(argv[2]) : 1e4);
    zwalk::KnnOptions options;
    options.k = argc > 3 ? std::atoi(argv[3]) : 16;
    zwalk::Cpu const cpu(argc > 4 ? std::atoi(argv[4]) : 1);
    try {
        run_any<3, 6, 8, 10, 16, 32, 64>(dim, argc > 5 ? argv[5] : "uniform", n, options, cpu);
    } catch (std::exception const& error) {
        std::fprintf(stderr, "bench_all_pairs: %s\n", error.what());
        return 1;
    }
}
