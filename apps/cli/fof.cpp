// zwalk fof
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "../io/file.hpp"
#include "../io/npy.hpp"
#include "../io/output.hpp"
#include "../io/table.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "memory.hpp"
#include "parse.hpp"
#include "stats.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/fof/catalogue.hpp"
#include "zwalk/fof/fof_cuda.hpp"

namespace zwalk::apps {
namespace {

struct Options : Common {
    std::string input, masses, velocities, output, min_members = "20", format = "npy";
    std::optional<std::string> length, fraction;
    bool members = false;
};

/// Everything that options can say before a file is read.
struct Plan : CommonPlan {
    FofOptions fof;
    std::optional<double> fraction;  ///< of the mean spacing; none: the length is in fof
    std::size_t min_members = 20;
};

double parse_not_negative(std::string const& option, std::string const& text) {
    double const value = parse_number(option, text);
    if (value < 0) throw InputError(fmt::format("{} must not be negative, but is {}", option, text));
    return value;
}

Plan plan_of(Options const& o) {
    if (o.length.has_value() == o.fraction.has_value())
        throw InputError(
            "either --linking-length or --linking-fraction is required; see zwalk fof --help");
    Plan plan{common_plan(o, true), {}, {}};
    plan.fof.order = plan.order;
    plan.fof.threads = plan.threads;
    plan.fof.memory_budget = plan.budget;
    if (o.length) plan.fof.linking_length = parse_not_negative("--linking-length", *o.length);
    if (o.fraction) plan.fraction = parse_not_negative("--linking-fraction", *o.fraction);
    plan.min_members = std::size_t(parse_integer("--min-members", o.min_members, 1, INT64_MAX));
    parse_word("--format", o.format, {"npy", "csv", "hdf5"});
    if (o.format == "hdf5" && !io::has_hdf5())
        throw InputError("--format hdf5: this build has no HDF5 (configure with -DZWALK_HDF5=ON)");
    return plan;
}

/// Points, and what goes with them, in the same precision.
struct Input {
    io::PointSet points, masses, velocities;  ///< the others of size 0 where they aren't given

