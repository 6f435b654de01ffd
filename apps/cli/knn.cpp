// zwalk knn
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "../io/npy.hpp"
#include "../io/output.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "memory.hpp"
#include "parse.hpp"
#include "stats.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/knn/knn.hpp"

namespace zwalk::apps {
namespace {

struct Options : Common {
    std::string input, query, k, output;
    bool exclude_self = false;
};

/// Everything that options can say before a file is read.
struct Plan {
    KnnOptions knn;
    io::ReadOptions read;
    std::optional<std::uint64_t> budget;
    std::string device;
};

Plan plan_of(Options const& o) {
    Plan plan;
    plan.knn.k = parse_integer("-k", o.k, 1, INT64_MAX);
    plan.knn.exclude_self = o.exclude_self;
    if (o.exclude_self && !o.query.empty())
        throw InputError(
            "--exclude-self is for points among themselves; leave it out with --query");
    plan.knn.order =
        parse_word("--order", o.order, {"input", "z"}) == "z" ? Order::z : Order::input;
    plan.knn.threads = int(parse_integer("--threads", o.threads, 0, 4096));
    plan.read = {parse_precision("--precision", o.precision), o.dataset};
    plan.device = device_of(o);
    if (!o.memory_budget.empty()) plan.budget = parse_bytes("--memory-budget", o.memory_budget);
    if (!o.box.empty()) parse_numbers("--box", o.box);
    return plan;
}

/// Sources, and queries in the same precision.
struct Input {
    io::PointSet sources, queries;
    bool has_queries = false;

