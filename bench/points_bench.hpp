// What the programs behind bench/compare have in common: raw files, and for algorithms that make one thing of
// one set of points (bench_dbscan, bench_fof, bench_emst, bench_radius) their command line.
#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>

#include "support/points.hpp"
#include "zwalk/core/points.hpp"

namespace bench {

template <class T>
void write_raw(std::filesystem::path const& path, std::span<T const> data) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<char const*>(data.data()), std::streamsize(data.size_bytes()));
    if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

inline double now() {
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

/// Options of a program on points in three dimensions.
struct PointsSettings {
    static constexpr int dim = 3;
    double points = 1e6;
    int threads = 1, repeats = 3;
    std::string kind = "uniform", real = "float", engine;
    std::filesystem::path write, folder = ".";
};

/// One algorithm as bench_NAME: `bench_NAME N OWN threads kind [repeats]`, where OWN is the job's own option.
///
/// A Job has `name`, `title`, `files` (of --engine), `add_option(app)`, `prepare(points)`,
/// `solve(points, threads)`, `print(points, result, threads)`, `values(result)` (what --engine writes),
/// `write(folder)`.
template <class T, class Job>
void measure_points(Job job, PointsSettings const& s) {
    auto const rows = test::make_points<PointsSettings::dim, T>(s.kind, std::size_t(s.points), 1);
    zwalk::Points<T> const points(rows);
    job.prepare(points);
    if (!s.write.empty()) {
        write_raw<T>(s.write / "sources", {points.data, points.size * PointsSettings::dim});
        return job.write(s.write);
    }
    // So that no run pays for starting threads or loading code.
    (void)job.solve(zwalk::Points<T>(points.data, std::min<std::size_t>(points.size, 1000), points.dim),
                    s.threads);
    for (int r = 0; r < (s.engine.empty() ? s.repeats : 1); ++r) {
        double const start = now();
        auto const result = job.solve(points, s.threads);
        double const seconds = now() - start;
        if (!s.engine.empty()) {
            auto const values = job.values(result);
            write_raw(s.folder / (s.engine + "." + job.files), std::span(values));
            fmt::print("{{\"engine\": \"zwalk\", \"build\": 0, \"query\": {}, \"version\": \"{}\"}}\n",
                       seconds, BENCH_ZWALK_VERSION);
            return;
        }
        fmt::print("{:.4f} s, ", seconds);
        job.print(points, result, s.threads);
        for (auto const& [phase, t] : result.stats.seconds) fmt::print(" {} {:.4f}", phase, t);
        for (auto const& [name, count] : result.stats.counts) fmt::print(" {} {}", name, count);
        fmt::print("\n");
    }
}

template <class Job>
int points_main(Job job, int argc, char** argv) {
    PointsSettings s;
    CLI::App app(job.title);
    app.add_option("N", s.points, "points, e.g. 1e6")->check(CLI::Range(1., 1e9));
    job.add_option(app);
    app.add_option("threads", s.threads)->check(CLI::PositiveNumber);
    app.add_option("kind", s.kind, "of points")->check(CLI::IsMember(test::kinds()));
    app.add_option("repeats", s.repeats);
    app.add_option("--real", s.real)->check(CLI::IsMember({"float", "double"}));
    app.add_option("--write", s.write, "write the input to this folder, and stop");
    app.add_option("--engine", s.engine, "run once; print JSON")->check(CLI::IsMember({"zwalk"}));
    app.add_option("--folder", s.folder, "where --engine leaves its results");
    CLI11_PARSE(app, argc, argv);
    try {
        s.real == "float" ? measure_points<float>(job, s) : measure_points<double>(job, s);
    } catch (std::exception const& error) {
        fmt::print(stderr, "bench_{}: {}\n", job.name, error.what());
        return 1;
    }
    return 0;
}

}  // namespace bench
