// What the benchmarks that grow large have in common (bench_cuda, bench_scaling): points that all threads make, and
// lines of figures that people read and programs too, `what key=value ... seconds=0.1234 phase=0.0123 count=5`.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <string>

#include "generate/generate.hpp"
#include "generate/random.hpp"
#include "zwalk/core/buffer.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/exec/cpu.hpp"

namespace bench {

/// The kind "clustered" of tests/support/points.hpp, each point by itself: 1 % of n clumps of all sizes from 1e-5 to
/// 0.1 of the box.
inline zwalk::apps::PointMaker clumps(std::uint64_t n, std::uint64_t seed) {
    using zwalk::apps::Random;
    return [=, points = Random(seed).split(0), centres = Random(seed).split(1)](std::uint64_t i,
                                                                                std::span<double> x) {
        Random own = points.split(i), centre = centres.split(own.next() % (n / 100 + 1));
        double const scale = std::pow(10., -1 - 4 * own.uniform());
        for (double& c : x) c = centre.uniform() + scale * own.normal();
    };
}

/// Rows of n points in three dimensions, "uniform" in the unit cube or "clustered": the same for any number of
/// threads. @throws InputError  another kind
inline zwalk::Buffer<float> many_points(std::string const& kind, std::size_t n, std::uint64_t seed) {
    bool const clustered = kind == "clustered";
    if (!clustered && kind != "uniform")
        throw zwalk::InputError(fmt::format("points are uniform or clustered, not '{}'", kind));
    auto const make = clustered ? clumps(n, seed) : zwalk::apps::point_maker(kind, n, 3, seed);
    zwalk::Buffer<float> rows(3 * n);
    zwalk::Cpu().run([&] {
        zwalk::apps::make_rows(make, {kind, "", !clustered}, 0, n, 3, rows.data());
    });
    return rows;
}

/// What a run took, and what it says of itself.
inline std::string figures(std::string const& what, double seconds, zwalk::Stats const& stats) {
    std::string line = fmt::format("{} seconds={:.5f}", what, seconds);
    for (auto const& [phase, s] : stats.seconds) line += fmt::format(" {}={:.5f}", phase, s);
    for (auto const& [name, count] : stats.counts) line += fmt::format(" {}={}", name, count);
    return line;
}

}  // namespace bench
