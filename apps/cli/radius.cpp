// zwalk radius
#include "radius.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "../io/npy.hpp"
#include "commands.hpp"
#include "parse.hpp"
#include "points_run.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/radius/radius.hpp"

namespace zwalk::apps {
RadiusPlan radius_plan(RadiusCommand const& o) {
    if (!o.radius && o.radii.empty())
        throw InputError("--radius is required, or --radii; see zwalk radius --help");
    if (o.radius && !o.radii.empty())
        throw InputError(
            "--radius is one for all points, --radii are one for each: leave out either of them");
    if (o.larger && (o.radii.empty() || !o.query.empty()))
        throw InputError(
            "--larger compares the --radii of two points of INPUT: give --radii, and leave out --query");
    if (o.exclude_self && !o.query.empty())
        throw InputError("--exclude-self is for points among themselves; leave it out with --query");
    RadiusPlan plan{common_plan(o), {}};
    if (o.radius) {
        plan.radius.radius = parse_number("--radius", *o.radius);
        if (plan.radius.radius < 0)
            throw InputError(fmt::format("--radius must not be negative, but is {}", *o.radius));
        plan.radius.radius = plan.longest = plan.sphere.chord("--radius", plan.radius.radius);
    }
    if (o.images && (o.larger || o.order == "z"))
        throw InputError(fmt::format("--images doesn't go with {}: leave out either of them",
                                     o.larger ? "--larger" : "--order z"));
    plan.radius.larger = o.larger;
    plan.radius.images = o.images;
    plan.radius.exclude_self = o.exclude_self;
    plan.radius.order = plan.order;
    return plan;
}

void RadiusPlan::take(std::vector<double> const& radii) {
    radius.radii = radii;
    if (!radii.empty()) longest = *std::max_element(radii.begin(), radii.end());
}

void print_radius(RadiusCommand const& o, RadiusPlan const& plan) {
    auto const longest = plan.sphere.shown(plan.longest);
    if (o.radii.empty()) fmt::print("radius      {}\n", longest);
    else fmt::print("radii       one each, the largest is {}\n", longest);
}

std::string files_of(RadiusCommand const& o) {
    bool const in_z = o.order == "z", sources = in_z && !o.query.empty() && !o.count;
    return fmt::format("counts.npy{}{}{}", o.count ? "" : ", offsets.npy, indices.npy, distances.npy",
                       in_z ? ", order.npy" : "", sources ? ", source_order.npy" : "");
}

Need radius_memory(RadiusCommand const& o, RadiusPlan const& plan, std::uint64_t points,
                   std::uint64_t queries, int dim, std::size_t item_bytes) {
    KnnTask task{.points = points,
                 .dim = dim,
                 .k = 0,
                 .item_bytes = item_bytes,
                 .threads = plan.cpu().threads(),
                 .memory_budget = plan.budget};
    bool const has_queries = !o.query.empty();
    if (has_queries) task.queries = queries;
    Need need = knn_memory(task);
    std::uint64_t const targets = has_queries ? queries : points;
    need.result = targets * 2 * sizeof(size_type);
    if (!o.radii.empty()) need.walk += targets * (sizeof(double) + 3 * item_bytes);
    return need;
}

namespace {

/// Throws InputError unless a file of --radii, if there is one, has as many as there are targets.
void check_radii(RadiusCommand const& o, std::uint64_t radii, std::uint64_t targets) {
    if (!o.radii.empty() && radii != targets)
        throw InputError(fmt::format("there are {} radii, but {} {}: give one for each", radii, targets,
                                     o.query.empty() ? "points" : "queries"));
}

struct Job {
    static constexpr char const* name = "balls";
    RadiusCommand const& o;
    RadiusPlan plan;
    io::PointSet queries{};
    std::vector<double> radii{};

    explicit Job(RadiusCommand const& command) : o(command), plan(radius_plan(command)) {}
    std::vector<double>& box() { return plan.radius.box; }
    [[nodiscard]] bool has_queries() const { return !o.query.empty(); }

