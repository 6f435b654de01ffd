// What commands with --pieces have in common: from files to files, with a piece of the points in memory at a time.
#pragma once
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "one_process.hpp"
#include "stats.hpp"
#include "zwalk/run/pieces.hpp"

namespace zwalk::apps {

/// Rows of a file that are read at a time.
inline constexpr std::uint64_t most_rows_at_once = std::uint64_t(1) << 18;
/// Rows of the largest part of so many.
inline std::uint64_t rows_of_part(std::uint64_t rows) { return std::min(rows, most_rows_at_once); }

/// A file that is read by parts.
struct AskedFile {
    std::string name;
    io::ReadOptions options;
};

/// A place for what jobs read: files without their rows, which come later.
class Heads {
  public:
    explicit Heads(bool quiet) : quiet_(quiet) {}

    [[nodiscard]] bool quiet() const { return quiet_; }
    template <class F>
    auto agree(F const& f) const {
        return f();
    }
    /// @throws InputError  a text
    io::PointSet read(std::string const& file, io::ReadOptions options);
    [[nodiscard]] std::vector<AskedFile> const& asked() const { return asked_; }
    /// How many rows of each file are in a part: whatever their width in the file, it takes as much memory.
    [[nodiscard]] std::uint64_t rows_at_once() const { return rows_at_once_; }

  private:
    bool quiet_;
    std::vector<AskedFile> asked_;
    std::uint64_t rows_at_once_ = most_rows_at_once;
};

/// @param head  what is known of the file; none (dim 0): there is no such input
/// @param box   what coordinates are wrapped into; empty: they stay
/// @param cpu   wraps them; outlives the source
template <class T>
RowSource<T> source_of(AskedFile const* file, io::PointSet const& head, std::uint64_t rows_at_once,
                       std::vector<double> const& box, Cpu const& cpu) {
    if (file == nullptr) return {};
    std::uint64_t const parts =
        std::max<std::uint64_t>(1, (head.total + rows_at_once - 1) / rows_at_once);
    return {head.total, head.dim, parts, [=, &cpu, f = *file](std::uint64_t part) {
                auto options = f.options;
                options.part = {part, parts};
                io::PointSet set = io::read_points(f.name, options);
                if (!box.empty()) cpu.run([&] { wrap_into_box(set, box); });
                return std::get<Buffer<T>>(std::move(set.rows));
            }};
}

/// @throws InputError  `what` was asked for
void refuse_in_pieces(bool asked, char const* what);
/// What --memory-budget allows, else half of what is free.
std::uint64_t memory_in_pieces(CommonPlan const& plan);
/// The note on pieces that need more than --memory-budget, which is that of all of the process; "" if they don't.
std::string pieces_note(Need const& need, std::size_t pieces);
/// The number that --pieces says; 0: auto.
/// @throws InputError  it says none
std::size_t asked_pieces(std::string const& text);

/// Refuses what there isn't the space for.
/// @param needed   temporary files
/// @param results  files that stay
void check_disk(std::uint64_t needed, std::uint64_t results, std::filesystem::path const& directory);

/// survey_points(), as a phase.
template <class T>
PointSurvey<T> timed_survey(Cpu const& cpu, RowSource<T> const& points, Stats& took) {
    return timed(took, "survey", [&] { return survey_points(cpu, points); });
}

/// Runs a Job (job.hpp) whose input stays on disk.
/// @param read_more  f(heads, points): the heads of further files, and checks
/// @param solve      f(T, heads, points, stats), with T the precision of the points
template <class Job, class ReadMore, class Solve>
void run_in_pieces(OneProcess& place, Job& job, PointsOptions const& o, ReadMore const& read_more,
                   Solve const& solve) {
    job.plan.device = "cpu";
    RunStats stats;
    Timer const reading;
    Heads heads(o.quiet);
    io::PointSet const points = read_input(heads, o.input, job.plan);
    read_more(heads, points);
    job.box() = box_of(o, points);
    print_note(box_note(o, points), o.quiet);
    stats.read = reading.seconds();
    if (points.precision() == io::Precision::f4) solve(float(), heads, points, stats);
    else solve(double(), heads, points, stats);
    if (!o.quiet) print_run(place, job, o, points, stats);
}

/// compute(Stats& took) and then write() into a directory, which appears when all is done.
/// @param doing  what compute() does, for people
template <class Compute, class Write>
void fill_directory(OneProcess& place, PointsOptions const& o, OwnDirectory& out,
                    std::string const& doing, RunStats& stats, Compute const& compute,
                    Write const& write) {
    StatsFile file(o.stats, out.of_first(), o.force);
    place.progress().phase(doing);
    Timer const computing;
    Stats took;
    compute(took);
    stats.compute = computing.seconds();
    stats.set_phases(took.seconds);
    stats.counts.insert(stats.counts.end(), took.counts.begin(), took.counts.end());

    place.progress().phase("writing " + o.output);
    Timer const writing;
    write();
    stats.write = writing.seconds();
    stats.output_bytes = out.bytes();
    file.write(stats);
    out.commit();
    file.commit();
    place.progress().clear();
}

}  // namespace zwalk::apps
