// zwalk gravity
#include "gravity.hpp"

#include <fmt/format.h>

#include <memory>

#include "one_process.hpp"
#include "parse.hpp"

namespace zwalk::apps {
namespace {

GravityPlan gravity_plan(GravityCommand const& o) {
    GravityPlan plan{common_plan(o), {}};
    if (plan.device == "auto") plan.device = "cpu";  // a GPU has other last bits
    GravityOptions& g = plan.gravity;
    if (o.softening) g.softening = parse_number("--softening", *o.softening);
    if (o.accuracy) g.accuracy = parse_number("--accuracy", *o.accuracy);
    if (o.expansion_order)
        g.expansion_order = int(parse_integer("--expansion-order", *o.expansion_order, 1, 5));
    if (o.opening) g.opening = parse_number("--opening", *o.opening);
    g.order = plan.order;
    return plan;
}

}  // namespace

GravityJob::GravityJob(GravityCommand const& command) : o(command), plan(gravity_plan(command)) {}

Need GravityJob::memory_of(std::uint64_t sources, io::PointSet const& points) const {
    Need need =
        of_points(gravity_memory(sources, points.dim, points.item_bytes(), plan.gravity), plan, points);
    need.input += masses.size() * sizeof(double);
    return need;
}

/// The points of the rank are there once more in z-order, and results once more when they are brought into the order of the input.
Need GravityJob::rank_memory(io::PointSet const& points) const {
    Need need = memory_of(with_imports(points), points);
    need.result = 2 * (std::uint64_t(points.dim) + 1) * points.item_bytes() * points.size;
    for (auto* phase : {&need.sort, &need.walk}) *phase += points.bytes();
    return need;
}

void GravityJob::print() const {
    fmt::print("softening   {}\n", plan.gravity.softening);
    fmt::print("expansions  of order {}, opening {:.3g}\n", order, opening);
}

std::string GravityJob::files() const {
    return fmt::format("accelerations.npy, potentials.npy{}",
                       plan.order == Order::z ? ", order.npy" : "");
}

Runs add_gravity(CommandLine& program) {
    Command app = program.add_command("gravity", "Accelerations and potentials of masses");
    auto o = std::make_shared<GravityCommand>();
    app.add_option("--masses", o->masses,
                   "A file with one mass per point; of a snapshot, its Masses (default: 1 each)");
    app.add_option("--softening", o->softening, "Plummer's, in the unit of the points (default: 0)");
    app.add_option("--accuracy", o->accuracy,
                   "Relative error of accelerations that 99 of 100 points keep (default: 1e-3)");
    app.add_option("--expansion-order", o->expansion_order, "1 to 5 (default: by accuracy)");
    app.add_option("--opening", o->opening,
                   "How large nodes may be that act as a whole, as multiples of the gap between them "
                   "(default: by accuracy)");
    add_points_options(app, *o);
    app.footer(
        "Writes DIR/accelerations.npy (N, D) and DIR/potentials.npy (N,) in the precision of the "
        "points,\n"
        "with G = 1: of each point by all others; in a periodic --box also by all images, with a\n"
        "background that cancels the mean density. With --order z they are those of the points in\n"
        "z-order, whose indices are in DIR/order.npy.\n"
        "Example: zwalk gravity stars.npy --masses masses.npy --softening 0.01 -o gravity");
    return runs_of<GravityJob>(app, o);
}

}  // namespace zwalk::apps