    [[nodiscard]] std::uint64_t bytes() const {
        return points.file_bytes + masses.file_bytes + velocities.file_bytes;
    }
};

/// A column that goes with the points: in a snapshot, beside their coordinates.
io::PointSet read_beside(std::string const& file, std::string const& name, Plan const& plan,
                         io::Precision precision) {
    if (file.empty()) return {};
    std::string const& dataset = plan.read.dataset;
    auto const slash = dataset.rfind('/');
    std::string const group = slash == dataset.npos ? "" : dataset.substr(0, slash + 1);
    return io::read_points(file, {precision, group + name});
}

Input read_input(Options const& o, Plan const& plan) {
    Input in;
    in.points = io::read_points(o.input, plan.read);
    print_notes(in.points, o.quiet);
    in.masses = read_beside(o.masses, "Masses", plan, in.points.precision());
    in.velocities = read_beside(o.velocities, "Velocities", plan, in.points.precision());
    if (!o.masses.empty() && (in.masses.dim != 1 || in.masses.size != in.points.size))
        throw InputError(
            fmt::format("{} has {} rows and {} columns, but there are {} points with one "
                        "mass each",
                        io::quoted(o.masses), in.masses.size, in.masses.dim, in.points.size));
    return in;
}

/// What memory the work needs, in the words of kNN: there the result is there together with the walk, here
/// with the catalogue.
KnnMemory memory_of(Input const& in, Plan const& plan) {
    FofMemory const m = fof_memory(in.points.size, in.points.dim, in.points.item_bytes());
    KnnMemory need;
    need.input = in.points.bytes() + in.masses.bytes() + in.velocities.bytes();
    need.result = m.result;
    need.sort = m.sort;
    need.build = m.walk;
    need.walk = m.catalogue;
    need.program = program_bytes;
    need.budget = plan.budget;
    return need;
}

/// The linking length from the options and the points.
template <class T>
double linking_length(Input const& in, Options const& o, Plan const& plan) {
    if (!plan.fraction) return plan.fof.linking_length;
    auto const& box = plan.fof.box;
    bool const open = box.empty() || std::find(box.begin(), box.end(), 0) != box.end();
    if (open)
        print_note(
            "the mean spacing is that of the points' extent along open axes; give --box for a "
            "simulation's",
            o.quiet);
    return *plan.fraction * mean_spacing(in.points.points<T>(), box);
}

template <class T>
CatalogueOptions<T> catalogue_options(Input const& in, Plan const& plan) {
    CatalogueOptions<T> options{.min_members = plan.min_members, .box = plan.fof.box};
    options.threads = plan.fof.threads;
    if (in.masses.size > 0) options.masses = {in.masses.points<T>().data, in.masses.size};
    if (in.velocities.dim > 0) options.velocities = in.velocities.points<T>();
    return options;
}

io::Table table_of(FofCatalogue const& c) {
    auto const dim = std::size_t(c.dim);
    io::Table table{c.size(), {}};
    auto const add = [&](char const* name, auto const& values, std::size_t width = 1) {
        table.columns.push_back({name, std::span(values), width});
    };
    add("label", c.label);
    add("count", c.count);
    add("mass", c.mass);
    add("centre_of_mass", c.centre_of_mass, dim);
    if (!c.velocity.empty()) {
        add("velocity", c.velocity, dim);
        add("velocity_dispersion", c.velocity_dispersion);
    }
    add("inertia_radius", c.inertia_radius);
    add("radius", c.radius);
    add("most_distant", c.most_distant);
    add("first", c.first);
    return table;
}

/// Writes all files; returns how many bytes they have.
template <class T>
std::uint64_t write_result(io::OutputDirectory& out, Options const& o, FofResult<T> const& groups,
                           FofCatalogue const& catalogue) {
    std::vector<std::filesystem::path> written;
    auto const file = [&](std::string const& name) { return written.emplace_back(out.file(name)); };
    io::write_npy<index_t>(file("labels.npy"), {groups.labels.size()}, groups.labels);
    if (o.order == "z") io::write_npy_indices(file("order.npy"), groups.z_order);
    if (o.members) io::write_npy_indices(file("members.npy"), catalogue.order);
    auto const path = file("catalogue." + o.format);
    io::Table const table = table_of(catalogue);
    if (o.format == "npy") io::write_npy_table(path, table);
    else if (o.format == "csv") io::write_csv_table(path, table);
    else io::write_hdf5_table(path, "Groups", table);
    std::uint64_t bytes = 0;
    for (auto const& name : written) bytes += std::filesystem::file_size(name);
    return bytes;
}

void print_summary(Options const& o, Input const& in, Plan const& plan, std::size_t groups,
                   FofCatalogue const& c, RunStats const& s) {
    fmt::print("points      {} in {} dimensions, {}\n", in.points.size, in.points.dim,
               in.points.item_bytes() == 4 ? "float32" : "float64");
    fmt::print("length      {}\n", plan.fof.linking_length);
    fmt::print("groups      {}, of which {} have {} points or more\n", groups, c.size(),
               plan.min_members);
    if (c.size() > 0) fmt::print("largest     {} points\n", c.count[0]);
    fmt::print("seconds     {:.3f} read, {:.3f} compute, {:.3f} write\n", s.read, s.compute, s.write);
    fmt::print("written     {}: labels.npy, catalogue.{}{}{}\n", o.output, o.format,
               o.members ? ", members.npy" : "", o.order == "z" ? ", order.npy" : "");
}

/// From points in memory to results on disk.
template <class T>
void solve(Options const& o, Plan& plan, Input& in, RunStats& stats, Progress& progress) {
    io::OutputDirectory out(o.output, o.force);
    StatsFile file(o.stats, &out, o.force);
    progress.phase(fmt::format("groups of {} points", in.points.size));
    Timer const computing;
    std::vector<std::pair<std::string, double>> phases;
    auto const timed = [&](char const* name, auto const& work) {
        Timer const timer;
        work();
        phases.emplace_back(name, timer.seconds());
    };
    if (o.wrap)
        timed("wrap",
              [&] { Cpu(plan.fof.threads).run([&] { wrap_into_box(in.points, plan.fof.box); }); });
    auto const points = in.points.points<T>();
    auto const options = catalogue_options<T>(in, plan);
    timed("check", [&] {
        Cpu(plan.fof.threads).run([&] {
            check_catalogue_options(points, options);
            plan.fof.linking_length = linking_length<T>(in, o, plan);
        });
    });
    auto const groups = plan.device == "cuda" ? fof(points, plan.fof, Cuda{}) : fof(points, plan.fof);
    phases.insert(phases.end(), groups.stats.seconds.begin(), groups.stats.seconds.end());
    progress.phase(fmt::format("catalogue of {} groups", groups.groups));
    FofCatalogue catalogue;
    timed("catalogue", [&] { catalogue = fof_catalogue(points, groups, options); });
    stats.compute = computing.seconds();
    stats.set_phases(phases);
    stats.counts.insert(stats.counts.end(),
                        {{"groups", groups.groups}, {"catalogue", catalogue.size()}});
    for (auto const& count : groups.stats.counts) stats.counts.push_back(count);

    progress.phase("writing " + o.output);
    Timer const writing;
    stats.output_bytes = write_result(out, o, groups, catalogue);
    stats.write = writing.seconds();
    file.write(stats);
    out.commit();
    file.commit();
    progress.clear();
    if (!o.quiet) print_summary(o, in, plan, groups.groups, catalogue, stats);
}

void run_fof(Options const& o) {
    RunStats stats;
    Plan plan = plan_of(o);
    Progress progress(o.quiet);
    progress.phase("reading " + o.input);
    Timer const reading;
    Input in = read_input(o, plan);
    stats.read = reading.seconds();
    plan.fof.box = box_of(o, in.points);
    plan.device = device_for(plan.device, in.points.dim);
    KnnMemory const memory = memory_of(in, plan);
    check_memory(memory);
    if (plan.budget > 0 && plan.device == "cpu") print_note(budget_note(memory), o.quiet);
    stats.describe(plan, memory, in.points);
    stats.input_bytes = in.bytes();
    if (in.points.precision() == io::Precision::f4) solve<float>(o, plan, in, stats, progress);
    else solve<double>(o, plan, in, stats, progress);
}

}  // namespace

Run add_fof(CLI::App& program) {
    CLI::App* app = program.add_subcommand("fof", "Friends-of-friends groups and their catalogue");
    auto o = std::make_shared<Options>();
    app->add_option("INPUT", o->input, "Points: .npy, .csv, .txt, .hdf5 or .h5")->required();
    app->add_option("--linking-length", o->length, "Points no further apart than this are friends");
    app->add_option("--linking-fraction", o->fraction,
                    "The same as a fraction of the mean spacing (V/N)^(1/D), e.g. 0.2");
    app->add_option("--min-members", o->min_members, "Points of a group in the catalogue, at least")
        ->capture_default_str();
    app->add_option("--masses", o->masses,
                    "A file with one mass per point (default: 1); of a snapshot, its Masses");
    app->add_option("--velocities", o->velocities,
                    "A file with one velocity per point; of a snapshot, its Velocities");
    app->add_option("--format", o->format, "Of the catalogue: npy, csv or hdf5")->capture_default_str();
    app->add_flag("--members", o->members, "Write the points sorted by group, too: members.npy");
    app->add_option("-o,--output", o->output, "Directory for the results")->required();
    add_common_options(*app, *o);
    app->footer(
        "Writes DIR/labels.npy (int64, one per point: the smallest index in its group) and\n"
        "DIR/catalogue.npy (.csv, .hdf5), the groups with at least --min-members points, largest "
        "first:\n"
        "label, count, mass, centre_of_mass, velocity and velocity_dispersion (with --velocities),\n"
        "inertia_radius, radius and index of the most distant member, first. With --members also\n"
        "DIR/members.npy: members of a group are members[first : first + count]. With --order z the\n"
        "labels are those of the points in z-order, whose indices are in DIR/order.npy.\n"
        "Example: zwalk fof snapshot.hdf5 --linking-fraction 0.2 --velocities snapshot.hdf5 -o groups");
    return [o] { run_fof(*o); };
}

}  // namespace zwalk::apps
