// kNN, friends-of-friends and spanning trees on a GPU, points and results in its memory:
//
//   bench_cuda [self|separate] [N] [k] [repeats]
//   bench_cuda fof [N] [uniform|clustered] [repeats] [b / mean spacing]
//   bench_cuda emst [N] [uniform|clustered] [repeats] [min_samples]
//
// self: N uniform float points in 3-D among themselves, rows in z-order. separate: N queries among N sources.
// fof: groups at b = 0.2 of the mean spacing. emst: the tree, by default of plain distances. clustered: 1 %
// of N clumps of all sizes from 1e-5 to 0.1 of the box. The first run warms up. Prints seconds by phase, and memory.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "zwalk/emst/emst_cuda.hpp"
#include "zwalk/fof/fof_cuda.hpp"
#include "zwalk/knn/knn_cuda.hpp"

namespace {

void check(cudaError_t result) {
    if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

/// Uniform numbers in [0, 1), the same on every machine (splitmix64).
struct Random {
    std::uint64_t seed;
    double operator()() {
        std::uint64_t z = seed += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return double((z ^ (z >> 31)) >> 40) * 0x1p-24;
    }
};

/// Points in the memory of the GPU, generated on the host. They stay until the program ends.
zwalk::DevicePoints<float> on_device(std::vector<float> const& x) {
    void* there = nullptr;
    check(cudaMalloc(&there, x.size() * sizeof(float)));
    check(cudaMemcpy(there, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
    return {static_cast<float*>(there), x.size() / 3, 3};
}

zwalk::DevicePoints<float> uniform_points(std::size_t n, std::uint64_t seed) {
    std::vector<float> x(3 * n);
    Random random{seed};
    for (float& value : x) value = float(random());
    return on_device(x);
}

zwalk::DevicePoints<float> clustered_points(std::size_t n, std::uint64_t seed) {
    std::vector<float> x(3 * n), centre(3 * (n / 100 + 1));
    Random random{seed};
    for (float& value : centre) value = float(random());
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t const c = std::size_t(random() * double(n / 100 + 1));
        double const scale = std::pow(10., -1 - 4 * random());
        for (std::size_t j = 0; j < 3; ++j) {
            double const radius = std::sqrt(-2 * std::log(1 - random()));
            x[3 * i + j] =
                float(centre[3 * c + j] + scale * radius * std::cos(6.283185307179586 * random()));
        }
    }
    return on_device(x);
}

/// Runs `compute` repeats + 1 times, and prints what it took; `name` says what it was.
template <class Compute>
void measure(std::string const& name, int repeats, Compute const& compute) {
    for (int i = 0; i <= repeats; ++i) {
        auto const start = std::chrono::steady_clock::now();
        auto const r = compute();
        std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
        fmt::print("{} {} {:.4f} s ", name, i ? "run" : "warm-up", seconds.count());
        for (auto const& [phase, s] : r.stats.seconds) fmt::print(" {} {:.4f}", phase, s);
        for (auto const& [what, count] : r.stats.counts) fmt::print(" {} {}", what, count);
        fmt::print("\n");
        std::fflush(stdout);  // a later run may be stopped
    }
}

void neighbours(bool self, std::size_t n, zwalk::index_t k, int repeats) {
    auto const points = uniform_points(n, 1), queries = self ? points : uniform_points(n, 2);
    zwalk::KnnOptions const options{.k = k, .order = self ? zwalk::Order::z : zwalk::Order::input};
    measure(fmt::format("{} N {} k {}", self ? "self" : "separate", n, k), repeats, [&] {
        return self ? zwalk::knn(points, options, zwalk::Cuda{})
                    : zwalk::knn(points, queries, options, zwalk::Cuda{});
    });
}

zwalk::DevicePoints<float> points_of(std::string const& kind, std::size_t n) {
    return kind == "clustered" ? clustered_points(n, 1) : uniform_points(n, 1);
}

void groups(std::size_t n, std::string const& kind, int repeats, double fraction) {
    auto const points = points_of(kind, n);
    zwalk::FofOptions const options{.linking_length = fraction / std::cbrt(double(n))};
    measure(fmt::format("fof {} N {} b {}", kind, n, fraction), repeats,
            [&] { return zwalk::fof(points, options, zwalk::Cuda{}); });
}

void spanning_tree(std::size_t n, std::string const& kind, int repeats, int min_samples) {
    auto const points = points_of(kind, n);
    zwalk::EmstOptions const options{.min_samples = min_samples};
    measure(fmt::format("emst {} N {} min_samples {}", kind, n, min_samples), repeats,
            [&] { return zwalk::emst(points, options, zwalk::Cuda{}); });
}

constexpr char usage[] =
    "usage: bench_cuda [self|separate] [N] [k] [repeats]\n"
    "       bench_cuda fof [N] [uniform|clustered] [repeats] [b / mean spacing]\n"
    "       bench_cuda emst [N] [uniform|clustered] [repeats] [min_samples]\n";

}  // namespace

int main(int argc, char** argv) {
    std::string const what = argc > 1 ? argv[1] : "self";
    if (what == "help") return fmt::print("{}", usage), 0;
    if (what != "self" && what != "separate" && what != "fof" && what != "emst")
        return fmt::print("{}", usage), 2;
    auto const number = [&](int i, double otherwise) {
        return argc > i ? std::strtod(argv[i], nullptr) : otherwise;
    };
    std::size_t const n = std::size_t(number(2, 1e6));
    int const repeats = int(number(4, 3));
    try {
        std::string const kind = argc > 3 ? argv[3] : "uniform";
        if (what == "fof") groups(n, kind, repeats, number(5, .2));
        else if (what == "emst") spanning_tree(n, kind, repeats, int(number(5, 1)));
        else neighbours(what == "self", n, zwalk::index_t(number(3, 16)), repeats);
    } catch (std::exception const& error) {
        fmt::print("{}: {}\n", argv[0], error.what());
        return 1;
    }
}
