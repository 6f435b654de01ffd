// zwalk trace
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "../io/file.hpp"
#include "../io/output.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "parse.hpp"
#include "trace_walks.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/walk/trace.hpp"

namespace zwalk::apps {
namespace {

/// The options, as text.
struct TraceCommand : Common {
    std::string input, output, algorithm, title;
    std::optional<std::string> k, radius, length, fraction, epsilon, min_samples, opening, round,
        leaf_size;
};

constexpr std::size_t most_points = 5000, most_leaves = 1000;

double parse_length(char const* option, std::string const& text) {
    double const value = parse_number(option, text);
    if (value < 0) throw InputError(fmt::format("{} must not be negative, but is {}", option, text));
    return value;
}

/// Options that belong to one algorithm are for no other.
void check_options_of(TraceCommand const& o) {
    parse_word("--algorithm", o.algorithm, traced_algorithms);
    auto const only = [&](auto const& option, char const* name, char const* algorithm) {
        if (option && o.algorithm != algorithm)
            throw InputError(
                fmt::format("{} is for --algorithm {}, not for {}", name, algorithm, o.algorithm));
    };
    only(o.k, "-k", "knn");
    only(o.radius, "--radius", "radius");
    only(o.length, "--linking-length", "fof");
    only(o.fraction, "--linking-fraction", "fof");
    only(o.epsilon, "--epsilon", "dbscan");
    only(o.min_samples, "--min-samples", "dbscan");
    only(o.opening, "--opening", "gravity");
    only(o.round, "--round", "emst");
    if (o.algorithm == "radius" && !o.radius) throw InputError("--algorithm radius needs --radius");
    if (o.algorithm == "dbscan" && !o.epsilon) throw InputError("--algorithm dbscan needs --epsilon");
    if (o.length && o.fraction)
        throw InputError("give --linking-length or --linking-fraction, not both");
    if (o.algorithm == "gravity" && !o.box.empty())
        throw InputError("--box: gravity is that of open space, without periodic images");
}

/// All that the options settle before a file is read.
TraceTask task_of(TraceCommand const& o) {
    check_options_of(o);
    TraceTask task{.algorithm = o.algorithm};
    if (o.k) task.k = std::size_t(parse_integer("-k", *o.k, 1, most_points));
    for (auto const& [option, text] :
         {std::pair("--radius", &o.radius), {"--epsilon", &o.epsilon}, {"--linking-length", &o.length}})
        if (*text) task.length = parse_length(option, **text);
    if (o.fraction) parse_length("--linking-fraction", *o.fraction);
    if (o.min_samples)
        task.min_samples = pos_t(parse_integer("--min-samples", *o.min_samples, 1, most_points));
    if (o.opening) task.opening = parse_length("--opening", *o.opening);
    if (o.round) task.round = int(parse_integer("--round", *o.round, 1, 100));
    if (o.leaf_size) parse_integer("--leaf-size", *o.leaf_size, 1, most_points);
    return task;
}

void check_points_to_see(io::PointSet const& points) {
    if (points.dim != 2 && points.dim != 3)
        throw InputError(fmt::format(
            "zwalk trace draws 2 or 3 dimensions, but the points have {}; --columns chooses some",
            points.dim));
    if (points.size == 0 || points.size > most_points)
        throw InputError(
            fmt::format("zwalk trace draws walks over 1 to {} points, but there are {}; take a sample",
                        most_points, points.size));
}

/// What depends on the points.
void complete(TraceTask& task, TraceCommand const& o, io::PointSet const& points) {
    task.box = task.algorithm == "gravity" ? std::vector<double>() : box_of(o, points);
    if (task.algorithm == "fof" && !o.length)
        task.length = (o.fraction ? parse_number("--linking-fraction", *o.fraction) : .2) *
                      mean_spacing(points.points<double>(), task.box);
    task.tree = tree_to_look_at(points.size);
    if (!o.leaf_size) return;
    task.tree.leaf_size = pos_t(parse_integer("--leaf-size", *o.leaf_size, 1, most_points));
    if (points.size / task.tree.leaf_size > most_leaves)
        throw InputError(
            fmt::format("--leaf-size {} makes more than {} leaves of {} points; give a larger one",
                        *o.leaf_size, most_leaves, points.size));
}

void run_trace(TraceCommand const& o) {
    if (io::extension_of(o.output) != ".html")
        throw InputError(fmt::format("-o: {} must end in .html", io::quoted(o.output)));
    TraceTask task = task_of(o);
    io::OutputFile out(o.output, o.force);
    Progress progress(o.quiet);
    progress.phase("reading " + o.input);
    io::PointSet const points = io::read_points(o.input, read_options("f8", o.dataset, o.columns));
    print_notes(points, o.quiet);
    if (task.algorithm != "gravity") print_note(box_note(o, points), o.quiet);
    check_points_to_see(points);
    complete(task, o, points);
    progress.phase("walking");
    TracedWalk const walk = trace_algorithm(points, task);
    PageOptions page{.title = o.title, .about = walk.about, .radius = task.length};
    if (page.title.empty())
        page.title = fmt::format("{} of {}, step by step", o.algorithm,
                                 std::filesystem::path(o.input).filename().string());
    write_page(out.path(), walk.trace, page);
    out.commit();
    progress.clear();
    if (o.quiet) return;
    fmt::print("{}\n{}", walk.about, walk.trace.table_text());
    fmt::print("written     {}: open it in a browser\n", o.output);
}

}  // namespace

Runs add_trace(CommandLine& program) {
    Command app = program.add_command("trace", "A small walk to look at, step by step, in a browser");
    auto o = std::make_shared<TraceCommand>();
    app.add_option("INPUT", o->input, "Points, as for zwalk knn; 2 or 3 columns, at most 5000")
        .required();
    app.add_option("-o,--output", o->output, "The page: .html").required();
    app.add_option("--algorithm", o->algorithm, "knn, fof, emst, radius, dbscan or gravity").required();
    app.add_option("-k,--k", o->k, "knn: how many neighbours (default: 8)");
    app.add_option("--radius", o->radius, "radius: points no further away than this");
    app.add_option("--linking-length", o->length, "fof: points no further apart are friends");
    app.add_option("--linking-fraction", o->fraction,
                   "fof: the same as a fraction of the mean spacing (default: 0.2)");
    app.add_option("--epsilon", o->epsilon, "dbscan: points no further away are neighbours");
    app.add_option("--min-samples", o->min_samples, "dbscan: a core point has so many (default: 5)");
    app.add_option("--opening", o->opening, "gravity: as in zwalk gravity (default: 1)");
    app.add_option("--round", o->round, "emst: which round of Boruvka's algorithm (default: 2)");
    app.add_option("--leaf-size", o->leaf_size,
                   "Points in a leaf, at most (default: 4, more for many points)");
    app.add_option("--box", o->box,
                   "Periodic box: L, or Lx,Ly,Lz with 0 for an open axis "
                   "(default: the header of an HDF5 snapshot, else open)");
    app.add_option("--title", o->title, "Title of the page");
    app.add_flag("--quiet", o->quiet, "Print nothing but errors");
    app.add_flag("--force", o->force, "Replace the file if it exists");
    add_reading_options(app, o->dataset, o->columns);
    app.footer(
        "Writes one page that needs no network: planes and nodes, every decision with its numbers, what "
        "leaves\n"
        "meet, and how many of all pairs do. Walks are the plain ones of the framework, in double.\n"
        "A trait of your own can have such a page: docs/traits-reference.md, installed in "
        "share/doc/zwalk,\n"
        "shows how under \"See it walk\" (zwalk::Tracing and write_page of zwalk/walk/trace.hpp).\n"
        "Example: zwalk generate clustered 500 2 -o points.npy\n"
        "         zwalk trace points.npy --algorithm fof -o walk.html");
    return {app, [o] { run_trace(*o); }};
}

}  // namespace zwalk::apps
