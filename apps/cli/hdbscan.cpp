// zwalk hdbscan
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "../io/npy.hpp"
#include "../io/table.hpp"
#include "commands.hpp"
#include "emst.hpp"
#include "hdbscan.hpp"
#include "parse.hpp"
#include "points_run.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"

namespace zwalk::apps {
namespace {

void write_table(std::filesystem::path const& path, std::string const& format, io::Table const& table) {
    if (format == "csv") io::write_csv_table(path, table);
    else io::write_npy_table(path, table);
}

io::Table table_of(CondensedTree const& tree) {
    return {tree.rows(),
            {{"parent", std::span(tree.parent)},
             {"child", std::span(tree.child)},
             {"lambda_val", std::span(tree.lambda)},
             {"child_size", std::span(tree.child_size)}}};
}

/// The clusters that points are labelled with, one row each.
void write_clusters(std::filesystem::path const& path, std::string const& format,
                    HdbscanTables const& found) {
    std::vector<index_t> size;
    std::vector<double> stability, birth, death;
    for (index_t const id : found.ids) {
        CondensedCluster const& c = found.tree.clusters[std::size_t(id) - found.tree.points];
        // All points of a cluster have its label, but for those of the root: then it is the only one.
        size.push_back(c.parent >= 0 ? c.size : index_t(found.tree.points - found.noise));
        stability.push_back(c.stability);
        birth.push_back(c.birth);
        death.push_back(c.death);
    }
    write_table(path, format,
                {found.ids.size(),
                 {{"id", found.ids},
                  {"size", std::span<index_t const>(size)},
                  {"persistence", found.persistence},
                  {"stability", std::span<double const>(stability)},
                  {"birth", std::span<double const>(birth)},
                  {"death", std::span<double const>(death)}}});
}

template <class T>
std::uint64_t noise_of(HdbscanResult<T> const& r) {
    return std::uint64_t(std::count(r.labels.begin(), r.labels.end(), index_t(-1)));
}

/// Where a largest size would have no effect, or leave nothing.
void check_largest(HdbscanOptions const& h) {
    std::size_t const most = h.select.max_cluster_size;
    if (most == 0) return;
    if (h.select.method == Selection::leaf)
        throw InputError(
            "--max-cluster-size is for --selection eom: leaf takes the clusters that don't split, of "
            "any "
            "size");
    if (h.select.epsilon > 0)
        throw InputError(
            "--max-cluster-size doesn't go with --epsilon, which undoes splits, however large the "
            "clusters become");
    if (most < h.min_cluster_size)
        throw InputError(
            fmt::format("--max-cluster-size {} is below --min-cluster-size {}: no cluster "
                        "could be taken",
                        most, h.min_cluster_size));
}

struct Job {
    static constexpr char const* name = "clusters";
    HdbscanPlan plan;

    explicit Job(HdbscanCommand const& command) : plan(hdbscan_plan(command)) {}
    std::vector<double>& box() { return plan.hdbscan.box; }
    static std::uint64_t read_more(io::PointSet const&) { return 0; }

    [[nodiscard]] Need memory(io::PointSet const& points) const {
        return of_points(hdbscan_memory(points.size, points.dim, points.item_bytes(), plan.hdbscan),
                         plan, points);
    }
    template <class T>
    HdbscanResult<T> compute(io::PointSet const& points, Phases& phases, Progress&) const {
        if (plan.sphere) return on_sphere(points.points<T>(), phases);
        auto r = plan.device == "cuda"
                     ? hdbscan(points.points<T>(), plan.hdbscan, plan.cuda(), plan.cpu())
                     : hdbscan(points.points<T>(), plan.hdbscan, plan.cpu());
        phases.add(r.stats);
        return r;
    }
    template <class T>
    static void count(HdbscanResult<T> const& r, StatCounts& counts) {
        counts.insert(counts.end(), r.stats.counts.begin(), r.stats.counts.end());
    }
    template <class T>
    void write(io::OutputDirectory& out, HdbscanResult<T> const& r) const {
        io::write_npy<index_t>(out.file("labels.npy"), {r.labels.size()}, r.labels);
        io::write_npy<double>(out.file("probabilities.npy"), {r.probabilities.size()}, r.probabilities);
        io::write_npy<double>(out.file("outlier_scores.npy"), {r.outlier_scores.size()},
                              r.outlier_scores);
        write_tables(out, plan, {r.linkage, r.condensed_tree, r.ids, r.persistence, noise_of(r)});
    }
    template <class T>
    static void print(HdbscanResult<T> const& r) {
        print_clusters(r.size(), noise_of(r));
    }
    template <class T>
    std::string files(HdbscanResult<T> const&) const {
        return plan.files();
    }

