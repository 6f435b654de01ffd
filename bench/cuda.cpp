// kNN on a GPU, points and results in its memory:
//
//   bench_cuda [self|separate] [N] [k] [repeats]
//
// self: N uniform float points in 3-D among themselves, rows in z-order. separate: N queries among N sources.
// The first run warms up. Prints seconds by phase, and memory.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "zwalk/knn/knn_cuda.hpp"

namespace {

void check(cudaError_t result) {
    if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

/// Uniform points in the memory of the GPU, generated on the host (splitmix64).
float* uniform_points(std::size_t n, std::uint64_t seed) {
    std::vector<float> x(3 * n);
    for (float& value : x) {
        std::uint64_t z = seed += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        value = float((z ^ (z >> 31)) >> 40) * 0x1p-24f;
    }
    void* there = nullptr;
    check(cudaMalloc(&there, x.size() * sizeof(float)));
    check(cudaMemcpy(there, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
    return static_cast<float*>(there);
}

void run(bool self, std::size_t n, zwalk::index_t k, int repeats) {
    zwalk::DevicePoints<float> const points(uniform_points(n, 1), n, 3);
    zwalk::DevicePoints<float> const queries =
        self ? points : zwalk::DevicePoints<float>(uniform_points(n, 2), n, 3);
    zwalk::KnnOptions const options{.k = k, .order = self ? zwalk::Order::z : zwalk::Order::input};
    for (int i = 0; i <= repeats; ++i) {
        auto const start = std::chrono::steady_clock::now();
        auto const r = self ? zwalk::knn(points, options, zwalk::Cuda{})
                            : zwalk::knn(points, queries, options, zwalk::Cuda{});
        std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
        fmt::print("{} N {} k {} {} {:.4f} s ", self ? "self" : "separate", n, k, i ? "run" : "warm-up",
                   seconds.count());
        for (auto const& [phase, s] : r.stats.seconds) fmt::print(" {} {:.4f}", phase, s);
        for (auto const& [name, count] : r.stats.counts) fmt::print(" {} {}", name, count);
        fmt::print("\n");
    }
}

}  // namespace

int main(int argc, char** argv) {
    bool const self = argc < 2 || std::string(argv[1]) == "self";
    auto const number = [&](int i, double otherwise) {
        return argc > i ? std::strtod(argv[i], nullptr) : otherwise;
    };
    try {
        run(self, std::size_t(number(2, 1e6)), zwalk::index_t(number(3, 16)), int(number(4, 3)));
    } catch (std::exception const& error) {
        fmt::print("{}: {}\n", argv[0], error.what());
        return 1;
    }
}