    std::uint64_t read_more(io::PointSet const& points) {
        if (!o.radii.empty()) radii = read_column(o.radii, plan.read.dataset);
        if (plan.sphere)
            for (double& r : radii) r = plan.sphere.chord("--radii", r);
        std::uint64_t const bytes = radii.size() * sizeof(double);
        if (!has_queries()) {
            check_radii(o, radii.size(), points.size);
            return bytes;
        }
        queries = io::read_points(
            o.query, plan.sphere.reading({points.precision(), plan.read.dataset, plan.read.columns}));
        print_notes(queries, "queries", plan.read.precision, o.quiet);
        plan.sphere.to_unit_vectors(queries, points.precision(), "queries");
        check_queries(queries.dim, points.dim);
        check_radii(o, radii.size(), queries.size);
        return bytes + queries.file_bytes;
    }
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        return radius_memory(o, plan, points.size, queries.size, points.dim, points.item_bytes());
    }
    template <class T>
    RadiusResult<T> compute(io::PointSet const& set, Phases& phases, Progress&) {
        if (o.wrap && has_queries())
            phases.timed("wrap queries",
                         [&] { plan.cpu().run([&] { wrap_into_box(queries, plan.radius.box); }); });
        plan.take(radii);
        auto const find = [&](auto const&... who) {
            auto const on = [&](auto const& place) {
                return o.count ? radius_count(who..., plan.radius, place)
                               : radius_search(who..., plan.radius, place);
            };
            return plan.device == "cuda" ? on(plan.cuda()) : on(plan.cpu());
        };
        auto const points = set.points<T>();
        auto result = has_queries() ? find(points, queries.points<T>()) : find(points);
        phases.add(result.stats);
        if (plan.sphere) phases.timed("angles", [&] { plan.sphere.to_angles(result.distances); });
        return result;
    }
    template <class T>
    void count(RadiusResult<T> const& r, StatCounts& counts) const {
        if (has_queries()) counts.emplace_back("queries", queries.size);
        counts.insert(counts.end(), r.stats.counts.begin(), r.stats.counts.end());
    }
    template <class T>
    void write(io::OutputDirectory& out, RadiusResult<T> const& r) const {
        io::write_npy<index_t>(out.file("counts.npy"), {counts_of(r).size()}, counts_of(r));
        if (!o.count) {
            auto const offsets = as_indices(r.offsets);
            io::write_npy<index_t>(out.file("offsets.npy"), {offsets.size()}, offsets);
            io::write_npy<index_t>(out.file("indices.npy"), {r.indices.size()}, r.indices);
            io::write_npy<T>(out.file("distances.npy"), {r.distances.size()}, r.distances);
        }
        if (o.order != "z") return;
        io::write_npy_indices(out.file("order.npy"), r.row_order);
        if (has_queries() && !o.count)
            io::write_npy_indices(out.file("source_order.npy"), r.source_order);
    }
    template <class T>
    void print(RadiusResult<T> const& r) const {
        if (has_queries()) fmt::print("queries     {}\n", queries.size);
        print_radius(o, plan);
        fmt::print("found       {}\n", r.found);
    }
    template <class T>
    std::string files(RadiusResult<T> const&) const {
        return files_of(o);
    }

  private:
    /// As a signed type, which is what NumPy likes best to count in.
    static Buffer<index_t> as_indices(Buffer<size_type> const& offsets) {
        Buffer<index_t> all(offsets.size());
        std::copy(offsets.begin(), offsets.end(), all.begin());
        return all;
    }
    template <class T>
    static Buffer<index_t> counts_of(RadiusResult<T> const& r) {
        std::size_t const n = r.offsets.empty() ? r.counts.size() : r.offsets.size() - 1;
        Buffer<index_t> counts(n);
        for (std::size_t i = 0; i < n; ++i)
            counts[i] = r.offsets.empty() ? r.counts[i] : index_t(r.offsets[i + 1] - r.offsets[i]);
        return counts;
    }
};

}  // namespace

Runs add_radius(CommandLine& program) {
    Command app = program.add_command("radius", "All points within a distance");
    auto o = std::make_shared<RadiusCommand>();
    app.add_option("--radius", o->radius, "Points no further away than this are found");
    app.add_option("--radii", o->radii,
                   "A file with a radius for each point, or for each of --query: one number per row");
    app.add_flag("--larger", o->larger, "A pair is found if it is within the larger of its two --radii");
    app.add_option("--query", o->query,
                   "Points to look around: one row each (default: INPUT's own points)");
    app.add_flag("--images", o->images,
                 "In a periodic box: all images within the radius, not only the nearest");
    app.add_flag("--exclude-self", o->exclude_self, "A point doesn't find itself");
    app.add_flag("--count", o->count, "Only count them");
    add_sphere_option(app, o->sphere);
    add_points_options(app, *o);
    app.footer(
        "Writes DIR/counts.npy (int64, one per query) and, unless --count, lists one after another:\n"
        "DIR/indices.npy (int64) and DIR/distances.npy, of query i the elements from\n"
        "DIR/offsets.npy [i] to [i + 1] (int64, one more than there are queries), nearest first.\n"
        "With --order z rows and indices are those of the points in z-order, whose indices are in\n"
        "DIR/order.npy, those of the points that queries find in DIR/source_order.npy.\n"
        "Example: zwalk radius points.npy --radius 0.01 --box 1 --count -o balls");
    return {app,
            [o] {
                Job job(*o);
                run_points(job, *o);
            },
            [o](Launch const&) { run_radius_on_ranks(*o); }};
}

}  // namespace zwalk::apps
