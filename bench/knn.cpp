// kNN beside nanoflann on the same points:
//
//   bench_knn [N] [k] [threads] [kind] [repeats] [--dim 2] [--real double] [--queries M] [--order z]
//   bench_knn --file POINTS.npy [-k 8] [--threads 2]    points of a file, in two or three dimensions
//   ... --box 1                                         zwalk alone: nanoflann knows no periodic box
//
// runs the engines in turn and prints a line per round. For bench/compare, which adds engines of
// other languages, it writes the points to a folder (--write), or runs one engine once and leaves
// the k-th neighbours there (--engine).
//
// nanoflann-readme: nanoflann as its README shows it (leaf 10, points and queries in input order).
// nanoflann-tuned:  leaf 24, points and queries already in z-order (that sort isn't counted).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <string>

#include "engines.hpp"
#include "points_bench.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/zorder/sort.hpp"

namespace bench { namespace {

struct Settings {
    PointsOptions input{};
    double queries = 0;  ///< a real number, so that 1e6 can be said
    std::size_t k = 16;
    int threads = 2, repeats = 3;
    std::string order = "input", engine, write;
    std::filesystem::path folder = ".";
};

std::array<std::string, 3> const engines{"zwalk", "nanoflann-readme", "nanoflann-tuned"};

template <int D, class T>
Answer<T> run_zwalk(Task<D, T> const& task) {
    zwalk::KnnOptions options;
    options.k = zwalk::index_t(task.k);
    options.box = task.box;
    zwalk::Cpu const cpu(task.threads);
    auto const start = std::chrono::steady_clock::now();
    auto const r = task.queries.empty() ? zwalk::knn(zwalk::Points<T>(task.sources), options, cpu)
                                        : zwalk::knn(zwalk::Points<T>(task.sources),
                                                     zwalk::Points<T>(task.queries), options, cpu);
    std::chrono::duration<double> const total = std::chrono::steady_clock::now() - start;
    Answer<T> answer;
    answer.phases = r.stats.seconds;
    for (auto const& [phase, seconds] : answer.phases)
        if (phase != "walk") answer.build += seconds;
    answer.query = total.count() - answer.build;
    for (std::size_t i = 0; i < r.rows; ++i) {
        answer.distance.push_back(r.distances[(i + 1) * r.columns - 1]);
        answer.index.push_back(r.indices[(i + 1) * r.columns - 1]);
    }
    return answer;
}

template <class Row>
std::vector<zwalk::pos_t> z_order(std::vector<Row> const& rows, int threads) {
    zwalk::Cpu const cpu(threads);
    auto const order = zwalk::z_sort(cpu, zwalk::Points(rows));
    return {order.begin(), order.end()};
}

template <class Row>
std::vector<Row> gathered(std::vector<Row> const& rows, std::vector<zwalk::pos_t> const& order) {
    std::vector<Row> out;
    out.reserve(order.size());
    for (zwalk::pos_t i : order) out.push_back(rows[i]);
    return out;
}

template <int D, class T>
Task<D, T> make_task(Settings const& s) {
    return {test::make_points<D, T>(s.input.kind, s.input.made(), 1),
            test::make_points<D, T>(s.input.kind, std::size_t(s.queries), 2), s.k, s.threads,
            s.input.box};
}

template <int D, class T>
Task<D, T> task_of(zwalk::Points<T> points, Settings const& s) {
    test::Rows<D, T> rows(points.size);
    for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(points.data + i * D, D, rows[i].data());
    return {std::move(rows), {}, s.k, s.threads, s.input.box};
}

/// A task whose sources and queries are in z-order, and their rows in the original one.
template <int D, class T>
struct SortedTask {
    Task<D, T> task;
    std::vector<zwalk::pos_t> source_row, target_row;
};

template <int D, class T>
SortedTask<D, T> sorted(Task<D, T> const& task) {
    SortedTask<D, T> s;
    s.source_row = z_order(task.sources, task.threads);
    s.target_row = task.queries.empty() ? s.source_row : z_order(task.queries, task.threads);
    s.task = {gathered(task.sources, s.source_row), {}, task.k, task.threads, task.box};
    if (!task.queries.empty()) s.task.queries = gathered(task.queries, s.target_row);
    return s;
}

/// The answer to a sorted task, in the rows of the original one.
template <int D, class T>
Answer<T> in_input_order(Answer<T> const& in, SortedTask<D, T> const& s) {
    Answer<T> out = in;
    for (std::size_t i = 0; i < s.target_row.size(); ++i) {
        out.distance[s.target_row[i]] = in.distance[i];
        out.index[s.target_row[i]] = s.source_row[std::size_t(in.index[i])];
    }
    return out;
}

template <int D, class T>
Answer<T> run(std::string const& engine, Task<D, T> const& task, SortedTask<D, T> const& sorted) {
    if (engine == "zwalk") return run_zwalk(task);
    if (engine == "nanoflann-readme") return run_nanoflann(task, 10);
    return in_input_order(run_nanoflann(sorted.task, 24), sorted);
}

/// So that no engine pays for starting threads or loading code in a measured run.
template <int D, class T>
void warm_up(std::string const& engine, Task<D, T> task) {
    task.sources.resize(std::min<std::size_t>(task.sources.size(), 1000));
    task.queries.resize(std::min<std::size_t>(task.queries.size(), 1000));
    task.k = std::min(task.k, task.sources.size());
    run(engine, task, sorted(task));
}

template <int D, class T>
void write_points(Settings const& s, Task<D, T> const& task) {
    std::filesystem::path const folder = s.write;
    auto const write = [&](std::string const& name, test::Rows<D, T> const& rows) {
        if (rows.empty()) return;
        write_raw<T>(folder / name, {rows.front().data(), rows.size() * D});
        write_raw<zwalk::pos_t>(folder / (name + ".order"), z_order(rows, task.threads));
    };
    write("sources", task.sources);
    write("queries", task.queries);
}

template <int D, class T>
void run_one(Settings const& s, Task<D, T> const& task) {
    warm_up(s.engine, task);
    auto const answer = run(s.engine, task, sorted(task));
    write_raw<T>(s.folder / (s.engine + ".distance"), answer.distance);
    write_raw<std::int64_t>(s.folder / (s.engine + ".index"), answer.index);
    fmt::print("{{\"engine\": \"{}\", \"build\": {}, \"query\": {}, \"version\": \"{}\"}}\n", s.engine,
               answer.build, answer.query,
               s.engine == "zwalk" ? BENCH_ZWALK_VERSION : BENCH_NANOFLANN_VERSION);
}

template <int D, class T>
void run_all(Settings const& s, Task<D, T> const& task) {
    auto const in_z_order = sorted(task);
    auto const peers = std::span(engines).subspan(1, task.box.empty() ? engines.size() - 1 : 0);
    warm_up(engines[0], task);
    for (auto const& engine : peers) warm_up(engine, task);
    fmt::print("{} {} points, {}-D {}, k = {}, {} threads; seconds, build included\n",
               task.sources.size(), s.input.name(), D, s.input.real, task.k, task.threads);
    T const rounding = 32 * std::numeric_limits<T>::epsilon();
    for (int r = 0; r < s.repeats; ++r) {
        auto const ours = run_zwalk(task);
        fmt::print("zwalk {:.3f}", ours.total());
        for (auto const& engine : peers) {
            auto const theirs = run(engine, task, in_z_order);
            std::size_t differ = 0;
            for (std::size_t i = 0; i < ours.distance.size(); ++i)
                differ +=
                    !(std::abs(ours.distance[i] - theirs.distance[i]) <= rounding * ours.distance[i]);
            fmt::print("   {} {:.3f} ({:.2f} x)", engine, theirs.total(), theirs.total() / ours.total());
            if (differ) fmt::print(" [{} k-th distances differ from zwalk's]", differ);
        }
        fmt::print("\n   ");
        for (auto const& [phase, seconds] : ours.phases) fmt::print(" {} {:.3f}", phase, seconds);
        fmt::print("\n");
    }
}

template <int D, class T>
void measure(Settings const& s, Task<D, T> task) {
    if (s.k > task.sources.size()) throw std::invalid_argument("k is larger than N");
    if (s.order == "z") task = sorted(task).task;
    if (!s.write.empty()) write_points(s, task);
    else if (!s.engine.empty()) run_one(s, task);
    else run_all(s, task);
}

template <class T>
void measure(Settings const& s) {
    if (!s.input.from_file())
        return s.input.dim == 2 ? measure(s, make_task<2, T>(s)) : measure(s, make_task<3, T>(s));
    BenchPoints<T> const points(s.input);
    if ((*points).dim == 2) return measure(s, task_of<2, T>(*points, s));
    if ((*points).dim == 3) return measure(s, task_of<3, T>(*points, s));
    throw std::invalid_argument("points must have two or three columns");
}

}}  // namespace bench

