// From a file of points to a directory of results on several ranks: what commands do alike there.
#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "launch.hpp"
#include "points_run.hpp"
#include "rank_files.hpp"
#include "rank_host.hpp"
#include "rank_stats.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/ranks/mpi.hpp"
#include "zwalk/ranks/rank_cuda.hpp"

namespace zwalk::apps {

/// The command that a Job describes, for one precision.
template <class T, class Job>
void solve_on_ranks(Comm& comm, Job& job, PointsOptions const& o, io::PointSet& points, RunStats& stats,
                    Progress& progress) {
    RankDirectory out(comm, o.output, o.force);
    auto file = comm.agree(
        [&] { return StatsFile(comm.rank() == 0 ? o.stats : std::string(), out.of_first(), o.force); });
    if constexpr (requires { job.prepare(out); }) job.prepare(out);
    progress.phase(fmt::format("{} of {} points", job.name, points.total));
    Timer const computing;
    Phases phases;
    comm.agree([&] {
        if (o.wrap)
            phases.timed("wrap", [&] {
                job.plan.cpu().run([&] {
                    wrap_into_box(points, job.box());
                    if constexpr (requires { job.queries; }) wrap_into_box(job.queries, job.box());
                });
            });
    });
    auto const result = job.template compute<T>(comm, points);
    comm.agree([&] {
        phases.add(result.stats);
        stats.compute = computing.seconds();
        stats.set_phases(phases.all());
    });

    progress.phase("writing");
    Timer const writing;
    job.write(out, result);
    stats.write = writing.seconds();
    auto const steps = comm.agree([&] {  // the library's, and those of this program
        auto all = result.stats.steps;
        all.insert(all.end(), comm.stats().begin(), comm.stats().end());
        return all;
    });
    gather_stats(comm, {phases.all(), result.stats.counts, {}}, steps, stats);
    comm.agree([&] {
        stats.output_bytes = out.bytes();
        file.write(stats);
        out.commit();
        file.commit();
    });
    progress.clear();
    if (o.quiet || comm.rank() != 0) return;
    print_reach_notes(job, points.dim, false);
    fmt::print("points      {} in {} dimensions, {}\n", points.total, points.dim,
               points.item_bytes() == 4 ? "float32" : "float64");
    job.print(result);
    fmt::print("ranks       {}, with {} thread{}{} each\n", comm.size(), stats.threads,
               stats.threads == 1 ? "" : "s", job.plan.of_rank ? " and a GPU" : "");
    fmt::print("seconds     {:.3f} read, {:.3f} compute, {:.3f} write\n", stats.read, stats.compute,
               stats.write);
    if (!o.output.empty()) fmt::print("written     {}: {}\n", o.output, job.files(result));
    if constexpr (requires { job.print_end(); }) job.print_end();
}

/// Runs a command on all ranks, of which each reads, has and writes its own rows. Errors are thrown on all of them, and
/// before anything appears on disk.
///
/// A Job is made of the command on each rank; what fails there on one of them (which may have no GPU) fails on all. It
/// has: `name` (what is made of points), `plan` (a CommonPlan; device, threads and budget are settled here),
/// `box()` (where the period goes, as a reference), `read_more(comm, points)` (collective: what else there is to read; returns
/// its bytes), `memory(points)` (what a rank with these points needs while the others need as much),
/// `compute<T>(comm, points)` (collective; with `stats`), and of its result `write(directory, result)`
/// (collective), `print(result)` and `files(result)`. Its `queries`, if it has such, are wrapped as points
/// are. It may have `memory_of_first(points)`: what rank 0 needs, which goes on when the others are through; what is too much
/// for it the library refuses. And `read_points(comm)` (collective: what points come from, if not from INPUT alone),
/// `prepare(directory)` (collective: what else will be written, before anything is computed), `print_end()`.
template <class Job, class Command>
void run_on_ranks(Command const& command) {
    Comm comm{Mpi{}};
    auto job = comm.agree([&] {
        refuse_on_ranks(!command.sphere.empty(), "--sphere");
        return Job(command);
    });
    PointsOptions const& o = command;
    bool const quiet = o.quiet || comm.rank() != 0;
    RunStats stats;
    Progress progress(quiet);
    auto const threads = threads_of_rank(comm, job.plan.threads);
    print_note(threads.note(), quiet);
    job.plan.threads = threads.threads;
    if (job.plan.device == "cuda") {
        job.plan.of_rank = rank_cuda(comm);
        job.plan.of_rank->memory_budget = job.plan.budget;
    } else {
        job.plan.device = "cpu";  // auto, too
    }

    progress.phase("reading");
    Timer const reading;
    io::PointSet points = [&] {
        if constexpr (requires { job.read_points(comm); }) return job.read_points(comm);
        else return read_own_points(comm, o.input, job.plan.read);
    }();
    print_notes(points, quiet);
    std::uint64_t const more = job.read_more(comm, points);
    stats.read = reading.seconds();
    comm.agree([&] {
        job.box() = box_of(o, points);
        print_note(box_note(o, points), quiet);
        if (job.plan.budget == 0)
            job.plan.budget = available_memory() / 2 / std::uint64_t(comm.host_size());
        Need const memory = job.memory(points);
        check_memory(memory, comm.host_size());
        if constexpr (requires { job.memory_of_first(points); })
            stats.describe(job.plan, job.memory_of_first(points), points);
        else stats.describe(job.plan, memory, points);
        stats.input_bytes += more;
    });
    if (points.precision() == io::Precision::f4)
        solve_on_ranks<float>(comm, job, o, points, stats, progress);
    else solve_on_ranks<double>(comm, job, o, points, stats, progress);
}

}  // namespace zwalk::apps
