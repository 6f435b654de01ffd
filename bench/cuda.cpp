// kNN, friends-of-friends, spanning trees and gravity on a GPU, points and results in its memory:
//
//   bench_cuda [self|separate] [N] [k] [repeats]
//   bench_cuda batch [N] [k] [repeats] [queries...]
//   bench_cuda fof [N] [uniform|clustered] [repeats] [b / mean spacing]
//   bench_cuda emst [N] [uniform|clustered] [repeats] [min_samples...]
//   bench_cuda gravity [N] [uniform|clustered] [repeats] [accuracy...]
//
// self: N uniform float points in 3-D among themselves, rows in z-order. separate: N queries among N sources.
// batch: few queries against an index of N points, 20 calls a run; they descend one by one, and are walked (ZWALK_DESCENTS).
// fof: groups at b = 0.2 of the mean spacing. emst: the tree, by default of plain distances; one after the other for
// several min_samples. gravity: of masses of 1, softened by 1e-5 of the box, at an accuracy of 1e-3, or several. clustered: 1 % of N clumps of all sizes from 1e-5 to 0.1 of the box. The first run warms up.
// Prints a line per run, seconds by phase and counts, and the fastest one again as `best`.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "figures.hpp"
#include "zwalk/emst/emst_cuda.hpp"
#include "zwalk/fof/fof_cuda.hpp"
#include "zwalk/gravity/gravity_cuda.hpp"
#include "zwalk/knn/knn_cuda.hpp"
#include "zwalk/tree/joint.hpp"

