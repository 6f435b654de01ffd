// zwalk knn --reduce R --pieces P
#include <fmt/format.h>

#include "../io/npy.hpp"
#include "knn_job.hpp"
#include "knn_sources.hpp"
#include "memory.hpp"
#include "pieces.hpp"
#include "zwalk/density/reduce_in_pieces.hpp"

namespace zwalk::apps {
namespace {

using Job = KnnJob<OwnSources>;

void refuse_options(KnnCommand const& o, KnnPlan const& plan) {
    if (o.reduce.empty()) throw InputError("--pieces is for one number per point: it needs --reduce");
    refuse_in_pieces(!o.index.empty(), "--index");
    refuse_in_pieces(!o.save_index.empty(), "--save-index");
    refuse_in_pieces(bool(plan.sphere), "--sphere");
    refuse_in_pieces(plan.device == "cuda", "--device cuda");
    // The library refuses what is wrong with k; of no points, so that it's done before a file is read, and k + 1 is a number.
    (void)knn_reduce(Points<float>(nullptr, 0, 1), reduction_of(o), plan.knn, plan.cpu());
}

/// The files, as the library reads them.
template <class T>
ReduceSources<T> sources_of(Heads const& heads, io::PointSet const& points, Job& job, Cpu const& cpu) {
    auto const* next = heads.asked().data();
    auto const source = [&](bool asked, io::PointSet const& head, std::vector<double> const& box) {
        return source_of<T>(asked ? next++ : nullptr, head, heads.rows_at_once(), box, cpu);
    };
    auto const box = job.o.wrap ? job.box() : std::vector<double>();
    ReduceSources<T> sources{source(true, points, box)};
    sources.masses = source(!job.o.masses.empty(), job.masses, {});
    sources.queries = source(!job.o.query.empty(), job.queries, box);
    return sources;
}

template <class T>
void solve_in_pieces(OneProcess& place, Job& job, Heads const& heads, io::PointSet const& points,
                     RunStats& stats) {
    KnnCommand const& o = job.o;
    KnnPlan const& plan = job.plan;
    auto const cpu = plan.cpu();
    auto const sources = sources_of<T>(heads, points, job, cpu);
    ReducePiecesShape shape{points.total,  points.dim,
                            sizeof(T),     plan.knn.k + plan.knn.exclude_self,
                            cpu.threads(), !o.masses.empty()};
    if (!o.query.empty()) shape.queries = job.queries.total;
    std::uint64_t const targets = shape.queries.value_or(points.total),
                        part_rows = rows_of_part(std::max(points.total, targets));
    std::size_t pieces = asked_pieces(*o.pieces);
    std::uint64_t memory = plan.budget;  // none: a given number of pieces takes as little as it can
    if (pieces == 0) {
        memory = memory_in_pieces(plan);
        pieces = reduce_pieces_for(shape, memory, part_rows);
    }
    check_pieces(points.total, pieces);
    Need need = reduce_in_pieces_memory(shape, pieces, part_rows, memory);
    need.budget = plan.budget;
    check_memory(need, 1, "more --pieces help, or a smaller k");
    print_note(pieces_note(need, pieces), place.quiet());
    stats.describe(plan, need, points);
    stats.input_bytes += job.masses.file_bytes + job.queries.file_bytes;
    stats.counts = job.shape(points);

    auto out = place.open(o);
    auto& files = *out.of_first();
    ReducePiecesOptions const how{pieces, files.temporary(), memory};
    std::uint64_t const disk = reduce_in_pieces_disk(shape, pieces);
    check_disk(disk, sizeof(T) * targets, how.scratch);
    auto const compute = [&](Stats& took) {
        auto survey = timed_survey(cpu, sources.points, took);
        print_note(few_points_note(plan.knn, points.total, false), place.quiet());
        io::NpyWriter<T> values(files.file(o.reduce + ".npy"), {targets});
        auto const put = [&](std::span<T const> some) {
            values.append(some);
            if (o.within && !o.quiet) job.count_more(count_found<T>(cpu, some));
        };
        Stats r = knn_reduce_in_pieces<T>(sources, std::move(survey), reduction_of(o), plan.knn, how,
                                          put, cpu);
        values.close();
        took.seconds.insert(took.seconds.end(), r.seconds.begin(), r.seconds.end());
        took.counts = std::move(r.counts);
        took.counts.emplace_back("disk_bytes", disk);
    };
    auto const doing = fmt::format("{} of {} points in {} pieces", job.name, points.total, pieces);
    fill_directory(place, o, out, doing, stats, compute, [] {});
}

}  // namespace

void run_knn_in_pieces(KnnCommand const& o) {
    OneProcess place(o);
    Job job(o);
    refuse_options(o, job.plan);
    run_in_pieces(
        place, job, o,
        [&](Heads& heads, io::PointSet const& points) { (void)job.read_more(heads, points); },
        [&]<class T>(T, auto&&... all) { solve_in_pieces<T>(place, job, all...); });
}

}  // namespace zwalk::apps
