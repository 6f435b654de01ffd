// zwalk hdbscan
#include "hdbscan.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>

#include "../io/table.hpp"
#include "one_process.hpp"
#include "parse.hpp"
#include "side_file.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/hdbscan/model.hpp"
#include "zwalk/hdbscan/persistent_sizes.hpp"

namespace zwalk::apps {
namespace {

io::Table table_of(CondensedTree const& tree) {
    return {tree.rows(),
            {{"parent", std::span(tree.parent)},
             {"child", std::span(tree.child)},
             {"lambda_val", std::span(tree.lambda)},
             {"child_size", std::span(tree.child_size)}}};
}

/// How persistent the leaf clusters of each size are together.
void write_sizes(std::filesystem::path const& path, PersistentSizes const& found) {
    io::write_table(path, {found.sizes.size(),
                           {{"min_cluster_size", std::span(found.sizes)},
                            {"persistence", std::span(found.persistence)}}});
}

/// The clusters that points are labelled with, one row each.
void write_clusters(std::filesystem::path const& path, HdbscanTables const& found, std::uint64_t noise) {
    std::vector<index_t> size;
    std::vector<double> stability, birth, death;
    for (index_t const id : found.ids) {
        CondensedCluster const& c = found.tree.clusters[std::size_t(id) - found.tree.points];
        // All points of a cluster have its label, but for those of the root: then it is the only one.
        size.push_back(c.parent >= 0 ? c.size : index_t(found.tree.points - noise));
        stability.push_back(c.stability);
        birth.push_back(c.birth);
        death.push_back(c.death);
    }
    io::write_table(path, {found.ids.size(),
                           {{"id", found.ids},
                            {"size", std::span<index_t const>(size)},
                            {"persistence", found.persistence},
                            {"stability", std::span<double const>(stability)},
                            {"birth", std::span<double const>(birth)},
                            {"death", std::span<double const>(death)}}});
}

/// Where a largest size would have no effect, or leave nothing.
void check_largest(HdbscanOptions const& h) {
    std::size_t const most = h.select.max_cluster_size;
    if (most == 0) return;
    if (h.select.method != Selection::eom)
        throw InputError(
            "--max-cluster-size is for --selection eom: the others take the clusters that don't split, "
            "of any size");
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

HdbscanPlan hdbscan_plan(HdbscanCommand const& o) {
    HdbscanPlan plan{common_plan(o), {},        parse_word("--format", o.format, {"npy", "csv"}),
                     o.save_model,   o.weights, o.force};
    plan.sphere.refuse(!o.save_model.empty(),
                       "--save-model keeps distances in space, not angles: leave one of them out");
    plan.sphere.refuse(!o.weights.empty(),
                       "--weights are for distances in space, not angles: leave one of them out");
    if (plan.order == Order::z)
        throw InputError(
            "--order z: clusters and hierarchy name points by their place in INPUT: leave it out");
    HdbscanOptions& h = plan.hdbscan;
    h.min_cluster_size =
        std::size_t(parse_integer("--min-cluster-size", o.min_cluster_size, 2, INT32_MAX));
    h.min_samples = int(parse_integer("--min-samples", o.min_samples, 0, INT32_MAX));
    auto const method = parse_word("--selection", o.selection, {"eom", "leaf", "persistent"});
    h.select.method = method == "eom"    ? Selection::eom
                      : method == "leaf" ? Selection::leaf
                                         : Selection::persistent;
    h.select.epsilon = parse_number("--epsilon", o.epsilon);
    if (h.select.epsilon < 0)
        throw InputError(fmt::format("--epsilon must not be negative, but is {}", o.epsilon));
    if (o.epsilon_max != "inf") h.select.epsilon_max = parse_number("--epsilon-max", o.epsilon_max);
    if (h.select.epsilon_max < h.select.epsilon)
        throw InputError(fmt::format("--epsilon-max must be at least --epsilon {}, but is {}", o.epsilon,
                                     o.epsilon_max));
    h.select.persistence = parse_number("--persistence", o.persistence);
    if (h.select.persistence < 0)
        throw InputError(fmt::format("--persistence must not be negative, but is {}", o.persistence));
    h.select.max_cluster_size =
        std::size_t(parse_integer("--max-cluster-size", o.max_cluster_size, 0, INT64_MAX));
    h.select.allow_single_cluster = o.allow_single_cluster;
    check_largest(h);
    return plan;
}

}  // namespace

HdbscanJob::HdbscanJob(HdbscanCommand const& command) : plan(hdbscan_plan(command)) {}

Need HdbscanJob::memory(io::PointSet const& points) const {
    Need need = hdbscan_memory(points.size, points.dim, points.item_bytes(), plan.hdbscan);
    if (!plan.model.empty())  // an index, and what stands beside it
        need.result +=
            points.size * ((std::uint64_t(points.dim) + 2) * points.item_bytes() + 16) * 9 / 8;
    return of_points(need, plan, points);
}

template <class T>
void HdbscanJob::keep_model(Points<T> points, HdbscanResult<T>& found) {
    timed(found.stats, "model", [&] {
        auto const model =
            std::make_shared<HdbscanModel<T> const>(points, found, plan.hdbscan, plan.cpu());
        save_ = [this, model] {
            write_side_file(model_file_, plan.model, [&](std::ostream& out) { model->write(out); });
        };
    });
}
template void HdbscanJob::keep_model(Points<float>, HdbscanResult<float>&);
template void HdbscanJob::keep_model(Points<double>, HdbscanResult<double>&);
Need HdbscanJob::rank_memory(io::PointSet const& points) const { return memory_of_rank(points, false); }
Need HdbscanJob::first_rank_memory(io::PointSet const& points) const {
    return memory_of_rank(points, true);
}
Need HdbscanJob::memory_of_rank(io::PointSet const& points, bool makes_clusters) const {
    return of_points(hdbscan_rank_memory(points.size, points.total, points.dim, points.item_bytes(),
                                         plan.hdbscan, makes_clusters),
                     plan, points);
}

void HdbscanJob::write_tables(io::OutputDirectory& out, HdbscanTables const& found) const {
    io::write_npy<double>(out.file("linkage.npy"), {found.linkage.merges.size(), 4},
                          found.linkage.table());
    io::write_table(out.file("condensed_tree." + plan.format), table_of(found.tree));
    write_clusters(out.file("clusters." + plan.format), found, noise);
    if (is_persistent())
        write_sizes(out.file("sizes." + plan.format),
                    persistent_sizes(found.linkage, plan.hdbscan.min_cluster_size));
}

void HdbscanJob::print() const {
    fmt::print("clusters    {}, and {} points of noise\n", clusters, noise);
    if (is_persistent()) fmt::print("best size   {}\n", min_cluster_size);
    if (!plan.model.empty()) fmt::print("model       {}\n", plan.model);
}

std::string HdbscanJob::files() const {
    return fmt::format(
        "labels.npy, probabilities.npy, outlier_scores.npy, linkage.npy, condensed_tree.{0}, "
        "clusters.{0}{1}",
        plan.format, is_persistent() ? ", sizes." + plan.format : "");
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
    app.add_option("--selection", o->selection,
                   "eom: the most stable clusters; leaf: the smallest; persistent: those at the best "
                   "size from --min-cluster-size on")
        .show_default();
    app.add_option("--epsilon", o->epsilon, "Clusters don't split at smaller distances than this")
        .show_default();
    app.add_option("--epsilon-max", o->epsilon_max,
                   "eom takes no cluster that parts from another at a larger distance than this")
        .show_default();
    app.add_option("--persistence", o->persistence,
                   "Splits don't count of which one part lasts for less than this, in 1 / distance")
        .show_default();
    app.add_option("--max-cluster-size", o->max_cluster_size, "eom takes no larger ones; 0: any")
        .show_default();
    app.add_flag("--allow-single-cluster", o->allow_single_cluster, "All points may be one cluster");
    app.add_option(
        "--weights", o->weights,
        "A file with how many points each one counts as; of a snapshot, its Masses (default: 1 "
        "each)");
    app.add_option("--format", o->format, "Format of the tables: npy or csv").show_default();
    app.add_option("--save-model", o->save_model,
                   "Write a model of the clusters to this file, for zwalk predict");
    add_sphere_option(app, o->sphere);
    add_points_options(app, *o);
    app.footer(
        "Writes to DIR labels.npy (int64, one per point: its cluster, -1 for noise), "
        "probabilities.npy,\n"
        "outlier_scores.npy, linkage.npy (as SciPy's linkage matrix), condensed_tree.npy (records: "
        "parent,\n"
        "child, lambda_val, child_size) and clusters.npy (records: id in the condensed tree, size,\n"
        "persistence, stability, birth, death); with --selection persistent also sizes.npy (records:\n"
        "min_cluster_size, persistence).\n"
        "Example: zwalk hdbscan points.npy --min-cluster-size 15 -o clusters");
    return runs_of<HdbscanJob>(app, o);
}

}  // namespace zwalk::apps
