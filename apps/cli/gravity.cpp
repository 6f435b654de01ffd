// zwalk gravity
#include "gravity.hpp"

#include <fmt/format.h>

#include <memory>

#include "../io/npy.hpp"
#include "commands.hpp"
#include "parse.hpp"
#include "points_run.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/gravity/gravity.hpp"

namespace zwalk::apps {
GravityPlan gravity_plan(GravityCommand const& o) {
    GravityPlan plan{common_plan(o), {}};
    if (plan.device == "auto") plan.device = "cpu";  // a GPU has other last bits
    GravityOptions& g = plan.gravity;
    if (o.softening) g.softening = parse_number("--softening", *o.softening);
    if (o.accuracy) g.accuracy = parse_number("--accuracy", *o.accuracy);
    if (o.expansion_order)
        g.expansion_order = int(parse_integer("--expansion-order", *o.expansion_order, 1, 5));
    if (o.opening) g.opening = parse_number("--opening", *o.opening);
    g.order = plan.order;
    return plan;
}

std::string files_of(GravityCommand const& o) {
    return fmt::format("accelerations.npy, potentials.npy{}", o.order == "z" ? ", order.npy" : "");
}
void print_expansions(GravityPlan const& plan, int order, double opening) {
    fmt::print("softening   {}\n", plan.gravity.softening);
    fmt::print("expansions  of order {}, opening {:.3g}\n", order, opening);
}

namespace {

struct Job {
    static constexpr char const* name = "gravity";
    GravityCommand const& o;
    GravityPlan plan;
    std::vector<double> masses{};

    explicit Job(GravityCommand const& command) : o(command), plan(gravity_plan(command)) {}
    std::vector<double>& box() { return plan.gravity.box; }

    std::uint64_t read_more(io::PointSet const&) {
        if (!o.masses.empty()) masses = read_column(o.masses, masses_beside(plan.read.dataset));
        plan.gravity.masses = masses;
        return masses.size() * sizeof(double);
    }
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        Need need = of_points(gravity_memory(points.size, points.dim, points.item_bytes(), plan.gravity),
                              plan, points);
        need.input += masses.size() * sizeof(double);
        return need;
    }
    template <class T>
    GravityResult<T> compute(io::PointSet const& set, Phases& phases, Progress&) const {
        auto const on = [&](auto const& place) { return gravity(set.points<T>(), plan.gravity, place); };
        auto result = plan.device == "cuda" ? on(plan.cuda()) : on(plan.cpu());
        phases.add(result.stats);
        return result;
    }
    template <class T>
    static void count(GravityResult<T> const& r, StatCounts& counts) {
        counts.emplace_back("expansion_order", r.expansion_order);
        counts.insert(counts.end(), r.stats.counts.begin(), r.stats.counts.end());
    }
    template <class T>
    void write(io::OutputDirectory& out, GravityResult<T> const& r) const {
        io::write_npy<T>(out.file("accelerations.npy"), {r.rows, r.columns}, r.accelerations);
        io::write_npy<T>(out.file("potentials.npy"), {r.rows}, r.potentials);
        if (o.order == "z") io::write_npy_indices(out.file("order.npy"), r.z_order);
    }
    template <class T>
    void print(GravityResult<T> const& r) const {
        print_expansions(plan, r.expansion_order, r.opening);
    }
    template <class T>
    [[nodiscard]] std::string files(GravityResult<T> const&) const {
        return files_of(o);
    }
};

}  // namespace

Runs add_gravity(CommandLine& program) {
    Command app = program.add_command("gravity", "Accelerations and potentials of masses");
    auto o = std::make_shared<GravityCommand>();
    app.add_option("--masses", o->masses,
                   "A file with one mass per point; of a snapshot, its Masses (default: 1 each)");
    app.add_option("--softening", o->softening, "Plummer's, in the unit of the points (default: 0)");
    app.add_option("--accuracy", o->accuracy,
                   "Relative error of accelerations that 99 of 100 points keep (default: 1e-3)");
    app.add_option("--expansion-order", o->expansion_order, "1 to 5 (default: by accuracy)");
    app.add_option("--opening", o->opening,
                   "How large nodes may be that act as a whole, as multiples of the gap between them "
                   "(default: by accuracy)");
    add_points_options(app, *o);
    app.footer(
        "Writes DIR/accelerations.npy (N, D) and DIR/potentials.npy (N,) in the precision of the "
        "points,\n"
        "with G = 1: of each point by all others; in a periodic --box also by all images, with a\n"
        "background that cancels the mean density. With --order z they are those of the points in\n"
        "z-order, whose indices are in DIR/order.npy.\n"
        "Example: zwalk gravity stars.npy --masses masses.npy --softening 0.01 -o gravity");
    return {app,
            [o] {
                Job job(*o);
                run_points(job, *o);
            },
            [o](Launch const&) { run_gravity_on_ranks(*o); }};
}

}  // namespace zwalk::apps
