// zwalk emst
#include "emst.hpp"

#include <fmt/format.h>

#include <memory>

#include "one_process.hpp"
#include "parse.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

EmstPlan emst_plan(EmstCommand const& o) {
    EmstPlan plan{common_plan(o), {}};
    if (plan.order == Order::z)
        throw InputError(
            "--order z: edges are sorted by length, and name points by their place in INPUT: leave it "
            "out");
    plan.emst.min_samples = int(parse_integer("--min-samples", o.min_samples, 1, INT32_MAX));
    return plan;
}

}  // namespace

EmstJob::EmstJob(EmstCommand const& command) : plan(emst_plan(command)) {}

Need EmstJob::memory(io::PointSet const& points) const {
    return of_points(emst_memory(points.size, points.dim, points.item_bytes(), plan.emst.min_samples),
                     plan, points);
}
Need EmstJob::rank_memory(io::PointSet const& points) const {
    return of_points(
        emst_rank_memory(points.size, points.dim, points.item_bytes(), plan.emst.min_samples), plan,
        points);
}

void EmstJob::print() const {
    fmt::print("edges       {}, together {:.9g} long\n", edges, length);
    if (edges > 0) fmt::print("longest     {}\n", longest);
}

std::string EmstJob::files() const {
    return has_cores() ? "edges.npy, lengths.npy, core_distances.npy" : "edges.npy, lengths.npy";
}

Runs add_emst(CommandLine& program) {
    Command app = program.add_command("emst", "The Euclidean minimum spanning tree");
    auto o = std::make_shared<EmstCommand>();
    app.add_option("--min-samples", o->min_samples,
                   "Above 1: mutual reachability, with the distance to this neighbour as core distance; "
                   "the point itself is the first")
        .show_default();
    add_sphere_option(app, o->sphere);
    add_points_options(app, *o);
    app.footer(
        "Writes DIR/edges.npy (int64, shape (N-1, 2): indices i < j of the points that an edge joins) "
        "and\n"
        "DIR/lengths.npy (N-1, ascending, in the precision of the points); with --min-samples above 1\n"
        "also DIR/core_distances.npy (N).\n"
        "Example: zwalk emst points.npy -o tree && zwalk render points.npy --edges tree -o tree.svg");
    return runs_of<EmstJob>(app, o);
}

}  // namespace zwalk::apps
