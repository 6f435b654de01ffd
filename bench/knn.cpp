// kNN beside nanoflann on the same points:
//
//   bench_knn [N] [k] [threads] [kind] [repeats] [--dim 2] [--real double] [--queries M] [--order z]
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
    double points = 1e6, queries = 0;  ///< counts; real numbers, so that 1e6 can be said
    std::size_t k = 16;
    int threads = 2, repeats = 3, dim = 3;
    std::string kind = "uniform", real = "float", order = "input", engine, write;
    std::filesystem::path folder = ".";
};

std::array<std::string, 3> const engines{"zwalk", "nanoflann-readme", "nanoflann-tuned"};

template <int D, class T>
Answer<T> run_zwalk(Task<D, T> const& task) {
    zwalk::KnnOptions options;
    options.k = zwalk::index_t(task.k);
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
    return {test::make_points<D, T>(s.kind, std::size_t(s.points), 1),
            test::make_points<D, T>(s.kind, std::size_t(s.queries), 2), s.k, s.threads};
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
    s.task = {gathered(task.sources, s.source_row), {}, task.k, task.threads};
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
    for (auto const& engine : engines) warm_up(engine, task);
    fmt::print("{} {} points, {}-D {}, k = {}, {} threads; seconds, build included\n",
               task.sources.size(), s.kind, D, s.real, task.k, task.threads);
    T const rounding = 32 * std::numeric_limits<T>::epsilon();
    for (int r = 0; r < s.repeats; ++r) {
        auto const ours = run_zwalk(task);
        fmt::print("zwalk {:.3f}", ours.total());
        for (auto const& engine : {engines[1], engines[2]}) {
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
void measure(Settings const& s) {
    auto task = make_task<D, T>(s);
    if (s.order == "z") task = sorted(task).task;
    if (!s.write.empty()) write_points(s, task);
    else if (!s.engine.empty()) run_one(s, task);
    else run_all(s, task);
}

}}  // namespace bench

int main(int argc, char** argv) {
    bench::Settings s;
    CLI::App app("k nearest neighbours by zwalk and nanoflann, on the same points");
    app.add_option("N", s.points, "points, e.g. 1e6")->check(CLI::Range(1., 1e9));
    app.add_option("k", s.k, "neighbours, at most N")->check(CLI::PositiveNumber);
    app.add_option("threads", s.threads)->check(CLI::PositiveNumber);
    app.add_option("kind", s.kind, "of points")->check(CLI::IsMember(test::kinds()));
    app.add_option("repeats", s.repeats);
    app.add_option("--dim", s.dim)->check(CLI::IsMember({2, 3}));
    app.add_option("--real", s.real)->check(CLI::IsMember({"float", "double"}));
    app.add_option("--queries", s.queries, "separate queries; 0: the points are their own");
    app.add_option("--order", s.order,
                   "of points and queries: as they are made, or in z-order for all engines")
        ->check(CLI::IsMember({"input", "z"}));
    app.add_option("--write", s.write, "write points and z-order to this folder, and stop");
    app.add_option("--engine", s.engine, "run only this one, once; print JSON")
        ->check(CLI::IsMember(bench::engines));
    app.add_option("--folder", s.folder, "where --engine leaves the k-th neighbours");
    CLI11_PARSE(app, argc, argv);
    try {
        if (double(s.k) > s.points) throw std::invalid_argument("k is larger than N");
        bool const f = s.real == "float";
        if (s.dim == 2) f ? bench::measure<2, float>(s) : bench::measure<2, double>(s);
        else f ? bench::measure<3, float>(s) : bench::measure<3, double>(s);
    } catch (std::exception const& error) {
        fmt::print(stderr, "bench_knn: {}\n", error.what());
        return 1;
    }
}
