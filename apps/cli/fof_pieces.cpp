// zwalk fof --pieces
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "../io/npy.hpp"
#include "fof.hpp"
#include "memory.hpp"
#include "one_process.hpp"
#include "parse.hpp"
#include "stats.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/fof/fof_in_pieces.hpp"

namespace zwalk::apps {
namespace {

constexpr std::uint64_t most_rows_at_once = std::uint64_t(1) << 18;

/// A file that is read by parts.
struct AskedFile {
    std::string name;
    io::ReadOptions options;
};

/// A place for what jobs read: files without their rows, which come later.
class Heads {
  public:
    [[nodiscard]] bool quiet() const { return quiet_; }
    template <class F>
    auto agree(F const& f) const {
        return f();
    }
    io::PointSet read(std::string const& file, io::ReadOptions options) {
        if (io::is_text(file))
            throw InputError(
                fmt::format("{}: a text can't be read in pieces, which takes .npy, .hdf5 or .h5",
                            io::name_of_input(file)));
        options.rows_of_files = io::rows_of_files(file, options);
        auto no_rows = options;
        no_rows.part = {0, std::numeric_limits<std::uint64_t>::max()};
        auto head = io::read_points(file, no_rows);
        options.precision = head.precision();
        // Of some columns of an array all are read at first.
        if (!options.columns.all() && head.total > 0 &&
            std::filesystem::path(file).extension() == ".npy") {
            std::uint64_t const stored = head.stored_as == "float32" ? 4 : 8,
                                read = head.file_bytes / head.total / stored,
                                chosen = std::uint64_t(head.dim);
            if (read > chosen)
                rows_at_once_ = std::max<std::uint64_t>(1, most_rows_at_once * chosen / read);
        }
        asked_.push_back({file, std::move(options)});
        return head;
    }
    [[nodiscard]] std::vector<AskedFile> const& asked() const { return asked_; }

    /// How many rows of each file are in a part: whatever their width in the file, it takes as much memory.
    [[nodiscard]] std::uint64_t rows_at_once() const { return rows_at_once_; }