  private:
    /// What hdbscan() does, with angles for lengths between the tree and its cut.
    template <class T>
    HdbscanResult<T> on_sphere(Points<T> points, Phases& phases) const {
        HdbscanOptions const& h = plan.hdbscan;
        EmstOptions const o{.min_samples = h.min_samples > 0 ? h.min_samples : int(h.min_cluster_size)};
        auto tree = plan.device == "cuda" ? emst(points, o, plan.cuda()) : emst(points, o, plan.cpu());
        phases.add(tree.stats);
        HdbscanResult<T> r;
        r.stats.counts = std::move(tree.stats.counts);
        phases.timed("angles", [&] { plan.sphere.to_ascending_angles(tree.lengths); });
        phases.timed("linkage", [&] {
            r.linkage = single_linkage<T>(points.size, tree.edges, tree.lengths);
            tree = {};
        });
        phases.timed("condense", [&] { r.condensed_tree = condense(r.linkage, h.min_cluster_size); });
        phases.timed("clusters", [&] {
            static_cast<Clusters&>(r) = select_clusters(r.condensed_tree, h.select, plan.cpu());
        });
        phases.timed("outliers",
                     [&] { r.outlier_scores = outlier_scores(r.condensed_tree, plan.cpu()); });
        r.stats.counts.emplace_back("clusters", r.size());
        return r;
    }
};

}  // namespace

HdbscanPlan hdbscan_plan(HdbscanCommand const& o) {
    HdbscanPlan plan{common_plan(o), {}, parse_word("--format", o.format, {"npy", "csv"})};
    if (plan.order == Order::z)
        throw InputError(
            "--order z: clusters and hierarchy name points by their place in INPUT: leave it out");
    HdbscanOptions& h = plan.hdbscan;
    h.min_cluster_size =
        std::size_t(parse_integer("--min-cluster-size", o.min_cluster_size, 2, INT32_MAX));
    h.min_samples = int(parse_integer("--min-samples", o.min_samples, 0, INT32_MAX));
    bool const eom = parse_word("--selection", o.selection, {"eom", "leaf"}) == "eom";
    h.select.method = eom ? Selection::eom : Selection::leaf;
    h.select.epsilon = parse_number("--epsilon", o.epsilon);
    if (h.select.epsilon < 0)
        throw InputError(fmt::format("--epsilon must not be negative, but is {}", o.epsilon));
    h.select.max_cluster_size =
        std::size_t(parse_integer("--max-cluster-size", o.max_cluster_size, 0, INT64_MAX));
    h.select.allow_single_cluster = o.allow_single_cluster;
    check_largest(h);
    return plan;
}

std::string HdbscanPlan::files() const {
    return fmt::format(
        "labels.npy, probabilities.npy, outlier_scores.npy, linkage.npy, condensed_tree.{0}, "
        "clusters.{0}",
        format);
}

void write_tables(io::OutputDirectory& out, HdbscanPlan const& plan, HdbscanTables const& found) {
    io::write_npy<double>(out.file("linkage.npy"), {found.linkage.merges.size(), 4},
                          found.linkage.table());
    write_table(out.file("condensed_tree." + plan.format), plan.format, table_of(found.tree));
    write_clusters(out.file("clusters." + plan.format), plan.format, found);
}

void print_clusters(std::uint64_t clusters, std::uint64_t noise) {
    fmt::print("clusters    {}, and {} points of noise\n", clusters, noise);
}

Runs add_hdbscan(CommandLine& program) {
    Command app = program.add_command("hdbscan", "HDBSCAN* clusters of any density, and noise");
    auto o = std::make_shared<HdbscanCommand>();
    app.add_option("--min-cluster-size", o->min_cluster_size, "The least that is called a cluster")
        .show_default();
    app.add_option("--min-samples", o->min_samples,
                   "The distance to this neighbour (the point itself is the first) measures density; 0: "
                   "as --min-cluster-size")
        .show_default();
    app.add_option("--selection", o->selection, "eom: the most stable clusters; leaf: the smallest")
        .show_default();
    app.add_option("--epsilon", o->epsilon, "Clusters don't split at smaller distances than this")
        .show_default();
    app.add_option("--max-cluster-size", o->max_cluster_size, "eom takes no larger ones; 0: any")
        .show_default();
    app.add_flag("--allow-single-cluster", o->allow_single_cluster, "All points may be one cluster");
    app.add_option("--format", o->format, "Format of the tables: npy or csv").show_default();
    add_sphere_option(app, o->sphere);
    add_points_options(app, *o);
    app.footer(
        "Writes to DIR labels.npy (int64, one per point: its cluster, -1 for noise), "
        "probabilities.npy,\n"
        "outlier_scores.npy, linkage.npy (as SciPy's linkage matrix), condensed_tree.npy (records: "
        "parent,\n"
        "child, lambda_val, child_size) and clusters.npy (records: id in the condensed tree, size,\n"
        "persistence, stability, birth, death).\n"
        "Example: zwalk hdbscan points.npy --min-cluster-size 15 -o clusters");
    return {app,
            [o] {
                Job job(*o);
                run_points(job, *o);
            },
            [o](Launch const& launch) { run_hdbscan_on_ranks(*o, launch); }};
}

}  // namespace zwalk::apps
