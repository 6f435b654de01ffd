// zwalk dbscan
#include "dbscan.hpp"

#include <fmt/format.h>

#include <memory>

#include "../io/npy.hpp"
#include "commands.hpp"
#include "parse.hpp"
#include "points_run.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/dbscan/dbscan.hpp"

namespace zwalk::apps {
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

std::string files_of(DbscanCommand const& o) {
    return fmt::format("labels.npy, core.npy{}", o.order == "z" ? ", order.npy" : "");
}
void print_clusters(DbscanPlan const& plan, std::uint64_t clusters, std::uint64_t core_points,
                    std::uint64_t noise) {
    fmt::print("epsilon     {}\n", plan.sphere.shown(plan.dbscan.epsilon));
    fmt::print("clusters    {}\n", clusters);
    fmt::print("core        {} points\n", core_points);
    fmt::print("noise       {} points\n", noise);
}

namespace {

struct Job {
    static constexpr char const* name = "clusters";
    DbscanCommand const& o;
    DbscanPlan plan;

    explicit Job(DbscanCommand const& command) : o(command), plan(dbscan_plan(command)) {}
    std::vector<double>& box() { return plan.dbscan.box; }

    static std::uint64_t read_more(io::PointSet const&) { return 0; }
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        return of_points(dbscan_memory(points.size, points.dim, points.item_bytes()), plan, points);
    }
    template <class T>
    DbscanResult<> compute(io::PointSet const& set, Phases& phases, Progress&) {
        auto const points = set.points<T>();
        auto result = plan.device == "cuda" ? dbscan(points, plan.dbscan, plan.cuda())
                                            : dbscan(points, plan.dbscan, plan.cpu());
        phases.add(result.stats);
        return result;
    }
    static void count(DbscanResult<> const& r, StatCounts& counts) {
        counts.insert(counts.end(), r.stats.counts.begin(), r.stats.counts.end());
    }
    void write(io::OutputDirectory& out, DbscanResult<> const& r) const {
        io::write_npy<index_t>(out.file("labels.npy"), {r.labels.size()}, r.labels);
        io::write_npy<std::uint8_t>(out.file("core.npy"), {r.core.size()}, r.core);
        if (o.order == "z") io::write_npy_indices(out.file("order.npy"), r.z_order);
    }
    void print(DbscanResult<> const& r) const {
        print_clusters(plan, r.clusters, r.core_points, r.noise);
    }
    [[nodiscard]] std::string files(DbscanResult<> const&) const { return files_of(o); }
};

}  // namespace

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
    return {app,
            [o] {
                Job job(*o);
                run_points(job, *o);
            },
            [o](Launch const&) { run_dbscan_on_ranks(*o); }};
}

}  // namespace zwalk::apps
