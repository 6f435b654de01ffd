// zwalk emst
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "../io/npy.hpp"
#include "../io/output.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "memory.hpp"
#include "parse.hpp"
#include "stats.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::apps {
namespace {

struct Options : Common {
    std::string input, output, min_samples = "1";
};

struct Plan : CommonPlan {
    EmstOptions emst;
};

Plan plan_of(Options const& o) {
    Plan plan{common_plan(o), {}};
    if (plan.order == Order::z)
        throw InputError(
            "--order z: edges are sorted by length, and name points by their place in INPUT");
    plan.emst.min_samples = int(parse_integer("--min-samples", o.min_samples, 1, INT32_MAX));
    plan.emst.threads = plan.threads;
    return plan;
}

/// In the words of kNN: what the rounds hold is there before the result is.
KnnMemory memory_of(io::PointSet const& points, Plan const& plan) {
    EmstMemory const m =
        emst_memory(points.size, points.dim, points.item_bytes(), plan.emst.min_samples);
    KnnMemory need;
    need.input = points.bytes();
    need.result = m.result;
    need.sort = m.sort;
    need.build = m.rounds;
    need.program = program_bytes;
    need.budget = plan.budget;
    return need;
}

/// Writes all files; returns how many bytes they have.
template <class T>
std::uint64_t write_result(io::OutputDirectory& out, EmstResult<T> const& tree) {
    auto const edges = out.file("edges.npy"), lengths = out.file("lengths.npy");
    io::write_npy<index_t>(edges, {tree.lengths.size(), 2}, tree.edges);
    io::write_npy<T>(lengths, {tree.lengths.size()}, tree.lengths);
    std::uint64_t bytes = std::filesystem::file_size(edges) + std::filesystem::file_size(lengths);
    if (tree.core_distances.empty()) return bytes;
    auto const cores = out.file("core_distances.npy");
    io::write_npy<T>(cores, {tree.core_distances.size()}, tree.core_distances);
    return bytes + std::filesystem::file_size(cores);
}

template <class T>
void print_summary(Options const& o, io::PointSet const& points, EmstResult<T> const& tree,
                   RunStats const& s) {
    double total = 0;
    for (T const length : tree.lengths) total += double(length);
    fmt::print("points      {} in {} dimensions, {}\n", points.size, points.dim,
               points.item_bytes() == 4 ? "float32" : "float64");
    fmt::print("edges       {}, together {:.9g} long\n", tree.lengths.size(), total);
    if (!tree.lengths.empty()) fmt::print("longest     {}\n", tree.lengths[tree.lengths.size() - 1]);
    fmt::print("seconds     {:.3f} read, {:.3f} compute, {:.3f} write\n", s.read, s.compute, s.write);
    fmt::print("written     {}: edges.npy, lengths.npy{}\n", o.output,
               tree.core_distances.empty() ? "" : ", core_distances.npy");
}

/// From points in memory to results on disk.
template <class T>
void solve(Options const& o, Plan const& plan, io::PointSet& points, RunStats& stats,
           Progress& progress) {
    io::OutputDirectory out(o.output, o.force);
    StatsFile file(o.stats, &out, o.force);
    progress.phase(fmt::format("tree of {} points", points.size));
    Timer const computing;
    std::vector<std::pair<std::string, double>> phases;
    if (o.wrap) {
        Cpu(plan.threads).run([&] { wrap_into_box(points, plan.emst.box); });
        phases.emplace_back("wrap", computing.seconds());
    }
    auto const tree = emst(points.points<T>(), plan.emst);
    phases.insert(phases.end(), tree.stats.seconds.begin(), tree.stats.seconds.end());
    stats.compute = computing.seconds();
    stats.set_phases(phases);
    stats.counts.emplace_back("edges", tree.lengths.size());
    for (auto const& count : tree.stats.counts) stats.counts.push_back(count);

    progress.phase("writing " + o.output);
    Timer const writing;
    stats.output_bytes = write_result(out, tree);
    stats.write = writing.seconds();
    file.write(stats);
    out.commit();
    file.commit();
    progress.clear();
    if (!o.quiet) print_summary(o, points, tree, stats);
}

void run_emst(Options const& o) {
    RunStats stats;
    Plan plan = plan_of(o);
    Progress progress(o.quiet);
    progress.phase("reading " + o.input);
    Timer const reading;
    io::PointSet points = io::read_points(o.input, plan.read);
    print_notes(points, o.quiet);
    stats.read = reading.seconds();
    plan.emst.box = box_of(o, points);
    KnnMemory const memory = memory_of(points, plan);
    check_memory(memory);
    if (plan.budget > 0) print_note(budget_note(memory), o.quiet);
    stats.describe(plan, memory, points);
    if (points.precision() == io::Precision::f4) solve<float>(o, plan, points, stats, progress);
    else solve<double>(o, plan, points, stats, progress);
}

}  // namespace

Run add_emst(CLI::App& program) {
    CLI::App* app = program.add_subcommand("emst", "The Euclidean minimum spanning tree");
    auto o = std::make_shared<Options>();
    app->add_option("INPUT", o->input, "Points: .npy, .csv, .txt, .hdf5 or .h5")->required();
    app->add_option(
           "--min-samples", o->min_samples,
           "Above 1: mutual reachability, with the distance to this neighbour as core distance; "
           "the point itself is the first")
        ->capture_default_str();
    app->add_option("-o,--output", o->output, "Directory for the results")->required();
    add_common_options(*app, *o);
    app->footer(
        "Writes DIR/edges.npy (int64, shape (N-1, 2): indices i < j of the points that an edge joins) "
        "and\n"
        "DIR/lengths.npy (N-1, ascending, in the precision of the points); with --min-samples above 1\n"
        "also DIR/core_distances.npy (N).\n"
        "Example: zwalk emst points.npy -o tree && zwalk render points.npy --edges tree -o tree.svg");
    return [o] { run_emst(*o); };
}

}  // namespace zwalk::apps
