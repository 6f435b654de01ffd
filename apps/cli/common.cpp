#include "common.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "../io/file.hpp"
#include "job.hpp"
#include "launch.hpp"
#include "parse.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/cuda.hpp"

namespace zwalk::apps {

void add_reading_options(Command& command, std::string& dataset, std::string& columns) {
    command.add_option("--dataset", dataset, "HDF5: the dataset that holds the points").show_default();
    command.add_option("--columns", columns,
                       "Which columns are coordinates, by name or number: x,y,z or 1-3 or 2,4 (default: "
                       "all). HDF5: names are datasets beside --dataset");
}

io::ReadOptions read_options(std::string const& precision, std::string const& dataset,
                             std::string const& columns) {
    io::ReadOptions read{parse_precision("--precision", precision), dataset};
    if (!columns.empty()) read.columns = io::Columns("--columns", columns);
    return read;
}

void add_points_options(Command& command, PointsOptions& o) {
    command.add_option("INPUT", o.input, input_help).required();
    command.add_option("-o,--output", o.output, "Directory for the results").required();
    add_common_options(command, o);
}

void add_common_options(Command& command, Common& c) {
    command.add_option("--box", c.box,
                       "Periodic box: L, or Lx,Ly,Lz with 0 for an open axis "
                       "(default: the header of an HDF5 snapshot, else open)");
    command.add_flag("--wrap", c.wrap, "Move coordinates of periodic axes into [0,L) first");
    command.add_option("--precision", c.precision, "f4 or f8 (default: as in the file; CSV: f8)");
    command.add_option("--device", c.device, "auto, cpu or cuda").show_default();
    command.add_option("--threads", c.threads, "Threads; 0: all").show_default();
    command.add_option("--memory-budget", c.memory_budget,
                       "Working memory beside input and results, e.g. 8G, 500M");
    command.add_option("--order", c.order, "Order of the rows: input or z").show_default();
    command.add_option("--stats", c.stats, "Write timings and counts to this JSON file");
    command.add_flag("--quiet", c.quiet, "Print nothing but errors");
    command.add_flag("--force", c.force, "Replace outputs that exist");
    add_reading_options(command, c.dataset, c.columns);
}

std::vector<double> box_of(Common const& common, io::PointSet const& points) {
    if (!common.sphere.empty()) return {};  // whatever the file's header has
    std::vector<double> const box = common.box.empty() ? points.box : parse_numbers("--box", common.box);
    for (double length : box)
        if (!(length >= 0) || std::isinf(length))
            throw InputError(fmt::format("the box must have lengths >= 0 (0: open), not {}", length));
    if (!box.empty() && box.size() != 1 && box.size() != std::size_t(points.dim))
        throw InputError(fmt::format("--box has {} lengths, but the points have {} coordinates",
                                     box.size(), points.dim));
    bool const open = std::all_of(box.begin(), box.end(), [](double l) { return l == 0; });
    if (open && common.wrap) throw InputError("--wrap needs a periodic --box");
    return open ? std::vector<double>() : box;
}

std::string box_note(Common const& common, io::PointSet const& points) {
    return common.box.empty() && common.sphere.empty() ? points.box_note : "";
}

namespace {

/// fmod is exact; only adding L to a small negative remainder can round, and then up to L itself,
/// which is the same place as 0.
template <class T>
T wrapped(T x, T length) {
    if (!std::isfinite(x)) return x;  // reported later, with its row and column
    T r = std::fmod(x, length);
    if (r < 0) r += length;
    return r < length && r > 0 ? r : T(0);
}

template <class T>
void wrap_rows(Buffer<T>& rows, std::size_t dim, std::vector<double> const& box) {
    for (std::size_t j = 0; j < dim; ++j) {
        T const length = T(box.size() == 1 ? box[0] : box[j]);
        if (length <= 0) continue;
        parallel_for(rows.size() / dim, 1 << 14, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                rows[i * dim + j] = wrapped(rows[i * dim + j], length);
        });
    }
}

}  // namespace

