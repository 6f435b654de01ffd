// zwalk fof --pieces
#include <fmt/format.h>

#include "../io/npy.hpp"
#include "fof.hpp"
#include "memory.hpp"
#include "pieces.hpp"
#include "zwalk/fof/fof_in_pieces.hpp"

namespace zwalk::apps {
namespace {

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
    refuse_in_pieces(o.members, "--members");
    refuse_in_pieces(plan.order == Order::z, "--order z");
    refuse_in_pieces(bool(plan.sphere), "--sphere");
    refuse_in_pieces(plan.device == "cuda", "--device cuda");
}

FofPiecesOptions pieces_of(FofJob const& job, FofPiecesShape const& shape, std::uint64_t part_rows) {
    FofPiecesOptions how{.catalogue = !job.o.labels_only, .min_members = job.plan.min_members};
    how.memory = memory_in_pieces(job.plan);
    how.pieces = asked_pieces(*job.o.pieces);
    if (how.pieces == 0) how.pieces = fof_pieces_for(shape, how, part_rows);
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
    std::uint64_t const part_rows = rows_of_part(points.total);
    auto how = pieces_of(job, shape, part_rows);
    Need need = fof_in_pieces_memory(shape, how, part_rows);
    need.budget = plan.budget;
    check_memory(need, 1, "more --pieces help, or a larger --min-members");
    print_note(pieces_note(need, how.pieces), place.quiet());
    stats.describe(plan, need, points);
    stats.input_bytes += job.masses.file_bytes + job.velocities.file_bytes;

    auto out = place.open(o);
    auto& files = *out.of_first();
    how.scratch = files.temporary();
    std::uint64_t const disk = fof_in_pieces_disk(shape, how);
    std::uint64_t const as_text = o.format == "csv" ? 3 : 1;  // for each byte of a number
    check_disk(disk, sizeof(index_t) * points.total + as_text * need.result, how.scratch);
    FofInPieces r;
    auto const compute = [&](Stats& took) {
        auto survey = timed_survey(cpu, sources.points, took);
        if (plan.fraction) {
            print_note(job.spacing_note(), place.quiet());
            plan.fof.linking_length =
                *plan.fraction * mean_spacing(survey.extent, points.total, plan.fof.box);
        }
        io::NpyWriter<index_t> labels(files.file("labels.npy"), {points.total});
        r = fof_in_pieces<T>(
            sources, std::move(survey), plan.fof, how,
            [&](std::span<index_t const> some) { labels.append(some); }, cpu);
        labels.close();
        took.seconds.insert(took.seconds.end(), r.stats.seconds.begin(), r.stats.seconds.end());
        job.groups = r.groups;
        job.listed = r.catalogue.size();
        job.largest = r.catalogue.size() > 0 ? r.catalogue.count[0] : 0;
        job.count(took.counts);
        took.counts.insert(took.counts.end(), r.stats.counts.begin(), r.stats.counts.end());
        took.counts.emplace_back("disk_bytes", disk);
    };
    auto const doing = fmt::format("groups of {} points in {} pieces", points.total, how.pieces);
    fill_directory(place, o, out, doing, stats, compute, [&] {
        if (!o.labels_only) job.write_catalogue(out, r.catalogue);
    });
}

}  // namespace

void run_fof_in_pieces(FofCommand const& o) {
    OneProcess place(o);
    FofJob job(o);
    refuse_options(o, job.plan);
    run_in_pieces(
        place, job, o,
        [&](Heads& heads, io::PointSet const& points) { (void)job.read_more(heads, points); },
        [&]<class T>(T, auto&&... all) { solve_in_pieces<T>(place, job, all...); });
}

}  // namespace zwalk::apps
