// zwalk knn
#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>

#include "../io/npy.hpp"
#include "../io/output.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "knn.hpp"
#include "knn_found.hpp"
#include "knn_input.hpp"
#include "memory.hpp"
#include "parse.hpp"
#include "stats.hpp"
#include "zwalk/density/density.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/knn/knn.hpp"

namespace zwalk::apps {
namespace {

/// Everything that the options settle before a file is read.
struct Plan {
    KnnOptions knn;
    bool search = true;                 ///< or only save an index
    std::optional<Reduction> reduce{};  ///< instead of lists
    io::ReadOptions read;
    Sphere sphere;
    std::string device;  ///< auto, cpu or cuda; after reading cpu or cuda
    Cpu cpu;
    Cuda cuda;
};

Plan plan_of(KnnCommand const& o) {
    Plan plan;
    check_combination(o);
    plan.search = !o.output.empty();
    plan.knn = neighbours_of(o);
    if (!o.reduce.empty()) plan.reduce = reduction_of(o);
    plan.cpu = Cpu(int(parse_integer("--threads", o.threads, 0, 4096)));
    plan.sphere = sphere_of(o, plan.cpu.threads());
    if (o.within) plan.knn.within = plan.sphere.chord("--within", plan.knn.within);
    plan.sphere.refuse(plan.reduce && *plan.reduce != Reduction::radius,
                       "--reduce density and sph are of points in space; --reduce radius gives angles");
    plan.read = plan.sphere.reading(read_options(o.precision, o.dataset, o.columns));
    plan.device = asked_device(o);
    if (!o.save_index.empty()) plan.device = "cpu";
    if (!o.memory_budget.empty()) {
        plan.cuda.memory_budget = parse_bytes("--memory-budget", o.memory_budget);
        plan.cpu = Cpu(plan.cpu.threads(), plan.cuda.memory_budget);
    }
    if (!o.box.empty()) parse_numbers("--box", o.box);
    return plan;
}

/// Options for an index, which has a box of its own.
KnnOptions of_index(KnnOptions o) {
    o.box.clear();
    return o;
}

/// The neighbours, with the index if there is one.
template <class T>
KnnResult<T> search(KnnInput& in, Plan const& plan) {
    auto const find = [&](auto const& sources, KnnOptions const& o, auto const&... place) {
        return in.has_queries ? knn(sources, in.queries.points<T>(), o, place...)
                              : knn(sources, o, place...);
    };
    KnnOptions const& o = plan.knn;
    if (auto const* index = std::get_if<CudaIndex<T>>(&in.index)) return find(*index, of_index(o));
    if (plan.device == "cuda") return find(in.sources.points<T>(), o, plan.cuda);
    if (auto const* index = std::get_if<Index<T>>(&in.index)) {
        auto result = find(*index, of_index(o));
        if (in.has_queries && o.order == Order::z)
            result.source_order = copy_to(plan.cpu, index->z_order());
        return result;
    }
    return find(in.sources.points<T>(), o, plan.cpu);
}

/// One value per row instead of neighbours.
template <class T>
KnnResult<T> reduce(KnnInput& in, Plan const& plan) {
    check_reduction_of_points(*plan.reduce, in.dim());
    auto const reduced = [&](auto const& sources, KnnOptions const& o, auto const&... place) {
        return in.has_queries ? knn_reduce(sources, in.queries.points<T>(), *plan.reduce, o, place...)
                              : knn_reduce(sources, *plan.reduce, o, place...);
    };
    auto found = [&] {
        if (auto const* index = std::get_if<CudaIndex<T>>(&in.index))
            return reduced(*index, of_index(plan.knn));
        if (plan.device == "cuda") return reduced(in.sources.points<T>(), plan.knn, plan.cuda);
        if (auto const* index = std::get_if<Index<T>>(&in.index))
            return reduced(*index, of_index(plan.knn));
        return reduced(in.sources.points<T>(), plan.knn, plan.cpu);
    }();
    KnnResult<T> result;
    result.rows = in.rows();
    result.columns = 1;
    result.distances = std::move(found.values);
    result.stats = std::move(found.stats);
    return result;
}

/// Refuses distances that can't be chords: an index doesn't show whether its points are on a sphere.
template <class T>
void check_chords(Buffer<T> const& distances) {
    for (T const d : distances)
        if (d > T(2.001) && std::isfinite(d))
            throw InputError(
                "--sphere: the index was saved without it; leave it out, or save the index with it");
}

/// Wraps, indexes if an index is to be saved, and searches unless that is all.
template <class T>
KnnResult<T> compute(KnnInput& in, KnnCommand const& o, Plan const& plan) {
    std::vector<std::pair<std::string, double>> phases;
    auto const timed = [&](char const* name, auto const& work) {
        Timer const timer;
        work();
        phases.emplace_back(name, timer.seconds());
    };
    auto const& box = plan.knn.box;
    if (o.wrap)
        timed("wrap", [&] {
            plan.cpu.run([&] {
                wrap_into_box(in.sources, box);
                wrap_into_box(in.queries, box);
            });
        });
    if (!o.save_index.empty())
        timed("index", [&] { in.index = Index<T>(in.sources.points<T>(), {.box = box}, plan.cpu); });
    if (auto* index = std::get_if<Index<T>>(&in.index)) index->place() = plan.cpu;
    KnnResult<T> result;
    if (plan.search) result = !plan.reduce ? search<T>(in, plan) : reduce<T>(in, plan);
    if (plan.sphere)
        timed("angles", [&] {
            check_chords(result.distances);
            plan.sphere.to_angles(result.distances);
        });
    result.stats.seconds.insert(result.stats.seconds.begin(), phases.begin(), phases.end());
    return result;
}

template <class T>
void write_result(io::OutputDirectory& out, KnnResult<T> const& r, KnnCommand const& o) {
    if (!o.reduce.empty()) return io::write_npy<T>(out.file(o.reduce + ".npy"), {r.rows}, r.distances);
    io::write_npy<index_t>(out.file("indices.npy"), {r.rows, r.columns}, r.indices);
    io::write_npy<T>(out.file("distances.npy"), {r.rows, r.columns}, r.distances);
    if (o.order == "z") {
        io::write_npy_indices(out.file("order.npy"), r.row_order);
        if (!o.query.empty()) io::write_npy_indices(out.file("source_order.npy"), r.source_order);
    }
}

template <class T>
void write_index(Index<T> const& index, io::SideFile const& file, std::string const& name) {
    std::ofstream out(file.path(), std::ios::binary);
    if (out) index.write(out);
    out.close();
    if (!out) throw Error(fmt::format("cannot write '{}': {}", name, std::strerror(errno)));
}

/// What a run leaves behind.
struct Outputs {
    std::optional<io::OutputDirectory> directory;
    std::optional<io::SideFile> index;
    std::optional<StatsFile> stats;

