// zwalk fof on several ranks
#include "fof.hpp"
#include "ranks.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/ranks/points.hpp"

namespace zwalk::apps {

template <class T>
static FofWithCatalogue find_groups(Ranks& place, FofJob& job, Points<T> own, std::uint64_t total) {
    FofPlan& plan = job.plan;
    if (plan.fraction) {
        print_note(job.spacing_note(), place.quiet());
        check_points(place.comm(), plan.cpu(), own);
        auto const extent = find_extent(place.comm(), plan.cpu(), own);
        plan.fof.linking_length =
            *plan.fraction * place.agree([&] { return mean_spacing(extent, total, plan.fof.box); });
    }
    if (job.o.labels_only)
        return {place.call(plan, [&](auto const&... where) { return fof(own, plan.fof, where...); }),
                {}};
    auto const options = place.agree([&] { return job.catalogue_options<T>(); });
    return place.call(plan, [&](auto const&... where) {
        return fof_with_catalogue(own, plan.fof, options, where...);
    });
}

template void run_on_ranks<FofJob>(FofCommand const&);

}  // namespace zwalk::apps
