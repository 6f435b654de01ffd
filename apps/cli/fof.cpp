// zwalk fof
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "../io/file.hpp"
#include "../io/npy.hpp"
#include "../io/table.hpp"
#include "commands.hpp"
#include "fof.hpp"
#include "parse.hpp"
#include "points_run.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/fof/catalogue.hpp"
#include "zwalk/fof/fof.hpp"

namespace zwalk::apps {
namespace {

double parse_not_negative(std::string const& option, std::string const& text) {
    double const value = parse_number(option, text);
    if (value < 0) throw InputError(fmt::format("{} must not be negative, but is {}", option, text));
    return value;
}

/// Centres become longitudes and latitudes, radii angles as seen from them.
void bring_to_sphere(FofCatalogue& c, Sphere const& sphere) {
    std::vector<double> places(2 * c.size());
    for (std::size_t i = 0; i < c.size(); ++i) {
        double const* const centre = &c.centre_of_mass[3 * i];
        double const norm = std::hypot(centre[0], centre[1], centre[2]);
        auto const place = sphere.place_of(centre);
        places[2 * i] = place.lon;
        places[2 * i + 1] = place.lat;
        c.radius[i] = sphere.angle_from(norm, c.radius[i]);
        c.inertia_radius[i] = sphere.angle(c.inertia_radius[i]);
    }
    c.centre_of_mass = std::move(places);
    c.dim = 2;
}

/// Groups, and the larger ones of them.
template <class T>
struct Found {
    FofResult<> groups;
    FofCatalogue catalogue;
};

struct Job {
    static constexpr char const* name = "groups";
    FofCommand const& o;
    FofPlan plan;
    BesidePoints beside{};

    explicit Job(FofCommand const& command) : o(command), plan(fof_plan(command)) {}
    std::vector<double>& box() { return plan.fof.box; }

    std::uint64_t read_more(io::PointSet const& points) {
        beside = read_beside(o, plan, points.precision(), [](auto& file, auto const& options) {
            return io::read_points(file, options);
        });
        beside.check(o, points);
        return beside.file_bytes();
    }
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        Need need = of_points(fof_memory(points.size, points.dim, points.item_bytes()), plan, points);
        need.input += beside.bytes();
        if (o.labels_only) need.walk = 0;
        return need;
    }
    template <class T>
    Found<T> compute(io::PointSet const& set, Phases& phases, Progress& progress) {
        auto const points = set.points<T>();
        auto const options = beside.options<T>(plan);
        phases.timed("check", [&] {
            plan.cpu().run([&] {
                if (!o.labels_only) check_catalogue_options(points, options);
                plan.fof.linking_length = linking_length(points);
            });
        });
        Found<T> found{plan.device == "cuda" ? fof(points, plan.fof, plan.cuda())
                                             : fof(points, plan.fof, plan.cpu()),
                       {}};
        phases.add(found.groups.stats);
        if (o.labels_only) return found;
        progress.phase(fmt::format("catalogue of {} groups", found.groups.groups));
        phases.timed("catalogue", [&] {
            found.catalogue = fof_catalogue(points, found.groups, options, plan.cpu());
            if (plan.sphere) bring_to_sphere(found.catalogue, plan.sphere);
        });
        return found;
    }
    template <class T>
    void count(Found<T> const& found, StatCounts& counts) const {
        counts.emplace_back("groups", found.groups.groups);
        if (!o.labels_only) counts.emplace_back("catalogue", found.catalogue.size());
        auto const& more = found.groups.stats.counts;
        counts.insert(counts.end(), more.begin(), more.end());
    }
    template <class T>
    void write(io::OutputDirectory& out, Found<T> const& found) const {
        auto const& groups = found.groups;
        io::write_npy<index_t>(out.file("labels.npy"), {groups.labels.size()}, groups.labels);
        if (o.order == "z") io::write_npy_indices(out.file("order.npy"), groups.z_order);
        if (o.labels_only) return;
        if (o.members) io::write_npy_indices(out.file("members.npy"), found.catalogue.order);
        auto const path = out.file("catalogue." + o.format);
        io::Table const table = table_of(found.catalogue, !found.catalogue.velocity.empty());
        if (o.format == "npy") io::write_npy_table(path, table);
        else if (o.format == "csv") io::write_csv_table(path, table);
        else io::write_hdf5_table(path, "Groups", table);
    }
    template <class T>
    void print(Found<T> const& found) const {
        FofCatalogue const& c = found.catalogue;
        if (o.labels_only) print_groups(plan, found.groups.groups);
        else print_groups(plan, found.groups.groups, c.size(), c.size() > 0 ? c.count[0] : 0);
    }
    template <class T>
    std::string files(Found<T> const&) const {
        return files_of(o);
    }

  private:
    /// The linking length from the options and the points.
    template <class T>
    double linking_length(Points<T> points) const {
        if (!plan.fraction) return plan.fof.linking_length;
        print_note(spacing_note(plan.fof.box), o.quiet);
        return *plan.fraction * mean_spacing(points, plan.fof.box);
    }
};

}  // namespace

