// zwalk info
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "../io/points.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "info.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "parse.hpp"
#include "plane_sizes.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/parallel_sort.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/tree/extent.hpp"

namespace zwalk::apps {
namespace {

/// Lexicographic order of rows, with NaN behind everything so that it is an order.
template <class T>
int compare_rows(T const* a, T const* b, std::size_t dim) {
    for (std::size_t j = 0; j < dim; ++j) {
        if (a[j] < b[j]) return -1;
        if (b[j] < a[j]) return 1;
        if (int const d = int(std::isnan(a[j])) - int(std::isnan(b[j]))) return d;
    }
    return 0;
}

struct Sites {
    std::size_t distinct = 0, largest = 0;  ///< places; points at the most crowded one
};

template <class T>
Sites count_sites(Points<T> points) {
    auto const dim = std::size_t(points.dim);
    std::vector<std::size_t> order(points.size);
    std::iota(order.begin(), order.end(), std::size_t(0));
    auto row = [&](std::size_t i) { return points.data + i * dim; };
    parallel_sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return compare_rows(row(a), row(b), dim) < 0; });
    Sites sites;
    for (std::size_t i = 0, run = 0; i < order.size(); ++i) {
        bool const repeats = i > 0 && compare_rows(row(order[i - 1]), row(order[i]), dim) == 0;
        run = repeats ? run + 1 : 1;
        sites.distinct += !repeats;
        sites.largest = std::max(sites.largest, run);
    }
    return sites;
}

/// Prints the extent of the finite coordinates: a NaN doesn't change an extent.
template <class T>
void print_extent(Points<T> points) {
    auto const dim = std::size_t(points.dim);
    std::size_t not_finite = 0;
    Extent<T> extent(points.dim);
    std::vector<T> row(dim);
    for (std::size_t i = 0; i < points.size; ++i) {
        for (std::size_t j = 0; j < dim; ++j) {
            T const x = points.data[i * dim + j];
            not_finite += !std::isfinite(x);
            row[j] = std::isfinite(x) ? x : std::numeric_limits<T>::quiet_NaN();
        }
        extent.add(row.data());
    }
    for (std::size_t j = 0; j < dim; ++j)
        if (extent.lo[j] <= extent.hi[j])
            fmt::print("axis {:<7}{} .. {}\n", j, extent.lo[j], extent.hi[j]);
    if (not_finite) fmt::print("not finite  {} coordinates are NaN or infinite\n", not_finite);
}

template <class T>
void print_info(io::PointSet const& set) {
    auto const points = set.points<T>();
    print_extent(points);
    Sites const sites = count_sites(points);
    fmt::print(
        "duplicates  {} of {} points repeat another one ({} distinct places, at most {} "
        "points at one)\n",
        set.size - sites.distinct, set.size, sites.distinct, sites.largest);
}

/// What zwalk knn would need.
void print_memory(KnnTask const& task) {
    KnnMemory const m = knn_memory(task);
    auto const text = [](std::uint64_t bytes) { return human_bytes(double(bytes)); };
    fmt::print("{:<11} {}{}\n", fmt::format("knn -k {}", task.k),
               task.queries ? fmt::format("{} queries, ", *task.queries) : "", describe_plan(m));
    fmt::print("memory      {} at the peak ({} bytes); {} are free now\n", text(m.peak()), m.peak(),
               text(available_memory()));
    fmt::print("            {} input, {} results\n", text(m.input), text(m.result));
    fmt::print("            {} to sort, {} to build, {} to walk; budget {}\n", text(m.sort),
               text(m.build), text(m.walk), text(m.budget));
}

void run_info(InfoCommand const& o) {
    if (o.ranks)
        throw InputError(
            "--ranks measures what passes between ranks, but this is the only one: start it by "
            "mpirun -n 4 zwalk info --ranks");
    if (o.input.empty()) throw InputError("INPUT is required, or --ranks; see zwalk info --help");
    auto const read = read_options(o.precision, o.dataset, o.columns);
    int const threads = int(parse_integer("--threads", o.threads, 0, 4096));
    KnnTask task{.k = parse_integer("-k", o.k, 1, INT64_MAX), .threads = threads};
    if (!o.memory_budget.empty()) task.memory_budget = parse_bytes("--memory-budget", o.memory_budget);
    io::PointSet const set = io::read_points(o.input, read);
    task.points = set.size;
    task.dim = set.dim;
    task.item_bytes = set.item_bytes();
    if (!o.query.empty())
        task.queries = io::read_points(o.query, {set.precision(), o.dataset, read.columns}).size;
    print_notes(set, false);
    print_note(set.box_note, false);
    fmt::print("file        {} ({})\n", o.input, human_bytes(double(set.file_bytes)));
    fmt::print("shape       ({}, {})\n", set.size, set.dim);
    fmt::print("stored as   {}\n", set.stored_as);
    fmt::print("read as     {}\n", set.item_bytes() == 4 ? "float32" : "float64");
    if (!set.box.empty()) fmt::print("box         {}\n", fmt::join(set.box, ", "));
    Cpu(threads).run([&] {
        if (set.precision() == io::Precision::f4) print_info<float>(set);
        else print_info<double>(set);
    });
    if (auto const planes = plane_sizes(set); !planes.empty())
        fmt::print("planes      {} nodes (leaves first)\n", fmt::join(planes, ", "));
    try {
        print_memory(task);
    } catch (InputError const& error) {  // the refusal of knn
        fmt::print("knn         {}\n", error.what());
    }
}

}  // namespace

Runs add_info(CommandLine& program) {
    Command app = program.add_command("info", "Shape, extent, duplicates and memory of a data set");
    auto o = std::make_shared<InfoCommand>();
    app.add_option("INPUT", o->input, input_help);
    app.add_option("-k,--k", o->k, "Memory for this many neighbours").show_default();
    app.add_option("--query", o->query, "Memory for the points of this file as queries");
    app.add_option("--memory-budget", o->memory_budget, "As for zwalk knn");
    app.add_option("--precision", o->precision, "f4 or f8 (default: as in the file; CSV: f8)");
    app.add_option("--threads", o->threads, "Threads; 0: all").show_default();
    add_reading_options(app, o->dataset, o->columns);
    Option ranks = app.add_flag("--ranks", o->ranks,
                                "Instead: how fast the ranks of mpirun or srun speak to each other");
    ranks.excludes({"INPUT", "--query", "--memory-budget", "--precision", "--dataset", "--columns"});
    app.add_option("--points", o->points,
                   "With --ranks: what ranks of so many points would need, and send")
        .needs(ranks);
    app.footer("Examples: zwalk info points.npy\n          mpirun -n 8 zwalk info --ranks --points 1e9");
    return {app, [o] { run_info(*o); },
            [o](Launch const& launch) {
                if (o->ranks) run_info_on_ranks(*o);
                else if (launch.speaks()) run_info(*o);
            }};
}

}  // namespace zwalk::apps