namespace {

void check(cudaError_t result) {
    if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

/// Points in the memory of the GPU. They stay until the program ends.
zwalk::DevicePoints<float> points_of(std::string const& kind, std::size_t n, std::uint64_t seed = 1) {
    auto const rows = bench::many_points(kind, n, seed);
    void* there = nullptr;
    check(cudaMalloc(&there, rows.size() * sizeof(float)));
    check(cudaMemcpy(there, rows.data(), rows.size() * sizeof(float), cudaMemcpyHostToDevice));
    return {static_cast<float*>(there), n, 3};
}

/// The GPU, with one pool of memory for all runs.
zwalk::Cuda gpu() {
    static auto const pool = zwalk::cuda_pool_memory(0);
    return {.memory = pool};
}

/// Runs `compute` repeats + 1 times, and prints what it took; `name` says what it was.
template <class Compute>
void measure(std::string const& name, int repeats, Compute const& compute) {
    double least = zwalk::infinity<double>;
    std::string best;
    for (int i = 0; i <= repeats; ++i) {
        double const start = zwalk::now_seconds();
        auto const r = compute();
        double const seconds = zwalk::now_seconds() - start;
        auto const line = bench::figures(name, seconds, r.stats);
        fmt::print("run {} {}\n", i, line);
        std::fflush(stdout);  // a later run may be stopped
        if (i && seconds < least) least = seconds, best = line;
    }
    if (!best.empty()) fmt::print("best {}\n", best);
    std::fflush(stdout);
}

void neighbours(bool self, std::size_t n, zwalk::index_t k, int repeats) {
    auto const points = points_of("uniform", n), queries = self ? points : points_of("uniform", n, 2);
    zwalk::KnnOptions const options{.k = k, .order = self ? zwalk::Order::z : zwalk::Order::input};
    measure(fmt::format("knn {} uniform points={} k={}", self ? "self" : "separate", n, k), repeats,
            [&] {
                return self ? zwalk::knn(points, options, gpu())
                            : zwalk::knn(points, queries, options, gpu());
            });
}

void batches(std::size_t n, zwalk::index_t k, int repeats, std::vector<std::size_t> const& sizes) {
    constexpr int calls = 20;
    zwalk::CudaIndex<float> const index(points_of("uniform", n), {}, gpu());
    for (std::size_t size : sizes) {
        auto const queries = points_of("uniform", size, 2);
        for (char const* descents : {"1", "0"}) {
            setenv("ZWALK_DESCENTS", descents, 1);
            measure(fmt::format("knn batch uniform sources={} queries={} k={} descents={} points={}", n,
                                size, k, descents, calls * size),
                    repeats, [&] {
                        for (int i = 1; i < calls; ++i) (void)zwalk::knn(index, queries, {.k = k});
                        return zwalk::knn(index, queries, {.k = k});
                    });
        }
        unsetenv("ZWALK_DESCENTS");
    }
}

void groups(std::size_t n, std::string const& kind, int repeats, double fraction) {
    auto const points = points_of(kind, n);
    zwalk::FofOptions const options{.linking_length = fraction / std::cbrt(double(n))};
    measure(fmt::format("fof {} points={} b={}", kind, n, fraction), repeats,
            [&] { return zwalk::fof(points, options, gpu()); });
}

void spanning_trees(std::size_t n, std::string const& kind, int repeats,
                    std::vector<int> const& samples) {
    auto const points = points_of(kind, n);
    for (int min_samples : samples)
        measure(fmt::format("emst {} points={} min_samples={}", kind, n, min_samples), repeats,
                [&] { return zwalk::emst(points, {.min_samples = min_samples}, gpu()); });
}

void forces(std::size_t n, std::string const& kind, int repeats, std::vector<double> const& accuracies) {
    auto const points = points_of(kind, n);
    for (double accuracy : accuracies)
        measure(fmt::format("gravity {} points={} accuracy={}", kind, n, accuracy), repeats, [&] {
            return zwalk::gravity(points, {.softening = 1e-5, .accuracy = accuracy}, gpu());
        });
}

constexpr char usage[] =
    "usage: bench_cuda [self|separate] [N] [k] [repeats]\n"
    "       bench_cuda batch [N] [k] [repeats] [queries...]\n"
    "       bench_cuda fof [N] [uniform|clustered] [repeats] [b / mean spacing]\n"
    "       bench_cuda emst [N] [uniform|clustered] [repeats] [min_samples...]\n"
    "       bench_cuda gravity [N] [uniform|clustered] [repeats] [accuracy...]\n";

}  // namespace

int main(int argc, char** argv) {
    std::string const what = argc > 1 ? argv[1] : "self";
    if (what == "help") return fmt::print("{}", usage), 0;
    if (what != "self" && what != "separate" && what != "batch" && what != "fof" && what != "emst" &&
        what != "gravity")
        return fmt::print("{}", usage), 2;
    auto const number = [&](int i, double otherwise) {
        return argc > i ? std::strtod(argv[i], nullptr) : otherwise;
    };
    std::size_t const n = std::size_t(number(2, 1e6));
    int const repeats = int(number(4, 3));
    try {
        std::string const kind = argc > 3 ? argv[3] : "uniform";
        if (what == "fof") groups(n, kind, repeats, number(5, .2));
        else if (what == "emst") {
            std::vector<int> samples{int(number(5, 1))};
            for (int i = 6; i < argc; ++i) samples.push_back(int(number(i, 1)));
            spanning_trees(n, kind, repeats, samples);
        } else if (what == "gravity") {
            std::vector<double> accuracies{number(5, 1e-3)};
            for (int i = 6; i < argc; ++i) accuracies.push_back(number(i, 1e-3));
            forces(n, kind, repeats, accuracies);
        } else if (what == "batch") {
            std::vector<std::size_t> sizes{std::size_t(number(5, 1000))};
            for (int i = 6; i < argc; ++i) sizes.push_back(std::size_t(number(i, 1000)));
            batches(n, zwalk::index_t(number(3, 16)), repeats, sizes);
        } else neighbours(what == "self", n, zwalk::index_t(number(3, 16)), repeats);
    } catch (std::exception const& error) {
        fmt::print("{}: {}\n", argv[0], error.what());
        return 1;
    }
}