FofPlan fof_plan(FofCommand const& o) {
    if (o.length && o.fraction)
        throw InputError(
            "the length comes from --linking-length or from --linking-fraction, not from both");
    if (!o.length && !o.fraction)
        throw InputError(
            "either --linking-length or --linking-fraction is required; see zwalk fof --help");
    FofPlan plan{common_plan(o), {}, {}};
    plan.fof.order = plan.order;
    if (o.length)
        plan.fof.linking_length =
            plan.sphere.chord("--linking-length", parse_not_negative("--linking-length", *o.length));
    plan.sphere.refuse(o.fraction.has_value(),
                       "--linking-fraction is of points in space; give --linking-length, an angle");
    plan.sphere.refuse(!o.velocities.empty(), "--velocities are of points in space");
    if (o.fraction) plan.fraction = parse_not_negative("--linking-fraction", *o.fraction);
    plan.min_members = std::size_t(parse_integer("--min-members", o.min_members, 1, INT64_MAX));
    parse_word("--format", o.format, {"npy", "csv", "hdf5"});
    if (o.format == "hdf5" && !io::has_hdf5())
        throw InputError("--format hdf5: this build has no HDF5 (configure with -DZWALK_HDF5=ON)");
    return plan;
}

void BesidePoints::check(FofCommand const& o, io::PointSet const& points) const {
    if (!o.masses.empty() && (masses.dim != 1 || masses.total != points.total))
        throw InputError(
            fmt::format("{} has {} rows and {} columns, but there are {} points with one mass each",
                        io::quoted(o.masses), masses.total, masses.dim, points.total));
    if (!o.velocities.empty() && (velocities.dim != points.dim || velocities.total != points.total))
        throw InputError(
            fmt::format("the velocities have {} rows and {} columns, but the points have {} and {}",
                        velocities.total, velocities.dim, points.total, points.dim));
}

io::Table table_of(FofCatalogue const& c, bool velocities) {
    auto const dim = std::size_t(c.dim);
    io::Table table{c.size(), {}};
    auto const add = [&](char const* name, auto const& values, std::size_t width = 1) {
        table.columns.push_back({name, std::span(values), width});
    };
    add("label", c.label);
    add("count", c.count);
    add("mass", c.mass);
    add("centre_of_mass", c.centre_of_mass, dim);
    if (velocities) {
        add("velocity", c.velocity, dim);
        add("velocity_dispersion", c.velocity_dispersion);
    }
    add("inertia_radius", c.inertia_radius);
    add("radius", c.radius);
    add("most_distant", c.most_distant);
    add("first", c.first);
    return table;
}

std::string files_of(FofCommand const& o) {
    return fmt::format("labels.npy{}{}{}", o.labels_only ? "" : ", catalogue." + o.format,
                       o.members ? ", members.npy" : "", o.order == "z" ? ", order.npy" : "");
}

void print_groups(FofPlan const& plan, std::uint64_t groups) {
    fmt::print("length      {}\n", plan.sphere.shown(plan.fof.linking_length));
    fmt::print("groups      {}\n", groups);
}

void print_groups(FofPlan const& plan, std::uint64_t groups, std::uint64_t rows, index_t largest) {
    fmt::print("length      {}\n", plan.sphere.shown(plan.fof.linking_length));
    fmt::print("groups      {}, of which {} have {} points or more{}\n", groups, rows, plan.min_members,
               groups > 0 && rows == 0 ? "; --min-members takes smaller ones" : "");
    if (rows > 0) fmt::print("largest     {} points\n", largest);
}

std::string spacing_note(std::vector<double> const& box) {
    bool const open = box.empty() || std::find(box.begin(), box.end(), 0) != box.end();
    return open ? "the mean spacing is that of the points' extent along open axes; give --box for a "
                  "simulation's"
                : "";
}

Runs add_fof(CommandLine& program) {
    Command app = program.add_command("fof", "Friends-of-friends groups and their catalogue");
    auto o = std::make_shared<FofCommand>();
    app.add_option("--linking-length", o->length, "Points no further apart than this are friends");
    app.add_option("--linking-fraction", o->fraction,
                   "The linking length as a fraction of the mean spacing (V/N)^(1/D), e.g. 0.2");
    app.add_option("--min-members", o->min_members, "Points of a group in the catalogue, at least")
        .show_default();
    app.add_option("--masses", o->masses,
                   "A file with one mass per point (default: 1); of a snapshot, its Masses");
    app.add_option("--velocities", o->velocities,
                   "A file with one velocity per point; of a snapshot, its Velocities");
    app.add_option("--format", o->format, "Format of the catalogue: npy, csv or hdf5").show_default();
    app.add_flag("--members", o->members, "Write the points sorted by group, too: members.npy");
    app.add_flag("--labels-only", o->labels_only, "Make no catalogue; goes without the options of one")
        .excludes({"--min-members", "--masses", "--velocities", "--format", "--members"});
    add_sphere_option(app, o->sphere);
    add_points_options(app, *o);
    app.footer(
        "Writes DIR/labels.npy (int64, one per point: the smallest index in its group) and\n"
        "DIR/catalogue.npy (.csv, .hdf5), the groups with at least --min-members points, largest "
        "first:\n"
        "label, count, mass, centre_of_mass, velocity and velocity_dispersion (with --velocities),\n"
        "inertia_radius, radius and index of the most distant member, first. With --members also\n"
        "DIR/members.npy: members of a group are members[first : first + count]. With --order z the\n"
        "labels are those of the points in z-order, whose indices are in DIR/order.npy.\n"
        "Example: zwalk fof snapshot.hdf5 --linking-fraction 0.2 --velocities snapshot.hdf5 -o groups");
    return {app,
            [o] {
                Job job(*o);
                run_points(job, *o);
            },
            [o](Launch const& launch) { run_fof_on_ranks(*o, launch); }};
}

}  // namespace zwalk::apps
