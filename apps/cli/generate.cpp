// zwalk generate
#include "../generate/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "../io/file.hpp"
#include "../io/npy.hpp"
#include "../io/output.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "parse.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::apps {
namespace {

struct Options {
    std::string kind, n, dim, seed = "1", clusters = "100", sigma = "0.01", dtype = "f8", output;
    bool quiet = false, force = false;
};

template <class T>
void write_points(Options const& o, Kind const& kind, std::uint64_t n, int dim, std::uint64_t seed,
                  Blobs const& how) {
    Progress progress(o.quiet);
    io::OutputFile out(o.output, o.force);
    io::NpyWriter<T> writer(out.path(), {n, std::uint64_t(dim)});
    PointMaker const make = point_maker(kind.name, n, dim, seed, how);
    // Piece by piece: a file of any length needs the memory of one piece.
    std::size_t const piece = std::max<std::size_t>(1, (std::size_t(1) << 22) / std::size_t(dim));
    std::vector<T> rows;
    Cpu const cpu;
    for (std::uint64_t begin = 0; begin < n; begin += piece) {
        std::size_t const count = std::min<std::uint64_t>(piece, n - begin);
        rows.resize(count * std::size_t(dim));
        cpu.run([&] { make_rows(make, kind, begin, count, dim, rows.data()); });
        writer.append(rows);
        progress.phase(fmt::format("writing {}: {} %", o.output, 100 * (begin + count) / n));
    }
    writer.close();
    out.commit();
}

void run_generate(Options const& o) {
    auto const kind =
        std::find_if(kinds().begin(), kinds().end(), [&](Kind const& k) { return k.name == o.kind; });
    if (kind == kinds().end())
        throw InputError(
            fmt::format("there is no kind '{}' of points; see zwalk generate --help", o.kind));
    // A file of 2^53 rows is out of reach; the bound keeps every product below 2^64.
    auto const n = std::uint64_t(parse_integer("N", o.n, 0, std::int64_t(1) << 53));
    int const dim = int(parse_integer("D", o.dim, 1, io::max_dim));
    auto const seed = std::uint64_t(parse_integer("--seed", o.seed, INT64_MIN, INT64_MAX));
    Blobs const defaults,
        how{.clusters = std::uint64_t(parse_integer("--clusters", o.clusters, 1, 1'000'000)),
            .sigma = parse_number("--sigma", o.sigma)};
    if (!(how.sigma >= 0 && how.sigma <= 1e6))
        throw InputError(fmt::format("--sigma must be from 0 to 1e6, not {}", o.sigma));
    if (kind->name != "blobs" && (how.clusters != defaults.clusters || how.sigma != defaults.sigma))
        throw InputError(fmt::format("--clusters and --sigma are for blobs, not for {}", o.kind));
    bool const single = parse_precision("--dtype", o.dtype) == io::Precision::f4;
    if (io::extension_of(o.output) != ".npy")
        throw InputError(fmt::format("-o: {} must end in .npy", io::quoted(o.output)));
    if (single) write_points<float>(o, *kind, n, dim, seed, how);
    else write_points<double>(o, *kind, n, dim, seed, how);
    if (!o.quiet)
        fmt::print("written     {}: {} points in {} dimensions, {}\n", o.output, n, dim,
                   single ? "float32" : "float64");
}

}  // namespace

Runs add_generate(CommandLine& program) {
    Command app = program.add_command("generate", "Make test data, the same for a seed everywhere");
    auto o = std::make_shared<Options>();
    app.add_option("KIND", o->kind, "What kind of points (below)").required();
    app.add_option("N", o->n, "Number of points, also as 1e6").required();
    app.add_option("D", o->dim, "Coordinates per point, 1 to 64").required();
    app.add_option("-o,--output", o->output, "The .npy file to write").required();
    app.add_option("--seed", o->seed, "Another seed, other points").show_default();
    app.add_option("--clusters", o->clusters, "Of blobs: how many").show_default();
    app.add_option("--sigma", o->sigma, "Of blobs: the standard deviation on each axis").show_default();
    app.add_option("--dtype", o->dtype, "f4 or f8").show_default();
    app.add_flag("--quiet", o->quiet, "Print nothing but errors");
    app.add_flag("--force", o->force, "Replace the file if it exists");
    std::string footer = "Kinds:\n";
    for (auto const& kind : kinds()) footer += fmt::format("  {:<13} {}\n", kind.name, kind.description);
    app.footer(footer + "Example: zwalk generate clustered 1e6 3 --seed 7 --dtype f4 -o points.npy");
    return {app, [o] { run_generate(*o); }};
}

}  // namespace zwalk::apps
