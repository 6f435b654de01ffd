// zwalk hdbscan
#include "zwalk/emst/hdbscan.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "../io/npy.hpp"
#include "../io/output.hpp"
#include "../io/table.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "memory.hpp"
#include "parse.hpp"
#include "stats.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::apps {
namespace {

struct Options : Common {
    std::string input, output, min_cluster_size = "5", min_samples = "0", selection = "eom",
                               epsilon = "0", max_cluster_size = "0", format = "npy";
    bool allow_single_cluster = false;
};

struct Plan : CommonPlan {
    HdbscanOptions hdbscan;
};

Plan plan_of(Options const& o) {
    Plan plan{common_plan(o), {}};
    if (plan.order == Order::z)
        throw InputError("--order z: clusters and hierarchy name points by their place in INPUT");
    HdbscanOptions& h = plan.hdbscan;
    h.min_cluster_size =
        std::size_t(parse_integer("--min-cluster-size", o.min_cluster_size, 2, INT32_MAX));
    h.min_samples = int(parse_integer("--min-samples", o.min_samples, 0, INT32_MAX));
    h.select.method = parse_word("--selection", o.selection, {"eom", "leaf"}) == "eom" ? Selection::eom
                                                                                       : Selection::leaf;
    h.select.epsilon = parse_number("--epsilon", o.epsilon);
    if (h.select.epsilon < 0)
        throw InputError(fmt::format("--epsilon must not be negative, but is {}", o.epsilon));
    h.select.max_cluster_size =
        std::size_t(parse_integer("--max-cluster-size", o.max_cluster_size, 0, INT64_MAX));
    h.select.allow_single_cluster = o.allow_single_cluster;
    h.threads = plan.threads;
    parse_word("--format", o.format, {"npy", "csv"});
    return plan;
}

/// In the words of kNN: the tree is built, then clusters are what the walk is there.
KnnMemory memory_of(io::PointSet const& points, Plan const& plan) {
    HdbscanMemory const m = hdbscan_memory(points.size, points.dim, points.item_bytes(), plan.hdbscan);
    KnnMemory need;
    need.input = points.bytes();
    need.result = std::max(m.tree.result, m.clusters);
    need.sort = m.tree.sort;
    need.build = m.tree.rounds;
    need.program = program_bytes;
    need.budget = plan.budget;
    return need;
}

void write_table(std::filesystem::path const& path, std::string const& format, io::Table const& table) {
    if (format == "csv") io::write_csv_table(path, table);
    else io::write_npy_table(path, table);
}

/// The clusters that points are labelled with, one row each.
void write_clusters(std::filesystem::path const& path, std::string const& format, Clusters const& found,
                    CondensedTree const& tree) {
    std::vector<index_t> size(found.size(), 0);
    for (index_t const label : found.labels)
        if (label >= 0) ++size[std::size_t(label)];
    std::vector<double> stability, birth, death;
    for (index_t const id : found.ids) {
        CondensedCluster const& c = tree.clusters[std::size_t(id) - tree.points];
        stability.push_back(c.stability);
        birth.push_back(c.birth);
        death.push_back(c.death);
    }
    write_table(path, format,
                {found.size(),
                 {{"id", std::span(found.ids)},
                  {"size", std::span<index_t const>(size)},
                  {"persistence", std::span(found.persistence)},
                  {"stability", std::span<double const>(stability)},
                  {"birth", std::span<double const>(birth)},
                  {"death", std::span<double const>(death)}}});
}

/// Writes all files; returns how many bytes they have.
template <class T>
std::uint64_t write_result(io::OutputDirectory& out, Options const& o, HdbscanResult<T> const& r) {
    std::vector<std::filesystem::path> written;
    auto const file = [&](std::string const& name) { return written.emplace_back(out.file(name)); };
    io::write_npy<index_t>(file("labels.npy"), {r.labels.size()}, r.labels);
    io::write_npy<double>(file("probabilities.npy"), {r.probabilities.size()}, r.probabilities);
    io::write_npy<double>(file("outlier_scores.npy"), {r.outlier_scores.size()}, r.outlier_scores);
    io::write_npy<double>(file("linkage.npy"), {r.linkage.merges.size(), 4}, r.linkage.table());
    CondensedTree const& tree = r.condensed_tree;
    write_table(file("condensed_tree." + o.format), o.format,
                {tree.rows(),
                 {{"parent", std::span(tree.parent)},
                  {"child", std::span(tree.child)},
                  {"lambda_val", std::span(tree.lambda)},
                  {"child_size", std::span(tree.child_size)}}});
    write_clusters(file("clusters." + o.format), o.format, r, tree);
    std::uint64_t bytes = 0;
    for (auto const& name : written) bytes += std::filesystem::file_size(name);
    return bytes;
}

template <class T>
void print_summary(Options const& o, io::PointSet const& points, HdbscanResult<T> const& r,
                   RunStats const& s) {
    auto const noise = std::count(r.labels.begin(), r.labels.end(), index_t(-1));
    fmt::print("points      {} in {} dimensions, {}\n", points.size, points.dim,
               points.item_bytes() == 4 ? "float32" : "float64");
    fmt::print("clusters    {}, and {} points of noise\n", r.size(), noise);
    fmt::print("seconds     {:.3f} read, {:.3f} compute, {:.3f} write\n", s.read, s.compute, s.write);
    fmt::print(
        "written     {0}: labels.npy, probabilities.npy, outlier_scores.npy, linkage.npy, "
        "condensed_tree.{1}, clusters.{1}\n",
        o.output, o.format);
}

/// From points in memory to results on disk.
template <class T>
void solve(Options const& o, Plan const& plan, io::PointSet& points, RunStats& stats,
           Progress& progress) {
    io::OutputDirectory out(o.output, o.force);
    StatsFile file(o.stats, &out, o.force);
    progress.phase(fmt::format("clusters of {} points", points.size));
    Timer const computing;
    std::vector<std::pair<std::string, double>> phases;
    if (o.wrap) {
        Cpu(plan.threads).run([&] { wrap_into_box(points, plan.hdbscan.box); });
        phases.emplace_back("wrap", computing.seconds());
    }
    auto const r = hdbscan(points.points<T>(), plan.hdbscan);
    phases.insert(phases.end(), r.stats.seconds.begin(), r.stats.seconds.end());
    stats.compute = computing.seconds();
    stats.set_phases(phases);
    for (auto const& count : r.stats.counts) stats.counts.push_back(count);

    progress.phase("writing " + o.output);
    Timer const writing;
    stats.output_bytes = write_result(out, o, r);
    stats.write = writing.seconds();
    file.write(stats);
    out.commit();
    file.commit();
    progress.clear();
    if (!o.quiet) print_summary(o, points, r, stats);
}

void run_hdbscan(Options const& o) {
    RunStats stats;
    Plan plan = plan_of(o);
    Progress progress(o.quiet);
    progress.phase("reading " + o.input);
    Timer const reading;
    io::PointSet points = io::read_points(o.input, plan.read);
    print_notes(points, o.quiet);
    stats.read = reading.seconds();
    plan.hdbscan.box = box_of(o, points);
    KnnMemory const memory = memory_of(points, plan);
    check_memory(memory);
    if (plan.budget > 0) print_note(budget_note(memory), o.quiet);
    stats.describe(plan, memory, points);
    if (points.precision() == io::Precision::f4) solve<float>(o, plan, points, stats, progress);
    else solve<double>(o, plan, points, stats, progress);
}

}  // namespace

