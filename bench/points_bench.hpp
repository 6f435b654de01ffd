// For algorithms that make one thing of one set of points (bench_dbscan, bench_emst, bench_fof, bench_pairs, bench_peaks,
// bench_radius): their command line, and what all of them do.
#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "measure.hpp"
#include "points_options.hpp"
#include "zwalk/core/points.hpp"

namespace bench {

struct PointsSettings {
    PointsOptions input{};
    int threads = 1, repeats = 3;
    std::string engine;
    std::filesystem::path write, folder = ".";
};

/// One run, beside what it found.
struct Run {
    int threads;
    double seconds;
};

/// One algorithm as bench_NAME: `bench_NAME N OWN threads kind [repeats]`, where OWN is the job's own option. All of these have names,
/// too, since points of a file are of no kind: `bench_NAME --file POINTS.npy --threads 2`. `--dim`, `--real`, `--box` and the rest
/// are in points_options.hpp.
///
/// A Job has `name`, `title`, `files` (of --engine), `add_option(app)`, `prepare(points, box)`,
/// `solve(points, threads)`, `print(points, result, run)`, `values(result)` (what --engine writes),
/// `write(folder)`.
template <class T, class Job>
void measure_points(Job job, PointsSettings const& s) {
    BenchPoints<T> const given(s.input);
    zwalk::Points<T> const points = *given;
    job.prepare(points, s.input.box);
    if (!s.write.empty()) {
        write_raw<T>(s.write / "sources", {points.data, points.size * std::size_t(points.dim)});
        return job.write(s.write);
    }
    if (s.input.from_file() && s.engine.empty())
        fmt::print("{} points of {}, {}-D\n", points.size, s.input.name(), points.dim);
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
        job.print(points, result, Run{s.threads, seconds});
        for (auto const& [phase, t] : result.stats.seconds) fmt::print(" {} {:.4f}", phase, t);
        for (auto const& [name, count] : result.stats.counts) fmt::print(" {} {}", name, count);
        fmt::print("\n");
    }
}

template <class Job>
int points_main(Job job, int argc, char** argv) {
    PointsSettings s;
    CLI::App app(job.title);
    s.input.add_count(app);
    job.add_option(app);
    app.add_option("threads,--threads", s.threads)->check(CLI::PositiveNumber);
    s.input.add_kind(app);
    app.add_option("repeats,--repeats", s.repeats);
    auto* const write = app.add_option("--write", s.write, "write the input to this folder, and stop");
    s.input.add_rest(app, write);
    app.add_option("--engine", s.engine, "run once; print JSON")->check(CLI::IsMember({"zwalk"}));
    app.add_option("--folder", s.folder, "where --engine leaves its results");
    CLI11_PARSE(app, argc, argv);
    try {
        s.input.real == "float" ? measure_points<float>(job, s) : measure_points<double>(job, s);
    } catch (std::exception const& error) {
        fmt::print(stderr, "bench_{}: {}\n", job.name, error.what());
        return 1;
    }
    return 0;
}

}  // namespace bench