    [[nodiscard]] io::PointSet const& rows() const { return has_queries ? queries : sources; }
};

Input read_input(Options const& o, Plan const& plan) {
    Input in;
    in.sources = io::read_points(o.input, plan.read);
    print_notes(in.sources, o.quiet);
    in.has_queries = !o.query.empty();
    if (!in.has_queries) return in;
    io::ReadOptions read = plan.read;
    read.precision = in.sources.precision();
    in.queries = io::read_points(o.query, read);
    print_notes(in.queries, o.quiet);
    if (in.queries.dim != in.sources.dim)
        throw InputError(fmt::format("the queries have {} coordinates, the points {}",
                                     in.queries.dim, in.sources.dim));
    return in;
}

template <class T>
KnnResult<T> compute(Input& in, Options const& o, KnnOptions const& options) {
    Timer const timer;
    double wrapping = 0;
    if (o.wrap) {
        Cpu(options.threads).run([&] {
            wrap_into_box(in.sources, options.box);
            wrap_into_box(in.queries, options.box);
        });
        wrapping = timer.seconds();
    }
    auto result = in.has_queries ? knn(in.sources.points<T>(), in.queries.points<T>(), options)
                                 : knn(in.sources.points<T>(), options);
    if (o.wrap) result.stats.seconds.insert(result.stats.seconds.begin(), {"wrap", wrapping});
    return result;
}

void write_order(io::OutputDirectory& out, std::string const& name,
                 std::vector<pos_t> const& order) {
    io::NpyWriter<index_t> writer(out.file(name), {order.size()});
    std::vector<index_t> part;
    for (std::size_t begin = 0; begin < order.size(); begin += part.size()) {
        std::size_t const end = std::min(order.size(), begin + (std::size_t(1) << 16));
        part.assign(order.data() + begin, order.data() + end);
        writer.append(part);
    }
    writer.close();
}

template <class T>
void write_result(io::OutputDirectory& out, KnnResult<T> const& r, Options const& o) {
    io::write_npy<index_t>(out.file("indices.npy"), {r.rows, r.columns}, r.indices);
    io::write_npy<T>(out.file("distances.npy"), {r.rows, r.columns}, r.distances);
    if (o.order == "z") {
        write_order(out, "order.npy", r.row_order);
        if (!o.query.empty()) write_order(out, "source_order.npy", r.source_order);
    }
}

void print_summary(Options const& o, Input const& in, std::size_t k, RunStats const& s) {
    fmt::print("points      {} in {} dimensions, {}\n", in.sources.size, in.sources.dim,
               in.sources.item_bytes() == 4 ? "float32" : "float64");
    if (in.has_queries) fmt::print("queries     {}\n", in.queries.size);
    fmt::print("neighbours  {}\n", k);
    fmt::print("seconds     {:.3f} read, {:.3f} compute, {:.3f} write\n", s.read, s.compute,
               s.write);
    std::string files = "indices.npy, distances.npy";
    if (o.order == "z") files += in.has_queries ? ", order.npy, source_order.npy" : ", order.npy";
    fmt::print("written     {}: {}\n", o.output, files);
}

/// From points in memory to results on disk.
template <class T>
void solve(Options const& o, Plan& plan, Input& in, StatsFile& stats_file, io::OutputDirectory& out,
           RunStats& stats, Progress& progress) {
    progress.phase(fmt::format("{} neighbours of {} points", plan.knn.k, in.rows().size));
    Timer const computing;
    auto const result = compute<T>(in, o, plan.knn);
    stats.compute = computing.seconds();
    stats.set_phases(result.stats.seconds);
    for (auto const& count : result.stats.counts) stats.counts.push_back(count);

    progress.phase("writing " + o.output);
    Timer const writing;
    write_result(out, result, o);
    stats.write = writing.seconds();
    stats.output_bytes = result.indices.size() * sizeof(index_t) +
                         result.distances.size() * sizeof(T) +
                         (result.row_order.size() + result.source_order.size()) * sizeof(index_t);
    stats_file.write(stats);
}

void run_knn(Options const& o) {
    RunStats stats;
    Plan plan = plan_of(o);
    Progress progress(o.quiet);
    io::OutputDirectory out(o.output, o.force);
    StatsFile stats_file(o.stats, out, o.force);

    progress.phase("reading " + o.input);
    Timer const reading;
    Input in = read_input(o, plan);
    stats.read = reading.seconds();
    plan.knn.box = box_of(o, in.sources);
    auto const memory =
        knn_memory(in.sources.size + in.queries.size, in.rows().size, in.sources.dim,
                   std::uint64_t(plan.knn.k), in.sources.item_bytes());
    check_memory(memory);
    print_note(budget_note(memory, plan.budget), o.quiet);

    stats.input_bytes = in.sources.file_bytes + in.queries.file_bytes;
    stats.device = plan.device;
    stats.threads = Cpu(plan.knn.threads).threads();
    stats.counts = {{"sources", in.sources.size},
                    {"queries", in.rows().size},
                    {"dim", std::uint64_t(in.sources.dim)},
                    {"k", std::uint64_t(plan.knn.k)}};
    if (in.sources.precision() == io::Precision::f4)
        solve<float>(o, plan, in, stats_file, out, stats, progress);
    else
        solve<double>(o, plan, in, stats_file, out, stats, progress);
    out.commit();
    stats_file.commit();
    progress.clear();
    if (!o.quiet) print_summary(o, in, std::size_t(plan.knn.k), stats);
}

}  // namespace

Run add_knn(CLI::App& program) {
    CLI::App* app = program.add_subcommand("knn", "Exact k nearest neighbours of every point");
    auto o = std::make_shared<Options>();
    app->add_option("INPUT", o->input, "Points: .npy, .csv, .txt, .hdf5 or .h5")->required();
    app->add_option("-k,--k", o->k, "Neighbours per point, at least 1")->required();
    app->add_option("-o,--output", o->output, "Directory for the results")->required();
    app->add_option("--query", o->query, "Find the neighbours of the points of this file instead");
    app->add_flag("--exclude-self", o->exclude_self, "A point is no neighbour of itself");
    add_common_options(*app, *o);
    app->footer(
        "Writes DIR/indices.npy (int64, one row per point, nearest first; -1: none) and\n"
        "DIR/distances.npy (in the precision of the points; inf: none). With --order z also\n"
        "DIR/order.npy: the input index of each row (and DIR/source_order.npy with --query).\n"
        "Example: zwalk knn points.npy -k 16 --exclude-self --box 1 -o out");
    return [o] { run_knn(*o); };
}

}  // namespace zwalk::apps
