// From a file of points to a directory of results: what zwalk fof, emst and hdbscan do alike.
#pragma once
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "../io/output.hpp"
#include "../io/points.hpp"
#include "common.hpp"
#include "job.hpp"
#include "memory.hpp"
#include "reach.hpp"
#include "stats.hpp"
#include "zwalk/exec/cpu.hpp"

namespace zwalk::apps {

/// The seconds of each phase of the work.
class Phases {
  public:
    template <class Work>
    void timed(char const* name, Work const& work) {
        Timer const timer;
        work();
        all_.emplace_back(name, timer.seconds());
    }
    /// Takes over those that the library measured.
    void add(Stats const& measured) {
        all_.insert(all_.end(), measured.seconds.begin(), measured.seconds.end());
    }
    [[nodiscard]] std::vector<std::pair<std::string, double>> const& all() const { return all_; }

  private:
    std::vector<std::pair<std::string, double>> all_;
};

/// Prints the notes on the distances of a job whose plan has `reaches()`, in its box.
template <class Job>
void print_reach_notes(Job& job, int dim, bool quiet) {
    if constexpr (requires { job.plan.reaches(); })
        for (Reach const& reach : job.plan.reaches())
            print_note(reach_note(reach, job.box(), dim), quiet);
}

/// The command that a Job describes, for one precision.
template <class T, class Job>
void solve_points(Job& job, PointsOptions const& o, io::PointSet& points, RunStats& stats,
                  Progress& progress) {
    io::OutputDirectory out(o.output, o.force);
    StatsFile file(o.stats, &out, o.force);
    progress.phase(fmt::format("{} of {} points", job.name, points.size));
    Timer const computing;
    Phases phases;
    if (o.wrap)
        phases.timed("wrap", [&] { job.plan.cpu().run([&] { wrap_into_box(points, job.box()); }); });
    auto const result = job.template compute<T>(points, phases, progress);
    stats.compute = computing.seconds();
    stats.set_phases(phases.all());
    job.count(result, stats.counts);

    progress.phase("writing " + o.output);
    Timer const writing;
    job.write(out, result);
    stats.output_bytes = out.bytes();
    stats.write = writing.seconds();
    file.write(stats);
    out.commit();
    file.commit();
    progress.clear();
    print_reach_notes(job, points.dim, o.quiet);
    if (o.quiet) return;
    fmt::print("points      {} {}, {}\n", points.size, job.plan.sphere.where(points.dim),
               points.item_bytes() == 4 ? "float32" : "float64");
    job.print(result);
    fmt::print("seconds     {:.3f} read, {:.3f} compute, {:.3f} write\n", stats.read, stats.compute,
               stats.write);
    fmt::print("written     {}: {}\n", o.output, job.files(result));
}

/// Runs a command. Errors are thrown before anything appears on disk.
///
/// A Job has: `name` (what is made of points), `plan` (a CommonPlan), `box()` (where the period goes, as a
/// reference), `read_more(points)` (what else there is to read; returns its bytes), `memory(points)`,
/// `compute<T>(points, phases, progress)`, and of its result `count(result, counts)`, `write(directory,
/// result)`, `print(result)` and `files(result)`. Its plan may have `reaches()` (std::vector<Reach>).
template <class Job>
void run_points(Job& job, PointsOptions const& o) {
    RunStats stats;
    Progress progress(o.quiet);
    progress.phase("reading " + o.input);
    Timer const reading;
    io::PointSet points = io::read_points(o.input, job.plan.read);
    print_notes(points, o.quiet);
    job.plan.sphere.to_unit_vectors(points);
    std::uint64_t const more = job.read_more(points);
    stats.read = reading.seconds();
    job.box() = box_of(o, points);
    print_note(box_note(o, points), o.quiet);
    job.plan.device = device_for(job.plan.device, points.dim);
    Need const memory = job.memory(points);
    check_memory(memory);
    if (job.plan.budget > 0 && job.plan.device == "cpu") print_note(budget_note(memory), o.quiet);
    stats.describe(job.plan, memory, points);
    stats.input_bytes += more;
    if (points.precision() == io::Precision::f4) solve_points<float>(job, o, points, stats, progress);
    else solve_points<double>(job, o, points, stats, progress);
}

}  // namespace zwalk::apps
