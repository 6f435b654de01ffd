// Build once, query many: what an index costs, and what a batch of queries.
//
//   bench_index [N] [k] [threads] [kind]
//
// The first query of each kind is the first one after the build, and again after the caches were
// swept with other data; both without any query before that could have warmed up code or memory.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "support/points.hpp"
#include "zwalk/knn/knn.hpp"

namespace {

using Rows = test::Rows<3, float>;

double now() {
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

/// Microseconds that f takes.
template <class F>
double microseconds(F const& f) {
    double const start = now();
    f();
    return 1e6 * (now() - start);
}

zwalk::Points<float> part(Rows const& rows, std::size_t begin, std::size_t n) {
    return {rows[begin].data(), n, 3};
}

/// Reads and writes more memory than the caches hold.
void sweep_caches() {
    static std::vector<unsigned char> other(std::size_t(1) << 30);
    for (std::size_t i = 0; i < other.size(); i += 64) ++other[i];
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t const n = argc > 1 ? std::size_t(std::atof(argv[1])) : 1000000;
    auto const k = zwalk::index_t(argc > 2 ? std::atoi(argv[2]) : 16);
    zwalk::Cpu const cpu(argc > 3 ? std::atoi(argv[3]) : 0);
    char const* const kind = argc > 4 ? argv[4] : "uniform";
    Rows const sources = test::make_points<3, float>(kind, n, 1);
    Rows const queries = test::make_points<3, float>(kind, 1000000, 2);

    double start = now();
    zwalk::Index<float> const index(sources, {}, cpu);
    std::printf("%zu %s points, k = %d\nbuild %.3f s\n", n, kind, int(k), now() - start);
    std::printf("first query: %.1f us after the build",
                microseconds([&] { (void)zwalk::knn(index, part(queries, 0, 1), {.k = k}); }));
    sweep_caches();
    std::printf(", %.1f us with cold caches\n",
                microseconds([&] { (void)zwalk::knn(index, part(queries, 1, 1), {.k = k}); }));

    std::printf("   batch   us/query\n");
    for (std::size_t const batch : {1, 10, 100, 1000, 10000, 100000, 300000, 1000000}) {
        std::size_t const repeats = std::max<std::size_t>(3, 2000 / batch);
        double best = 1e300, sum = 0;
        for (std::size_t r = 0; r < repeats; ++r) {
            auto const points = part(queries, r * batch % (queries.size() - batch + 1), batch);
            double const us = microseconds([&] { (void)zwalk::knn(index, points, {.k = k}); });
            best = std::min(best, us);
            sum += us;
        }
        std::printf("%8zu   %8.3f mean, %8.3f best\n", batch, sum / double(repeats * batch),
                    best / double(batch));
    }

    start = now();
    (void)zwalk::knn(zwalk::Points<float>(sources), zwalk::Points<float>(queries), {.k = k}, cpu);
    std::printf("knn(sources, queries), build included: %.3f us/query\n",
                1e6 * (now() - start) / double(queries.size()));
}
