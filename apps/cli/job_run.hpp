// Runs a Job (job.hpp) in a place, from its options to its files.
#pragma once
#include <fmt/format.h>

#include <string>

#include "job.hpp"
#include "stats.hpp"

namespace zwalk::apps {

/// Prints the notes on the distances of a job whose plan has `reaches()`, in its box.
template <class Job>
void print_reach_notes(Job& job, int dim) {
    if constexpr (requires { job.plan.reaches(); })
        for (Reach const& reach : job.plan.reaches())
            print_note(reach_note(reach, job.box(), dim), false);
}

template <class Job>
void wrap(Job& job, io::PointSet& points) {
    job.plan.cpu().run([&] {
        wrap_into_box(points, job.box());
        if constexpr (requires { job.queries; }) wrap_into_box(job.queries, job.box());
    });
}

/// From points in memory to results on disk, for one precision.
template <class T, class Job, class Place>
void solve(Place& place, Job& job, PointsOptions const& o, io::PointSet& points, RunStats& stats) {
    auto out = place.open(o);
    auto file = place.agree(
        [&] { return StatsFile(place.is_first() ? o.stats : std::string(), out.of_first(), o.force); });
    if constexpr (requires { job.prepare(out); }) job.prepare(out);
    place.progress().phase(fmt::format("{} of {} points", job.name, points.total));
    Timer const computing;
    Stats took;
    if (o.wrap) place.agree([&] { timed(took, "wrap", [&] { wrap(job, points); }); });
    auto const result = job.template compute<T>(place, points);
    place.agree([&] {
        took.seconds.insert(took.seconds.end(), result.stats.seconds.begin(),
                            result.stats.seconds.end());
        took.counts = result.stats.counts;
        stats.compute = computing.seconds();
        stats.set_phases(took.seconds);
        if constexpr (requires { job.count(stats.counts); }) job.count(stats.counts);
    });

    place.progress().phase("writing " + o.output);
    Timer const writing;
    job.write(out, result);
    stats.write = writing.seconds();
    place.gather(result, took, stats);
    place.agree([&] {
        stats.output_bytes = out.bytes();
        file.write(stats);
        out.commit();
        file.commit();
    });
    place.progress().clear();
}

/// Prints what a run was for people.
template <class Job, class Place>
void print_run(Place& place, Job& job, PointsOptions const& o, io::PointSet const& points,
               RunStats const& stats) {
    print_reach_notes(job, points.dim);
    fmt::print("points      {} {}, {}\n", points.total, job.plan.sphere.where(points.dim),
               points.item_bytes() == 4 ? "float32" : "float64");
    job.print();
    place.print(job.plan, stats);
    fmt::print("seconds     {:.3f} read, {:.3f} compute, {:.3f} write\n", stats.read, stats.compute,
               stats.write);
    if (!o.output.empty()) fmt::print("written     {}: {}\n", o.output, job.files());
    if constexpr (requires { job.print_end(); }) job.print_end();
}

/// Runs a command. Errors are thrown before anything appears on disk, on ranks on all of them.
template <class Job, class Place>
void run_job(Place& place, typename Job::Command const& command) {
    PointsOptions const& o = command;
    auto job = place.agree([&] {
        place.check(o);
        return Job(command);
    });
    RunStats stats;
    place.settle(job.plan);
    place.progress().phase("reading " + o.input);
    Timer const reading;
    io::PointSet points = [&] {
        if constexpr (requires { job.read_points(place); }) return job.read_points(place);
        else return read_input(place, o.input, job.plan);
    }();
    std::uint64_t more = 0;
    if constexpr (requires { job.read_more(place, points); }) more = job.read_more(place, points);
    stats.read = reading.seconds();
    place.agree([&] {
        job.box() = box_of(o, points);
        print_note(box_note(o, points), place.quiet());
        stats.describe(job.plan, place.check_memory(job, points), points);
        if constexpr (requires { job.shape(points); }) stats.counts = job.shape(points);
        stats.input_bytes += more;
    });
    if (points.precision() == io::Precision::f4) solve<float>(place, job, o, points, stats);
    else solve<double>(place, job, o, points, stats);
    if (!place.quiet()) print_run(place, job, o, points, stats);
}

}  // namespace zwalk::apps