    explicit Outputs(KnnCommand const& o) {
        if (!o.output.empty()) directory.emplace(o.output, o.force);
        auto* const beside = directory ? &*directory : nullptr;
        if (!o.save_index.empty()) index.emplace(o.save_index, beside, o.force);
        stats.emplace(o.stats, beside, o.force);
    }
    void commit() {
        if (directory) directory->commit();
        if (index) index->commit();
        stats->commit();
    }
};

void print_summary(KnnCommand const& o, KnnInput const& in, Plan const& plan, RunStats const& s,
                   FoundWithin const& found) {
    fmt::print("points      {} {}, {}\n", in.source_count(), plan.sphere.where(in.dim()),
               in.item_bytes() == 4 ? "float32" : "float64");
    if (in.has_queries) fmt::print("queries     {}\n", in.queries.size);
    if (plan.search) fmt::print("neighbours  {}\n", plan.knn.k);
    if (o.within) print_found(o, plan.sphere.shown(plan.knn.within), found);
    fmt::print("seconds     {:.3f} read, {:.3f} compute, {:.3f} write\n", s.read, s.compute, s.write);
    if (plan.search) fmt::print("written     {}: {}\n", o.output, files_of(o));
    if (!o.save_index.empty()) fmt::print("index       {}\n", o.save_index);
}

/// From points in memory to results on disk.
/// @return what was found, if --within is given and something is to be printed
template <class T>
FoundWithin solve(KnnCommand const& o, Plan const& plan, KnnInput& in, Outputs& out, RunStats& stats,
                  Progress& progress) {
    progress.phase(plan.search ? fmt::format("{} neighbours of {} points", plan.knn.k, in.rows())
                               : fmt::format("index of {} points", in.rows()));
    Timer const computing;
    auto const result = compute<T>(in, o, plan);
    stats.compute = computing.seconds();
    stats.set_phases(result.stats.seconds);
    for (auto const& count : result.stats.counts) stats.counts.push_back(count);

    progress.phase("writing " + (plan.search ? o.output : o.save_index));
    Timer const writing;
    if (plan.search) write_result(*out.directory, result, o);
    if (out.index) {
        write_index(std::get<Index<T>>(in.index), *out.index, o.save_index);
        stats.output_bytes += std::filesystem::file_size(out.index->path());
    }
    stats.write = writing.seconds();
    FoundWithin found;
    if (o.within && !o.quiet)
        found = plan.reduce ? count_found<T>(plan.cpu, result.distances)
                            : count_found(plan.cpu, result.indices, result.columns);
    stats.output_bytes += result.indices.size() * sizeof(index_t) + result.distances.size() * sizeof(T) +
                          (result.row_order.size() + result.source_order.size()) * sizeof(index_t);
    out.stats->write(stats);
    return found;
}

/// What memory the search will need. Settles the budget of the CPU, so that it follows this plan.
KnnMemory plan_memory(KnnInput const& in, Plan& plan) {
    KnnTask task{.points = in.source_count(),
                 .dim = in.dim(),
                 .k = plan.search ? plan.knn.k : 0,
                 .item_bytes = in.item_bytes(),
                 .order = plan.knn.order,
                 .threads = plan.cpu.threads(),
                 .memory_budget = plan.cpu.memory_budget(),
                 .indexed = in.has_index(),
                 .visited = plan.reduce.has_value()};
    if (in.has_queries) task.queries = in.queries.size;
    KnnMemory const memory = knn_memory(task);
    plan.cpu = Cpu(plan.cpu.threads(), std::max<std::uint64_t>(1, memory.budget));
    return memory;
}

/// The note on a k that is larger than the number of points to be found; "" if it isn't.
std::string few_points_note(KnnOptions const& options, std::size_t sources, bool lists) {
    std::size_t const others = sources - std::size_t(options.exclude_self && sources > 0);
    if (std::size_t(options.k) <= others) return "";
    return fmt::format("k is {}, but there are {} points to be found{}", options.k, others,
                       lists ? ": rows end with index -1, distance inf" : "");
}

void run_knn(KnnCommand const& o) {
    RunStats stats;
    Plan plan = plan_of(o);
    Progress progress(o.quiet);
    Outputs out(o);

    progress.phase("reading " + (o.index.empty() ? o.input : o.index));
    Timer const reading;
    KnnInput in = read_knn_input({o.input, o.index, o.query}, plan.read, plan.sphere, plan.device,
                                 plan.cpu, plan.cuda, o.quiet);
    stats.read = reading.seconds();
    plan.knn.box = in.has_index() ? box_of_index(o, in.index_box()) : box_of(o, in.sources);
    if (!in.has_index()) print_note(box_note(o, in.sources), o.quiet);
    plan.device = device_for(plan.device, in.dim());
    KnnMemory const memory = plan_memory(in, plan);
    check_memory(
        memory, 1,
        memory.result > memory.working() ? "a smaller k helps, or queries in several files" : "");
    if (!o.memory_budget.empty()) print_note(budget_note(memory), o.quiet);
    if (plan.search) print_note(few_points_note(plan.knn, in.source_count(), !plan.reduce), o.quiet);
    stats.predicted_peak = memory.peak();
    stats.budget = memory.budget;

    stats.input_bytes = in.sources.file_bytes + in.queries.file_bytes + in.index_bytes;
    stats.device = plan.device;
    stats.threads = plan.cpu.threads();
    stats.counts.emplace_back("sources", in.source_count());
    if (plan.search) stats.counts.emplace_back("queries", in.rows());
    stats.counts.emplace_back("dim", std::uint64_t(in.dim()));
    if (plan.search) stats.counts.emplace_back("k", std::uint64_t(plan.knn.k));
    auto const found = in.precision() == io::Precision::f4
                           ? solve<float>(o, plan, in, out, stats, progress)
                           : solve<double>(o, plan, in, out, stats, progress);
    out.commit();
    progress.clear();
    if (!o.quiet) print_summary(o, in, plan, stats, found);
}

}  // namespace

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
    app.add_option("--within", o->within,
                   "Only neighbours at this distance or nearer; rows may end early");
    app.add_flag("--exclude-self", o->exclude_self, "A point is no neighbour of itself");
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
        "Example: zwalk knn points.npy -k 16 --exclude-self --box 1 -o out\n"
        "         zwalk knn points.npy --save-index points.zwx\n"
        "         zwalk knn --index points.zwx --query others.npy -k 16 -o out");
    return {app, [o] { run_knn(*o); }, [o](Launch const&) { run_knn_on_ranks(*o); }};
}

}  // namespace zwalk::apps
