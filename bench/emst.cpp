// Euclidean minimum spanning trees by zwalk: the program behind the emst cases of bench/compare.
//
//   bench_emst N min_samples threads kind        times, phase by phase
//   ... --write FOLDER                           leaves the points for other engines
//   ... --engine zwalk --folder FOLDER           one run: JSON, and the lengths in the folder
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "support/points.hpp"
#include "zwalk/emst/emst.hpp"

namespace {

using namespace zwalk;
constexpr int D = 3;

struct Settings {
    double points = 1e6;
    int min_samples = 1, threads = 1, repeats = 3;
    std::string kind = "uniform", real = "float", engine;
    std::filesystem::path write, folder = ".";
};

template <class T>
void write_raw(std::filesystem::path const& path, T const* values, std::size_t n) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<char const*>(values), std::streamsize(n * sizeof(T)));
    if (!out) throw std::runtime_error("cannot write " + path.string());
}

double now() {
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

template <class T>
void measure(Settings const& s) {
    auto const rows = test::make_points<D, T>(s.kind, std::size_t(s.points), 1);
    Points<T> const points(rows);
    if (!s.write.empty()) return write_raw(s.write / "sources", points.data, points.size * D);
    EmstOptions const options{.min_samples = s.min_samples, .threads = s.threads};
    // So that no run pays for starting threads or loading code.
    (void)emst(Points<T>(points.data, std::min<std::size_t>(points.size, 1000), D), options);
    for (int r = 0; r < (s.engine.empty() ? s.repeats : 1); ++r) {
        double const start = now();
        auto const tree = emst(points, options);
        double const seconds = now() - start;
        if (!s.engine.empty()) {
            write_raw(s.folder / (s.engine + ".lengths"), tree.lengths.data(), tree.lengths.size());
            fmt::print("{{\"engine\": \"zwalk\", \"build\": 0, \"query\": {}, \"version\": \"{}\"}}\n",
                       seconds, BENCH_ZWALK_VERSION);
            return;
        }
        fmt::print("{:.4f} s, length {:.9g};", seconds,
                   std::accumulate(tree.lengths.begin(), tree.lengths.end(), 0.));
        for (auto const& [phase, t] : tree.stats.seconds) fmt::print(" {} {:.4f}", phase, t);
        for (auto const& [name, count] : tree.stats.counts) fmt::print(" {} {}", name, count);
        fmt::print("\n");
    }
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    CLI::App app("Euclidean minimum spanning trees by zwalk");
    app.add_option("N", s.points, "points, e.g. 1e6")->check(CLI::Range(1., 1e9));
    app.add_option("min_samples", s.min_samples, "1: Euclidean distances");
    app.add_option("threads", s.threads)->check(CLI::PositiveNumber);
    app.add_option("kind", s.kind, "of points")->check(CLI::IsMember(test::kinds()));
    app.add_option("repeats", s.repeats);
    app.add_option("--real", s.real)->check(CLI::IsMember({"float", "double"}));
    app.add_option("--write", s.write, "write the points to this folder, and stop");
    app.add_option("--engine", s.engine, "run once; print JSON")->check(CLI::IsMember({"zwalk"}));
    app.add_option("--folder", s.folder, "where --engine leaves the lengths");
    CLI11_PARSE(app, argc, argv);
    try {
        s.real == "float" ? measure<float>(s) : measure<double>(s);
    } catch (std::exception const& error) {
        fmt::print(stderr, "bench_emst: {}\n", error.what());
        return 1;
    }
}
