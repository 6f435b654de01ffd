// What commands have in common that go from a file of points to a directory of results.
//
// Each is a Job, which is written once: job_run.hpp runs it in one process (one_process.hpp), and on each of several MPI ranks
// (ranks.hpp), which read, have and write their own rows. What differs between these is behind two classes. A *place* reads files,
// says where functions of the library run, and combines numbers of all ranks; in one process these are what it has itself. A
// *directory* takes arrays, each process its own rows. Their members are collective unless noted otherwise; what may fail between
// two of them is done in agree(), so that it fails on all ranks or on none.
//
// A Job is made of its `Command` on each rank; what fails there on one of them (which may have no GPU) fails on all. It has
//
//   name                       what is made of points
//   plan                       a CommonPlan, whose device, threads and budget the place settles; it may have reaches(), a
//                              std::vector<Reach>
//   box()                      where the period goes, as a reference
//   memory(points)             what one process needs
//   rank_memory(points)        what a rank with these points needs while the others need as much
//   compute<T>(place, points)  the result: with `stats`
//   write(directory, result)   writes it
//   print(), files()           for people: of what compute() has left in the Job, on rank 0
//
// and it may have
//
//   read_points(place)         the points, if they may come from something else than INPUT
//   read_more(place, points)   reads what there is beside the points; returns its bytes
//   queries                    further points, which are wrapped as the points are
//   first_rank_memory(points)  what rank 0 needs, which goes on when the others are through; what is too much for it the library
//                              refuses
//   memory_help(need)          what makes the need of one process smaller, beside fewer points
//   prepare(directory)         what else will be written, before anything is computed
//   shape(points)              the first numbers of --stats, beginning with that of points, if not these and their columns
//   count(counts)              adds numbers to --stats: those of all ranks
//   print_end()                prints the last lines
#pragma once
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "../io/file.hpp"
#include "../io/points.hpp"
#include "common.hpp"
#include "reach.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/need.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/core/timed.hpp"

namespace zwalk::apps {

using StatCounts = std::vector<std::pair<std::string, std::uint64_t>>;

/// Options of these commands.
struct PointsOptions : Common {
    std::string input, output;
};
/// Adds INPUT and --output.
void add_points_options(Command& command, PointsOptions& options);

/// Runs a Job on all ranks, which all call it: ranks.hpp, in builds without MPI ranks_absent.cpp.
template <class Job>
void run_on_ranks(typename Job::Command const& command);

using detail::timed;

/// The need of a call, with the points that it is for, as they are in memory, and the plan's budget.
inline Need of_points(Need need, CommonPlan const& plan, io::PointSet const& points) {
    need.input = points.bytes();
    need.budget = plan.budget;
    return need;
}

/// What memory is reckoned with on a rank: it imports half as many points as it has.
inline std::uint64_t with_imports(io::PointSet const& points) { return points.size + points.size / 2; }

/// The points of INPUT, or of another file; on a sphere its unit vectors.
template <class Place>
io::PointSet read_input(Place& place, std::string const& file, CommonPlan const& plan) {
    auto points = place.read(file, plan.read);
    print_notes(points, place.quiet());
    if (plan.sphere) place.agree([&] { plan.sphere.to_unit_vectors(points); });
    return points;
}
/// Further points, in the precision of the points and on their sphere. Notes call them `name`.
template <class Place>
io::PointSet read_more_points(Place& place, std::string const& file, char const* name,
                              CommonPlan const& plan, io::PointSet const& points) {
    io::ReadOptions read = plan.read;
    read.precision = points.precision();
    auto more = place.read(file, plan.sphere.reading(std::move(read)));
    print_notes(more, name, plan.read.precision, place.quiet());
    if (plan.sphere) place.agree([&] { plan.sphere.to_unit_vectors(more, points.precision(), name); });
    return more;
}

/// A file with one number for each of `rows` rows that all ranks have together. They are called `name`, those `of` these rows.
/// @throws InputError  another number of rows, or of columns
template <class Place>
std::vector<double> read_column_of(Place& place, std::string const& file, std::string const& dataset,
                                   std::uint64_t rows, char const* name, char const* of = "points") {
    io::PointSet const own = place.read(file, {io::Precision::f8, dataset});
    return place.agree([&] {
        check_column(file, own.dim);
        if (own.total != rows)
            throw InputError(
                fmt::format("there are {} {}, but {} {}: give one for each", own.total, name, rows, of));
        auto const points = own.points<double>();
        return std::vector<double>(points.data, points.data + points.size);
    });
}

/// Writes order.npy: the rows of the input that rows in z-order are.
template <class Directory, class Result>
void write_order(Directory& out, Result const& r) {
    if constexpr (requires { r.z_order; }) out.write("order.npy", r.z_order);
    else out.write("order.npy", r.row_order);
}

}  // namespace zwalk::apps