int main(int argc, char** argv) {
    bench::Settings s;
    CLI::App app("k nearest neighbours by zwalk and nanoflann, on the same points");
    s.input.add_count(app);
    app.add_option("k,-k", s.k, "neighbours, at most N")->check(CLI::PositiveNumber);
    app.add_option("threads,--threads", s.threads)->check(CLI::PositiveNumber);
    s.input.add_kind(app);
    app.add_option("repeats,--repeats", s.repeats);
    app.add_option("--order", s.order,
                   "of points and queries: as they are made, or in z-order for all engines")
        ->check(CLI::IsMember({"input", "z"}));
    auto* const write =
        app.add_option("--write", s.write, "write points and z-order to this folder, and stop");
    s.input.add_rest(app, write);
    app.add_option("--queries", s.queries, "separate queries; 0: the points are their own")
        ->excludes("--file");
    app.add_option("--engine", s.engine, "run only this one, once; print JSON")
        ->check(CLI::IsMember(bench::engines));
    app.add_option("--folder", s.folder, "where --engine leaves the k-th neighbours");
    CLI11_PARSE(app, argc, argv);
    try {
        if (!s.input.box.empty() && !s.engine.empty() && s.engine != "zwalk")
            throw std::invalid_argument(s.engine + " knows no --box");
        s.input.real == "float" ? bench::measure<float>(s) : bench::measure<double>(s);
    } catch (std::exception const& error) {
        fmt::print(stderr, "bench_knn: {}\n", error.what());
        return 1;
    }
}
