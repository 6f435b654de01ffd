// zwalk emst
#include <fmt/format.h>

#include <memory>

#include "../io/npy.hpp"
#include "commands.hpp"
#include "emst.hpp"
#include "parse.hpp"
#include "points_run.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/emst/emst.hpp"

namespace zwalk::apps {
namespace {

struct Job {
    static constexpr char const* name = "tree";
    EmstPlan plan;

    explicit Job(EmstCommand const& command) : plan(emst_plan(command)) {}
    std::vector<double>& box() { return plan.emst.box; }
    static std::uint64_t read_more(io::PointSet const&) { return 0; }

    [[nodiscard]] Need memory(io::PointSet const& points) const {
        return of_points(
            emst_memory(points.size, points.dim, points.item_bytes(), plan.emst.min_samples), plan,
            points);
    }
    template <class T>
    EmstResult<T> compute(io::PointSet const& points, Phases& phases, Progress&) const {
        auto tree = plan.device == "cuda" ? emst(points.points<T>(), plan.emst, plan.cuda())
                                          : emst(points.points<T>(), plan.emst, plan.cpu());
        phases.add(tree.stats);
        if (plan.sphere)
            phases.timed("angles", [&] {
                plan.sphere.to_ascending_angles(tree.lengths);
                plan.sphere.to_angles(tree.core_distances);
            });
        return tree;
    }
    template <class T>
    static void count(EmstResult<T> const& tree, StatCounts& counts) {
        counts.emplace_back("edges", tree.lengths.size());
        counts.insert(counts.end(), tree.stats.counts.begin(), tree.stats.counts.end());
    }
    template <class T>
    static void write(io::OutputDirectory& out, EmstResult<T> const& tree) {
        io::write_npy<index_t>(out.file("edges.npy"), {tree.lengths.size(), 2}, tree.edges);
        io::write_npy<T>(out.file("lengths.npy"), {tree.lengths.size()}, tree.lengths);
        if (tree.core_distances.empty()) return;
        io::write_npy<T>(out.file("core_distances.npy"), {tree.core_distances.size()},
                         tree.core_distances);
    }
    template <class T>
    static void print(EmstResult<T> const& tree) {
        double total = 0;
        for (T const length : tree.lengths) total += double(length);
        fmt::print("edges       {}, together {:.9g} long\n", tree.lengths.size(), total);
        if (!tree.lengths.empty()) fmt::print("longest     {}\n", tree.lengths[tree.lengths.size() - 1]);
    }
    template <class T>
    static std::string files(EmstResult<T> const& tree) {
        return tree.core_distances.empty() ? "edges.npy, lengths.npy"
                                           : "edges.npy, lengths.npy, core_distances.npy";
    }
};

}  // namespace

EmstPlan emst_plan(EmstCommand const& o) {
    EmstPlan plan{common_plan(o), {}};
    if (plan.order == Order::z)
        throw InputError(
            "--order z: edges are sorted by length, and name points by their place in INPUT: leave it "
            "out");
    plan.emst.min_samples = int(parse_integer("--min-samples", o.min_samples, 1, INT32_MAX));
    return plan;
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
    return {app,
            [o] {
                Job job(*o);
                run_points(job, *o);
            },
            [o](Launch const& launch) { run_emst_on_ranks(*o, launch); }};
}

}  // namespace zwalk::apps
