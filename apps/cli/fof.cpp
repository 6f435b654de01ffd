// zwalk fof
#include "fof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "launch.hpp"
#include "one_process.hpp"
#include "parse.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

double parse_not_negative(std::string const& option, std::string const& text) {
    double const value = parse_number(option, text);
    if (value < 0) throw InputError(fmt::format("{} must not be negative, but is {}", option, text));
    return value;
}

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

/// Centres become longitudes and latitudes, radii angles as seen from them.
void bring_to_sphere(FofCatalogue& c, Sphere const& sphere) {
    PageVector<double> places(2 * c.size());
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

/// FofWithCatalogue of one process.
struct FoundGroups : FofResult<> {
    struct {
        FofCatalogue rows{};
        std::uint64_t size = 0;
        Buffer<pos_t> members{};
    } catalogue{};
};

}  // namespace

template <class T>
static FoundGroups find_groups(OneProcess& place, FofJob& job, Points<T> points, std::uint64_t) {
    auto const options = job.catalogue_options<T>();
    FofPlan& plan = job.plan;
    bool const together = plan.device == "cuda" && !job.o.labels_only;  // by one call, which checks
    Stats checked;
    auto const check = [&] {
        if (!job.o.labels_only && !together) check_catalogue_options(points, options);
        if (!plan.fraction) return;
        print_note(job.spacing_note(), place.quiet());
        plan.fof.linking_length = *plan.fraction * mean_spacing(points, plan.fof.box);
    };
    if (!together || plan.fraction)
        timed(checked, together ? "spacing" : "check", [&] { plan.cpu().run(check); });
    FoundGroups found;
    auto& [rows, size, members] = found.catalogue;
    if (together) {
        auto all = fof_with_catalogue(points, plan.fof, options, plan.cuda(), plan.cpu());
        rows = std::move(all.catalogue);
        static_cast<FofResult<>&>(found) = std::move(all);
    } else {
        static_cast<FofResult<>&>(found) =
            place.call(plan, [&](auto const&... where) { return fof(points, plan.fof, where...); });
    }
    Stats& stats = found.stats;
    stats.seconds.insert(stats.seconds.begin(), checked.seconds.begin(), checked.seconds.end());
    if (job.o.labels_only) return found;
    if (!together) {
        place.progress().phase(fmt::format("catalogue of {} groups", found.groups));
        timed(stats, "catalogue", [&] { rows = fof_catalogue(points, found, options, plan.cpu()); });
    }
    if (plan.sphere) bring_to_sphere(rows, plan.sphere);
    size = rows.size();
    members = std::move(rows.order);
    return found;
}

FofJob::FofJob(FofCommand const& command) : o(command), plan(fof_plan(command)) {}

void FofJob::check_beside(io::PointSet const& points) const {
    if (!o.masses.empty()) check_masses(o.masses, masses, points.total);
    if (!o.velocities.empty() && (velocities.dim != points.dim || velocities.total != points.total))
        throw InputError(
            fmt::format("the velocities have {} rows and {} columns, but the points have {} and {}",
                        velocities.total, velocities.dim, points.total, points.dim));
}

Need FofJob::memory_of(std::uint64_t sources, io::PointSet const& points) const {
    Need need = of_points(fof_memory(sources, points.dim, points.item_bytes()), plan, points);
    need.input += masses.bytes() + velocities.bytes();
    return need;
}

/// The points of the rank are there once more in z-order, and labels once more when they are brought into the order of the input.
/// For the catalogue masses and velocities are there in z-order, too, and all of it once more if all groups span ranks.
Need FofJob::rank_memory(io::PointSet const& points) const {
    Need need = memory_of(with_imports(points), points);
    need.sort += points.bytes();
    need.build += need.result + points.bytes();
    need.result = 2 * sizeof(index_t) * points.size;
    if (o.labels_only) return need;
    // The largest catalogue: its rows, before they are sorted and after, and as bytes of a file. The tree is gone by then.
    std::uint64_t const rows =
        points.size / plan.min_members * 3 * sizeof(double) * (8 + 2 * std::uint64_t(points.dim));
    constexpr std::uint64_t member_bytes = 80;  // with those of others while they travel
    need.walk = 2 * sizeof(pos_t) * points.size + 2 * need.input + rows +
                (o.members ? member_bytes * points.size : 0);
    return need;
}

io::Table FofJob::table_of(FofCatalogue const& c) const {
    auto const dim = std::size_t(c.dim);
    io::Table table{c.size(), {}};
    auto const add = [&](char const* column, auto const& values, std::size_t width = 1) {
        table.columns.push_back({column, std::span(values), width});
    };
    add("label", c.label);
    add("count", c.count);
    add("mass", c.mass);
    add("centre_of_mass", c.centre_of_mass, dim);
    if (!o.velocities.empty() && listed > 0) {
        add("velocity", c.velocity, dim);
        add("velocity_dispersion", c.velocity_dispersion);
    }
    add("inertia_radius", c.inertia_radius);
    add("radius", c.radius);
    add("most_distant", c.most_distant);
    add("first", c.first);
    return table;
}

std::string FofJob::spacing_note() const {
    auto const& box = plan.fof.box;
    bool const open = box.empty() || std::find(box.begin(), box.end(), 0) != box.end();
    return open ? "the mean spacing is that of the points' extent along open axes; give --box for a "
                  "simulation's"
                : "";
}

void FofJob::print() const {
    fmt::print("length      {}\n", plan.sphere.shown(plan.fof.linking_length));
    if (o.labels_only) return fmt::print("groups      {}\n", groups);
    fmt::print("groups      {}, of which {} have {} points or more{}\n", groups, listed,
               plan.min_members, groups > 0 && listed == 0 ? "; --min-members takes smaller ones" : "");
    if (listed > 0) fmt::print("largest     {} points\n", largest);
}

std::string FofJob::files() const {
    return fmt::format("labels.npy{}{}{}", o.labels_only ? "" : ", catalogue." + o.format,
                       o.members ? ", members.npy" : "", plan.order == Order::z ? ", order.npy" : "");
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
    app.add_option(
        "--pieces", o->pieces,
        "Points stay on disk, and come to memory in so many pieces; auto: as --memory-budget allows");
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
    Runs const whole = runs_of<FofJob>(app, o);
    return {app, [=] { o->pieces ? run_fof_in_pieces(*o) : whole.alone(); },
            [=](Launch const& launch) {
                refuse_on_ranks(o->pieces.has_value(), "--pieces");
                whole.on_ranks(launch);
            }};
}

}  // namespace zwalk::apps