    explicit Heads(bool quiet) : quiet_(quiet) {}

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

/// The files, as the library reads them.
template <class T>
FofSources<T> sources_of(Heads const& heads, io::PointSet const& points, FofJob& job, Cpu const& cpu) {
    auto const* next = heads.asked().data();
    auto const source = [&](bool asked, io::PointSet const& head, std::vector<double> const& box) {
        return source_of<T>(asked ? next++ : nullptr, head, heads.rows_at_once(), box, cpu);
    };
    FofSources<T> sources{source(true, points, job.o.wrap ? job.box() : std::vector<double>())};
    sources.masses = source(!job.o.masses.empty(), job.masses, {});
    sources.velocities = source(!job.o.velocities.empty(), job.velocities, {});
    return sources;
}

void refuse_options(FofCommand const& o, FofPlan const& plan) {
    auto const refuse = [](bool asked, char const* what) {
        if (asked) throw InputError(fmt::format("{} doesn't work with --pieces yet", what));
    };
    refuse(o.members, "--members");
    refuse(plan.order == Order::z, "--order z");
    refuse(bool(plan.sphere), "--sphere");
    refuse(plan.device == "cuda", "--device cuda");
}

/// Refuses what there isn't the space for.
/// @param needed   temporary files
/// @param results  files that stay
void check_disk(std::uint64_t needed, std::uint64_t results, std::filesystem::path const& directory) {
    std::uint64_t const free = std::filesystem::space(directory).available;
    if (needed + results > free)
        throw Error(
            fmt::format("not enough space in {}: up to {} for results and {} for temporary files are "
                        "needed, but {} are free",
                        io::quoted(directory), human_bytes(double(results)), human_bytes(double(needed)),
                        human_bytes(double(free))));
}

FofPiecesOptions pieces_of(FofJob const& job, FofPiecesShape const& shape, std::uint64_t part_rows) {
    FofPiecesOptions how{.catalogue = !job.o.labels_only, .min_members = job.plan.min_members};
    how.memory = job.plan.budget > 0 ? job.plan.budget : available_memory() / 2;
    how.pieces = job.o.pieces == "auto"
                     ? fof_pieces_for(shape, how, part_rows)
                     : std::size_t(parse_integer("--pieces", job.o.pieces, 1, 1 << 14));
    check_pieces(shape.points, how.pieces);
    return how;
}

template <class T>
void solve_in_pieces(OneProcess& place, FofJob& job, Heads const& heads, io::PointSet const& points,
                     RunStats& stats) {
    FofCommand const& o = job.o;
    FofPlan& plan = job.plan;
    auto const cpu = plan.cpu();
    auto const sources = sources_of<T>(heads, points, job, cpu);
    FofPiecesShape const shape{points.total, points.dim, sizeof(T), !o.masses.empty(),
                               !o.velocities.empty()};
    std::uint64_t const part_rows = std::min(points.total, most_rows_at_once);
    auto how = pieces_of(job, shape, part_rows);
    Need need = fof_in_pieces_memory(shape, how, part_rows);
    need.budget = plan.budget;
    check_memory(need, 1, "more --pieces help, or a larger --min-members");
    stats.describe(plan, need, points);
    stats.input_bytes += job.masses.file_bytes + job.velocities.file_bytes;

    auto out = place.open(o);
    auto& files = *out.of_first();
    how.scratch = files.temporary();
    std::uint64_t const disk = fof_in_pieces_disk(shape, how);
    std::uint64_t const as_text = o.format == "csv" ? 3 : 1;  // for each byte of a number
    check_disk(disk, sizeof(index_t) * points.total + as_text * need.result, how.scratch);
    StatsFile file(o.stats, &files, o.force);
    place.progress().phase(fmt::format("groups of {} points in {} pieces", points.total, how.pieces));
    Timer const computing;
    Stats took;
    auto survey = [&] {
        Timer const timer;
        auto found = survey_points(cpu, sources.points);
        took.seconds.emplace_back("survey", timer.seconds());
        return found;
    }();
    if (plan.fraction) {
        print_note(job.spacing_note(), place.quiet());
        plan.fof.linking_length =
            *plan.fraction * mean_spacing(survey.extent, points.total, plan.fof.box);
    }
    io::NpyWriter<index_t> labels(files.file("labels.npy"), {points.total});
    auto r = fof_in_pieces<T>(
        sources, std::move(survey), plan.fof, how,
        [&](std::span<index_t const> some) { labels.append(some); }, cpu);
    labels.close();
    took.seconds.insert(took.seconds.end(), r.stats.seconds.begin(), r.stats.seconds.end());
    stats.compute = computing.seconds();
    stats.set_phases(took.seconds);
    job.groups = r.groups;
    job.listed = r.catalogue.size();
    job.largest = r.catalogue.size() > 0 ? r.catalogue.count[0] : 0;
    job.count(stats.counts);
    stats.counts.insert(stats.counts.end(), r.stats.counts.begin(), r.stats.counts.end());
    stats.counts.emplace_back("disk_bytes", disk);

    place.progress().phase("writing " + o.output);
    Timer const writing;
    if (!o.labels_only) job.write_catalogue(out, r.catalogue);
    stats.write = writing.seconds();
    stats.output_bytes = out.bytes();
    file.write(stats);
    out.commit();
    file.commit();
    place.progress().clear();
}

}  // namespace

void run_fof_in_pieces(FofCommand const& o) {
    OneProcess place(o);
    FofJob job(o);
    refuse_options(o, job.plan);
    job.plan.device = "cpu";
    RunStats stats;
    Timer const reading;
    Heads heads(o.quiet);
    io::PointSet const points = read_input(heads, o.input, job.plan);
    job.read_more(heads, points);
    job.box() = box_of(o, points);
    print_note(box_note(o, points), o.quiet);
    stats.read = reading.seconds();
    if (points.precision() == io::Precision::f4)
        solve_in_pieces<float>(place, job, heads, points, stats);
    else solve_in_pieces<double>(place, job, heads, points, stats);
    if (!o.quiet) print_run(place, job, o, points, stats);
}

}  // namespace zwalk::apps