Run add_hdbscan(CLI::App& program) {
    CLI::App* app = program.add_subcommand("hdbscan", "HDBSCAN* clusters of any density, and noise");
    auto o = std::make_shared<Options>();
    app->add_option("INPUT", o->input, "Points: .npy, .csv, .txt, .hdf5 or .h5")->required();
    app->add_option("--min-cluster-size", o->min_cluster_size, "The least that is called a cluster")
        ->capture_default_str();
    app->add_option(
           "--min-samples", o->min_samples,
           "The distance to this neighbour (the point itself is the first) measures density; 0: "
           "as --min-cluster-size")
        ->capture_default_str();
    app->add_option("--selection", o->selection, "eom: the most stable clusters; leaf: the smallest")
        ->capture_default_str();
    app->add_option("--epsilon", o->epsilon, "Clusters don't split at smaller distances than this")
        ->capture_default_str();
    app->add_option("--max-cluster-size", o->max_cluster_size, "eom takes no larger ones; 0: any")
        ->capture_default_str();
    app->add_flag("--allow-single-cluster", o->allow_single_cluster, "All points may be one cluster");
    app->add_option("--format", o->format, "Of the tables: npy or csv")->capture_default_str();
    app->add_option("-o,--output", o->output, "Directory for the results")->required();
    add_common_options(*app, *o);
    app->footer(
        "Writes to DIR labels.npy (int64, one per point: its cluster, -1 for noise), "
        "probabilities.npy,\n"
        "outlier_scores.npy, linkage.npy (as SciPy's linkage matrix), condensed_tree.npy (records: "
        "parent,\n"
        "child, lambda_val, child_size) and clusters.npy (records: id in the condensed tree, size,\n"
        "persistence, stability, birth, death).\n"
        "Example: zwalk hdbscan points.npy --min-cluster-size 15 -o clusters");
    return [o] { run_hdbscan(*o); };
}

}  // namespace zwalk::apps
