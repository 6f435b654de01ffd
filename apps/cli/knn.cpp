// zwalk knn
#include "knn.hpp"

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "knn_sources.hpp"
#include "launch.hpp"
#include "parse.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

void check_combination(KnnCommand const& o) {
    auto const need = [](bool ok, char const* what) {
        if (!ok) throw InputError(what);
    };
    need(!o.input.empty() || !o.index.empty(), "INPUT is required (or --index); see zwalk knn --help");
    need(o.input.empty() || o.index.empty(),
         "the points come from INPUT or from --index, not from both");
    need(o.index.empty() || o.save_index.empty(), "--index is saved already; copy the file");
    need(o.index.empty() || o.box.empty(),
         "the box is that of the index; leave out --box (it goes with --save-index)");
    need(o.index.empty() || o.precision.empty(),
         "the precision is that of the index; leave out --precision (it goes with --save-index)");
    bool const only_save = !o.save_index.empty() && !o.k && o.output.empty();
    need(o.save_index.empty() || o.device != "cuda",
         "--save-index needs --device cpu; a GPU can load what it saves");
    need(!o.gpu_aware || o.device == "cuda",
         "--gpu-aware is for ranks with a GPU each; it needs --device cuda");
    need(o.k || only_save, "-k is required; see zwalk knn --help");
    need(!o.output.empty() || only_save, "-o is required; see zwalk knn --help");
    need(!only_save || (o.query.empty() && !o.exclude_self && !o.within),
         "--query, --exclude-self and --within need -k and -o");
    need(o.reduce.empty() || !only_save, "--reduce needs -k and -o");
    need(o.reduce.empty() || o.order != "z", "--reduce gives rows in the order of input only");
    need(!o.within || o.reduce.empty() || o.reduce == "radius",
         "--reduce density and sph are of all k neighbours, wherever they are; leave out --within");
    need(o.masses.empty() || o.reduce == "density" || o.reduce == "sph",
         "--masses are for --reduce density and sph");
    need(o.masses.empty() || o.device != "cuda", "--masses needs --device cpu");
    need(!o.exclude_self || o.query.empty(),
         "--exclude-self is for points among themselves; leave it out with --query");
}

KnnOptions neighbours_of(KnnCommand const& o) {
    KnnOptions options;
    if (!o.output.empty()) options.k = parse_integer("-k", *o.k, 1, INT64_MAX);
    options.exclude_self = o.exclude_self;
    if (o.within) {
        options.within = parse_number("--within", *o.within);
        if (options.within < 0)
            throw InputError(fmt::format("--within must not be negative, but is {}", *o.within));
    }
    options.order = parse_word("--order", o.order, {"input", "z"}) == "z" ? Order::z : Order::input;
    return options;
}

}  // namespace

KnnPlan knn_plan(KnnCommand const& o) {
    check_combination(o);
    KnnPlan plan{common_plan(o), neighbours_of(o)};
    plan.gpu_aware = o.gpu_aware;
    if (o.within) plan.knn.within = plan.sphere.chord("--within", plan.knn.within);
    plan.sphere.refuse(!o.reduce.empty() && reduction_of(o) != Reduction::radius,
                       "--reduce density and sph are of points in space; --reduce radius gives angles");
    if (!o.save_index.empty() || !o.masses.empty()) plan.device = "cpu";
    return plan;
}

std::string few_points_note(KnnOptions const& options, std::uint64_t sources, bool lists) {
    std::uint64_t const others = sources - std::uint64_t(options.exclude_self && sources > 0);
    if (std::uint64_t(options.k) <= others) return "";
    return fmt::format("k is {}, but there are {} points to be found{}", options.k, others,
                       lists ? ": rows end with index -1, distance inf" : "");
}

std::vector<double> box_of_index(KnnCommand const& o, std::vector<double> box) {
    if (o.wrap && box.empty()) throw InputError("--wrap needs a periodic box; the index has none");
    return box;
}

Reduction reduction_of(KnnCommand const& o) {
    auto const word = parse_word("--reduce", o.reduce, {"density", "sph", "radius"});
    return word == "radius"    ? Reduction::radius
           : word == "density" ? Reduction::density
                               : Reduction::sph;
}

void check_reduction_of_points(Reduction what, int dim) {
    if (what == Reduction::sph && dim > 3)
        throw InputError(
            fmt::format("--reduce sph is for one to three dimensions, but the points have "
                        "{}; --reduce density takes any number",
                        dim));
}

std::string files_of(KnnCommand const& o) {
    if (!o.reduce.empty()) return o.reduce + ".npy";
    std::string const lists = "indices.npy, distances.npy";
    if (o.order != "z") return lists;
    return lists + (o.query.empty() ? ", order.npy" : ", order.npy, source_order.npy");
}

Runs add_knn(CommandLine& program) {
    Command app = program.add_command("knn", "Exact k nearest neighbours of every point");
    auto o = std::make_shared<KnnCommand>();
    app.add_option("INPUT", o->input, input_help);
    app.add_option("--index", o->index, "The points of this index, instead of INPUT");
    app.add_option(
        "-k,--k", o->k,
        "Neighbours per point, at least 1; the first is the point itself, unless --exclude-self");
    app.add_option("-o,--output", o->output, "Directory for the results");
    app.add_option("--save-index", o->save_index,
                   "Save the points, ready to be searched, for --index; alone or with -k and -o");
    app.add_option("--query", o->query, "Find the neighbours of the points of this file instead");
    app.add_option("--reduce", o->reduce,
                   "Write one number per point, not its neighbours: density, sph or radius");
    app.add_option("--masses", o->masses,
                   "With --reduce density or sph: a file with one mass per point (default: 1); of a "
                   "snapshot, its Masses");
    app.add_option("--within", o->within,
                   "Only neighbours at this distance or nearer; rows may end early");
    app.add_flag("--exclude-self", o->exclude_self, "A point is no neighbour of itself");
    app.add_option("--pieces", o->pieces,
                   "With --reduce: points stay on disk, and come to memory in so many pieces; auto: as "
                   "--memory-budget allows");
    app.add_flag("--gpu-aware", o->gpu_aware,
                 "On ranks: MPI sends results straight from the GPUs' memory");
    add_sphere_option(app, o->sphere);
    add_common_options(app, *o);
    app.footer(
        "Writes DIR/indices.npy (int64, one row per point, nearest first; -1: none) and\n"
        "DIR/distances.npy (in the precision of the points; inf: none). With --order z also\n"
        "DIR/order.npy: the input index of each row (and DIR/source_order.npy with --query).\n"
        "With --reduce only DIR/density.npy, sph.npy or radius.npy: points per volume of the ball\n"
        "out to the k-th neighbour, the density of particle methods, the distance to it.\n"
        "With --masses the densities are mass per volume.\n"
        "Example: zwalk knn points.npy -k 16 --exclude-self --box 1 -o out\n"
        "         zwalk knn points.npy --save-index points.zwx\n"
        "         zwalk knn --index points.zwx --query others.npy -k 16 -o out");
    auto const run = [o] {
        if (o->pieces) return run_knn_in_pieces(*o);
        OneProcess place(*o);
        run_job<KnnJob<OwnSources>>(place, *o);
    };
    return {app, run, [o](Launch const&) {
                refuse_on_ranks(o->pieces.has_value(), "--pieces");
                refuse_on_ranks(!o->masses.empty(), "--masses");
                run_knn_on_ranks(*o);
            }};
}

}  // namespace zwalk::apps