void check_column(std::string const& file, int columns) {
    if (columns != 1)
        throw InputError(fmt::format("{} has {} columns, but must have one number per row",
                                     io::quoted(file), columns));
}
std::vector<double> read_column(std::string const& file, std::string const& dataset) {
    auto const set = io::read_points(file, {io::Precision::f8, dataset});
    check_column(file, set.dim);
    auto const points = set.points<double>();
    return {points.data, points.data + points.size};
}
void check_masses(std::string const& file, io::PointSet const& masses, std::uint64_t points) {
    if (masses.dim == 1 && masses.total == points) return;
    throw InputError(
        fmt::format("{} has {} rows and {} columns, but there are {} points with one mass each",
                    io::quoted(file), masses.total, masses.dim, points));
}

std::string masses_beside(std::string const& dataset) {
    return dataset.substr(0, dataset.rfind('/') + 1) + "Masses";
}

void wrap_into_box(io::PointSet& points, std::vector<double> const& box) {
    std::visit([&](auto& rows) { wrap_rows(rows, std::size_t(points.dim), box); }, points.rows);
}

std::string asked_device(Common const& common) {
    std::string device = parse_word("--device", common.device, {"auto", "cpu", "cuda"});
    if (device == "cuda") check_cuda({});
    return device;
}

std::string device_for(std::string const& asked, int dim) {
    if (asked != "auto") return asked;
    return dim <= cuda_max_dim() && cuda_devices() > 0 ? "cuda" : "cpu";
}

CommonPlan common_plan(Common const& c) {
    CommonPlan plan;
    plan.order = parse_word("--order", c.order, {"input", "z"}) == "z" ? Order::z : Order::input;
    plan.threads = int(parse_integer("--threads", c.threads, 0, 4096));
    if (!c.memory_budget.empty()) plan.budget = parse_bytes("--memory-budget", c.memory_budget);
    plan.sphere = sphere_of(c, plan.threads);
    plan.read = plan.sphere.reading(read_options(c.precision, c.dataset, c.columns));
    plan.device = asked_device(c);
    if (!c.box.empty()) parse_numbers("--box", c.box);
    return plan;
}

Sphere sphere_of(Common const& c, int threads) {
    Sphere sphere(c.sphere, parse_precision("--precision", c.precision), threads);
    sphere.refuse(!c.box.empty(), "a sphere has no --box");
    sphere.refuse(c.wrap, "a sphere has no box, so nothing to --wrap; longitudes may be of any turn");
    return sphere;
}

Progress::Progress(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO)) {}

void Progress::phase(std::string const& what) {
    if (shown_) fmt::print(stderr, "\r\033[Kzwalk: {} ...", io::escaped(what)), std::fflush(stderr);
}

void Progress::clear() {
    if (shown_) fmt::print(stderr, "\r\033[K"), std::fflush(stderr);
}

void print_notes(io::PointSet const& points, bool quiet) {
    for (auto const& note : points.notes) print_note(note, quiet);
}

void print_notes(io::PointSet const& more, char const* name, std::optional<io::Precision> asked,
                 bool quiet) {
    print_notes(more, quiet);
    if (!asked && more.stored_as == "float64" && more.precision() == io::Precision::f4)
        print_note(
            fmt::format("the {} are float64; they are rounded to float32, the precision of the points",
                        name),
            quiet);
}

void print_note(std::string const& note, bool quiet) {
    if (!quiet && !note.empty()) fmt::print(stderr, "zwalk: note: {}\n", io::escaped(note));
}

void refuse_on_ranks(bool asked, std::string_view what) {
    if (asked)
        throw InputError(fmt::format(
            "{} doesn't work on several MPI ranks yet; start zwalk without mpirun, as one process",
            what));
}

void check_queries(int query_columns, int columns) {
    if (query_columns != columns)
        throw InputError(
            fmt::format("the queries have {} coordinates, the points {}", query_columns, columns));
}

}  // namespace zwalk::apps
