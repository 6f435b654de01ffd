// What the rule of an index is made from (framework/include/zwalk/nearest/ways.hpp): descents and walks of the
// same batches, one thread, float.
//
//   bench_index_ways D [N] [k] [kind] [seconds]
//
// prints microseconds per query of both ways, which of them the rule takes, and how much longer that is
// than the better one. Batches that would take longer than `seconds` are left out.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "support/points.hpp"
#include "zwalk/knn/knn.hpp"

namespace {

struct Settings {
    std::size_t n;
    zwalk::index_t k;
    char const* kind;
    double limit;
};

/// Seconds of one call with that way forced, the least of a few.
template <int D>
double seconds(zwalk::Index<float> const& index, test::Rows<D, float> const& queries, std::size_t batch,
               zwalk::index_t k, bool descents) {
    setenv("ZWALK_DESCENTS", descents ? "1" : "0", 1);
    double best = 1e300, sum = 0;
    for (std::size_t r = 0; r < 3 || (r < 50 && sum < .1); ++r) {
        std::size_t const begin = r * batch % (queries.size() - batch + 1);
        auto const start = std::chrono::steady_clock::now();
        (void)zwalk::knn(index, zwalk::Points(queries[begin].data(), batch, D), {.k = k});
        std::chrono::duration<double> const t = std::chrono::steady_clock::now() - start;
        best = std::min(best, t.count());
        sum += t.count();
        if (sum > 3) break;
    }
    unsetenv("ZWALK_DESCENTS");
    return best;
}

/// True if the rule takes descents: what was done is in the statistics.
template <int D>
bool descends(zwalk::Index<float> const& index, test::Rows<D, float> const& queries, std::size_t batch,
              zwalk::index_t k) {
    auto const stats = zwalk::knn(index, zwalk::Points(queries[0].data(), batch, D), {.k = k}).stats;
    return std::none_of(stats.seconds.begin(), stats.seconds.end(),
                        [](auto const& phase) { return phase.first == "walk"; });
}

template <int D>
void measure(Settings const& s) {
    auto const sources = test::make_points<D, float>(s.kind, s.n, 1);
    auto const queries = test::make_points<D, float>(s.kind, 1000000, 2);
    zwalk::Index<float> const index(sources, {}, zwalk::Cpu(1));
    std::printf("%d-D %s, N = %zu, k = %d; us per query\n", D, s.kind, s.n, int(s.k));
    std::printf("   batch   descents       walk  rule      / better\n");
    double down = 0, walk = 0;
    for (std::size_t const batch : {100, 1000, 3000, 10000, 30000, 100000, 300000, 1000000}) {
        if (std::max(down, walk) * double(batch) > s.limit) break;
        down = seconds<D>(index, queries, batch, s.k, true) / double(batch);
        walk = seconds<D>(index, queries, batch, s.k, false) / double(batch);
        bool const taken = descends<D>(index, queries, batch, s.k);
        std::printf("%8zu %10.3f %10.3f  %-8s %8.2f\n", batch, 1e6 * down, 1e6 * walk,
                    taken ? "descents" : "walk", (taken ? down : walk) / std::min(down, walk));
        std::fflush(stdout);
    }
}

template <int... D>
void measure_any(int dim, Settings const& s) {
    if (!((dim == D && (measure<D>(s), true)) || ...)) throw std::invalid_argument("no such D");
}

}  // namespace

int main(int argc, char** argv) {
    int const dim = argc > 1 ? std::atoi(argv[1]) : 3;
    Settings const s{.n = std::size_t(argc > 2 ? std::atof(argv[2]) : 1e6),
                     .k = argc > 3 ? std::atoi(argv[3]) : 16,
                     .kind = argc > 4 ? argv[4] : "uniform",
                     .limit = argc > 5 ? std::atof(argv[5]) : 4};
    try {
        measure_any<1, 2, 3, 4, 6, 8, 10, 16, 32>(dim, s);
    } catch (std::exception const& error) {
        std::fprintf(stderr, "bench_index_ways: %s\n", error.what());
        return 1;
    }
}
