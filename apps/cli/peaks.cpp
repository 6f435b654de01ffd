// zwalk peaks
#include "peaks.hpp"

#include <fmt/format.h>

#include <memory>

#include "../io/npy.hpp"
#include "commands.hpp"
#include "parse.hpp"
#include "points_run.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {

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

std::string files_of(PeaksPlan const& plan) {
    return fmt::format("radius.npy, delta.npy, nearest_denser.npy{}{}",
                       plan.cut ? ", labels.npy, centres.npy" : "",
                       plan.order == Order::z ? ", order.npy" : "");
}
void print_centres(PeaksClusters const& cut) { fmt::print("clusters    {}\n", cut.centres.size()); }

namespace {

template <class T>
struct Found : PeaksResult<T> {
    PeaksClusters cut;
};

struct Job {
    static constexpr char const* name = "density peaks";
    PeaksPlan plan;

    explicit Job(PeaksCommand const& command) : plan(peaks_plan(command)) {}
    std::vector<double>& box() { return plan.peaks.box; }

    static std::uint64_t read_more(io::PointSet const&) { return 0; }
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        Need need = peaks_memory(points.size, points.dim, points.item_bytes());
        if (plan.cut) need.result += (sizeof(index_t) + sizeof(pos_t)) * points.size;
        return of_points(need, plan, points);
    }
    template <class T>
    Found<T> compute(io::PointSet const& set, Phases& phases, Progress&) const {
        auto const points = set.points<T>();
        Found<T> r{plan.device == "cuda" ? density_peaks(points, plan.peaks, plan.cuda())
                                         : density_peaks(points, plan.peaks, plan.cpu()),
                   {}};
        phases.add(r.stats);
        if (plan.cut)
            phases.timed("clusters", [&] { r.cut = peaks_clusters(r, *plan.cut, plan.cpu()); });
        if (plan.sphere)
            phases.timed("angles", [&] {
                plan.sphere.to_angles(r.radius);
                plan.sphere.to_angles(r.delta);
            });
        return r;
    }
    template <class T>
    void count(Found<T> const& r, StatCounts& counts) const {
        counts.insert(counts.end(), r.stats.counts.begin(), r.stats.counts.end());
        if (plan.cut) counts.emplace_back("clusters", r.cut.centres.size());
    }
    template <class T>
    void write(io::OutputDirectory& out, Found<T> const& r) const {
        io::write_npy<T>(out.file("radius.npy"), {r.radius.size()}, r.radius);
        io::write_npy<T>(out.file("delta.npy"), {r.delta.size()}, r.delta);
        io::write_npy<index_t>(out.file("nearest_denser.npy"), {r.nearest_denser.size()},
                               r.nearest_denser);
        if (plan.cut) {
            io::write_npy<index_t>(out.file("labels.npy"), {r.cut.labels.size()}, r.cut.labels);
            io::write_npy<index_t>(out.file("centres.npy"), {r.cut.centres.size()}, r.cut.centres);
        }
        if (plan.order == Order::z) io::write_npy_indices(out.file("order.npy"), r.z_order);
    }
    template <class T>
    void print(Found<T> const& r) const {
        if (plan.cut) print_centres(r.cut);
    }
    template <class T>
    [[nodiscard]] std::string files(Found<T> const&) const {
        return files_of(plan);
    }
};

}  // namespace

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
    return {app,
            [o] {
                Job job(*o);
                run_points(job, *o);
            },
            [o](Launch const&) { run_peaks_on_ranks(*o); }};
}

}  // namespace zwalk::apps
