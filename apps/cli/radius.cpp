// zwalk radius
#include "radius.hpp"

#include <fmt/format.h>

#include <memory>

#include "one_process.hpp"
#include "parse.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/knn/memory.hpp"

namespace zwalk::apps {
namespace {

RadiusPlan radius_plan(RadiusCommand const& o) {
    if (!o.radius && o.radii.empty())
        throw InputError("--radius is required, or --radii; see zwalk radius --help");
    if (o.radius && !o.radii.empty())
        throw InputError(
            "--radius is one for all points, --radii are one for each: leave out either of them");
    if (o.larger && (o.radii.empty() || !o.query.empty()))
        throw InputError(
            "--larger compares the --radii of two points of INPUT: give --radii, and leave out --query");
    if (o.exclude_self && !o.query.empty())
        throw InputError("--exclude-self is for points among themselves; leave it out with --query");
    RadiusPlan plan{common_plan(o), {}};
    if (o.radius) {
        plan.radius.radius = parse_number("--radius", *o.radius);
        if (plan.radius.radius < 0)
            throw InputError(fmt::format("--radius must not be negative, but is {}", *o.radius));
        plan.radius.radius = plan.longest = plan.sphere.chord("--radius", plan.radius.radius);
    }
    if (o.images && (o.larger || o.order == "z"))
        throw InputError(fmt::format("--images doesn't go with {}: leave out either of them",
                                     o.larger ? "--larger" : "--order z"));
    plan.radius.larger = o.larger;
    plan.radius.images = o.images;
    plan.radius.exclude_self = o.exclude_self;
    plan.radius.order = plan.order;
    return plan;
}

}  // namespace

RadiusJob::RadiusJob(RadiusCommand const& command) : o(command), plan(radius_plan(command)) {}

Need RadiusJob::memory_of(std::uint64_t sources, io::PointSet const& points) const {
    KnnTask task{.points = sources,
                 .dim = points.dim,
                 .k = 0,
                 .item_bytes = points.item_bytes(),
                 .threads = plan.cpu().threads(),
                 .memory_budget = plan.budget};
    if (has_queries()) task.queries = queries.size;
    Need need = knn_memory(task);
    std::uint64_t const targets = has_queries() ? queries.size : sources;
    need.result = targets * 2 * sizeof(size_type);
    if (!o.radii.empty()) need.walk += targets * (sizeof(double) + 3 * points.item_bytes());
    return need;
}

/// The points of the rank are there once more in z-order.
Need RadiusJob::rank_memory(io::PointSet const& points) const {
    Need need = memory_of(with_imports(points), points);
    need.input = points.bytes() + queries.bytes();
    for (auto* phase : {&need.sort, &need.build, &need.walk}) *phase += need.input;
    return need;
}

void RadiusJob::print() const {
    if (has_queries()) fmt::print("queries     {}\n", queries.total);
    auto const longest = plan.sphere.shown(plan.longest);
    if (o.radii.empty()) fmt::print("radius      {}\n", longest);
    else fmt::print("radii       one each, the largest is {}\n", longest);
    fmt::print("found       {}\n", found);
}

std::string RadiusJob::files() const {
    bool const in_z = plan.order == Order::z, sources = in_z && has_queries() && !o.count;
    return fmt::format("counts.npy{}{}{}", o.count ? "" : ", offsets.npy, indices.npy, distances.npy",
                       in_z ? ", order.npy" : "", sources ? ", source_order.npy" : "");
}

Runs add_radius(CommandLine& program) {
    Command app = program.add_command("radius", "All points within a distance");
    auto o = std::make_shared<RadiusCommand>();
    app.add_option("--radius", o->radius, "Points no further away than this are found");
    app.add_option("--radii", o->radii,
                   "A file with a radius for each point, or for each of --query: one number per row");
    app.add_flag("--larger", o->larger, "A pair is found if it is within the larger of its two --radii");
    app.add_option("--query", o->query,
                   "Points to look around: one row each (default: INPUT's own points)");
    app.add_flag("--images", o->images,
                 "In a periodic box: all images within the radius, not only the nearest");
    app.add_flag("--exclude-self", o->exclude_self, "A point doesn't find itself");
    app.add_flag("--count", o->count, "Only count them");
    add_sphere_option(app, o->sphere);
    add_points_options(app, *o);
    app.footer(
        "Writes DIR/counts.npy (int64, one per query) and, unless --count, lists one after another:\n"
        "DIR/indices.npy (int64) and DIR/distances.npy, of query i the elements from\n"
        "DIR/offsets.npy [i] to [i + 1] (int64, one more than there are queries), nearest first.\n"
        "With --order z rows and indices are those of the points in z-order, whose indices are in\n"
        "DIR/order.npy, those of the points that queries find in DIR/source_order.npy.\n"
        "Example: zwalk radius points.npy --radius 0.01 --box 1 --count -o balls");
    return runs_of<RadiusJob>(app, o);
}

}  // namespace zwalk::apps
