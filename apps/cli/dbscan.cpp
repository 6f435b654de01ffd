// zwalk dbscan
#include "dbscan.hpp"

#include <fmt/format.h>

#include <memory>

#include "one_process.hpp"
#include "parse.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

DbscanPlan dbscan_plan(DbscanCommand const& o) {
    if (!o.epsilon) throw InputError("--epsilon is required; see zwalk dbscan --help");
    if (!o.min_samples) throw InputError("--min-samples is required; see zwalk dbscan --help");
    DbscanPlan plan{common_plan(o), {}};
    plan.dbscan.epsilon = parse_number("--epsilon", *o.epsilon);
    if (plan.dbscan.epsilon < 0)
        throw InputError(fmt::format("--epsilon must not be negative, but is {}", *o.epsilon));
    plan.dbscan.epsilon = plan.sphere.chord("--epsilon", plan.dbscan.epsilon);
    plan.dbscan.min_samples = parse_integer("--min-samples", *o.min_samples, 1, INT64_MAX);
    plan.dbscan.order = plan.order;
    return plan;
}

}  // namespace

DbscanJob::DbscanJob(DbscanCommand const& command) : plan(dbscan_plan(command)) {}

Need DbscanJob::memory(io::PointSet const& points) const {
    return of_points(dbscan_memory(points.size, points.dim, points.item_bytes()), plan, points);
}

/// The points of the rank are there once more in z-order, and labels once more when they are brought into the order of the input.
Need DbscanJob::rank_memory(io::PointSet const& points) const {
    Need need =
        of_points(dbscan_memory(with_imports(points), points.dim, points.item_bytes()), plan, points);
    need.sort += points.bytes();
    need.build += need.result + points.bytes();
    need.result = 2 * (sizeof(index_t) + 1) * points.size;
    return need;
}

void DbscanJob::print() const {
    fmt::print("epsilon     {}\n", plan.sphere.shown(plan.dbscan.epsilon));
    fmt::print("clusters    {}\n", clusters);
    fmt::print("core        {} points\n", core_points);
    fmt::print("noise       {} points\n", noise);
}

std::string DbscanJob::files() const {
    return fmt::format("labels.npy, core.npy{}", plan.order == Order::z ? ", order.npy" : "");
}

Runs add_dbscan(CommandLine& program) {
    Command app = program.add_command("dbscan", "Clusters of points in dense places, and noise");
    auto o = std::make_shared<DbscanCommand>();
    app.add_option("--epsilon", o->epsilon, "Points no further apart than this are neighbours");
    app.add_option("--min-samples", o->min_samples,
                   "Neighbours that make a core point; the point itself is one of them");
    add_sphere_option(app, o->sphere);
    add_points_options(app, *o);
    app.footer(
        "Writes DIR/labels.npy (int64, one per point: the smallest index in its cluster, -1 for noise)\n"
        "and DIR/core.npy (uint8: 1 for core points, else 0). A point that is no core point, but has "
        "one\n"
        "within epsilon, belongs to the cluster of the nearest. With --order z both are those of the\n"
        "points in z-order, whose indices are in DIR/order.npy.\n"
        "Example: zwalk dbscan points.npy --epsilon 0.02 --min-samples 10 -o clusters");
    return runs_of<DbscanJob>(app, o);
}

}  // namespace zwalk::apps
