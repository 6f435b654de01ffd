// zwalk peaks
#include "peaks.hpp"

#include <fmt/format.h>

#include <memory>

#include "../io/npy.hpp"
#include "one_process.hpp"
#include "parse.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

PeaksPlan peaks_plan(PeaksCommand const& o) {
    if (!o.k) throw InputError("-k is required; see zwalk peaks --help");
    PeaksPlan plan{common_plan(o), {}, {}};
    plan.peaks.k = parse_integer("-k", *o.k, 1, INT64_MAX);
    plan.peaks.order = plan.order;
    if (!o.clusters && !o.min_delta) {
        if (o.max_radius) throw InputError("--max-radius needs --clusters or --min-delta, too");
        return plan;
    }
    if (plan.order == Order::z)
        throw InputError("--order z: clusters are made of rows in the order of INPUT: leave it out");
    auto const length = [&](char const* option, std::string const& text) {
        double const l = parse_number(option, text);
        if (l < 0) throw InputError(fmt::format("{} must not be negative, but is {}", option, text));
        return plan.sphere.chord(option, l);
    };
    PeaksCut cut;
    if (o.clusters) cut.clusters = parse_integer("--clusters", *o.clusters, 1, INT64_MAX);
    if (o.min_delta) cut.min_delta = length("--min-delta", *o.min_delta);
    if (o.max_radius) cut.max_radius = length("--max-radius", *o.max_radius);
    plan.cut = cut;
    return plan;
}

/// Bytes of a row of the decision graph, and of one of its cut.
std::uint64_t graph_bytes(io::PointSet const& points) {
    return 2 * points.item_bytes() + sizeof(index_t);
}
constexpr std::uint64_t cut_bytes = sizeof(index_t) + sizeof(pos_t);

}  // namespace

PeaksJob::PeaksJob(PeaksCommand const& command) : plan(peaks_plan(command)) {}

Need PeaksJob::memory(io::PointSet const& points) const {
    Need need = peaks_memory(points.size, points.dim, points.item_bytes());
    if (plan.cut) need.result += cut_bytes * points.size;
    return of_points(need, plan, points);
}

/// The points of the rank are there once more in z-order, and results once more when they are brought into the order of the input.
Need PeaksJob::rank_memory(io::PointSet const& points) const {
    Need need =
        of_points(peaks_memory(with_imports(points), points.dim, points.item_bytes()), plan, points);
    need.sort += points.bytes();
    need.build += need.result + points.bytes();
    need.result = 2 * graph_bytes(points) * points.size;
    return need;
}

Need PeaksJob::first_rank_memory(io::PointSet const& points) const {
    Need need = rank_memory(points);
    if (plan.cut) need.result += (graph_bytes(points) + cut_bytes) * points.total;
    return need;
}

void PeaksJob::write_centres(io::OutputDirectory& out) const {
    io::write_npy<index_t>(out.file("centres.npy"), {cut.centres.size()}, cut.centres);
}

void PeaksJob::print() const {
    if (plan.cut) fmt::print("clusters    {}\n", cut.centres.size());
}

std::string PeaksJob::files() const {
    return fmt::format("radius.npy, delta.npy, nearest_denser.npy{}{}",
                       plan.cut ? ", labels.npy, centres.npy" : "",
                       plan.order == Order::z ? ", order.npy" : "");
}

Runs add_peaks(CommandLine& program) {
    Command app = program.add_command("peaks", "Density peaks: how dense each point is, and clusters");
    auto o = std::make_shared<PeaksCommand>();
    app.add_option("-k,--k", o->k,
                   "The density of a point is that out to so many neighbours; it is the first itself");
    app.add_option("--clusters", o->clusters,
                   "Make clusters of the so many points with the largest delta / radius");
    app.add_option("--min-delta", o->min_delta, "Make clusters of the points with a larger delta");
    app.add_option("--max-radius", o->max_radius, "With these: centres have no larger radius");
    add_sphere_option(app, o->sphere);
    add_points_options(app, *o);
    app.footer(
        "Writes the decision graph: of each point DIR/radius.npy, the distance to its k-th neighbour "
        "(the\n"
        "smaller, the denser), DIR/delta.npy, the distance to the nearest denser point, and\n"
        "DIR/nearest_denser.npy, that point's index (int64). The densest of all has -1 and infinity.\n"
        "With --clusters or --min-delta also DIR/centres.npy (int64: the indices of the centres, the\n"
        "densest first) and DIR/labels.npy (int64: of each point the number of its cluster, which is "
        "that of\n"
        "its nearest denser point).\n"
        "Example: zwalk peaks points.npy -k 30 --clusters 5 -o peaks");
    return runs_of<PeaksJob>(app, o);
}

}  // namespace zwalk::apps
