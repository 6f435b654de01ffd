#include "zwalk/fof/fof.hpp"
#include "zwalk/core/validate.hpp"

#include <fmt/format.h>

#include <cmath>

#include "../../common/dispatch.hpp"
#include "checks.hpp"
#include "job.hpp"
#include "zwalk/tree/box.hpp"
#include "zwalk/walk/groups.hpp"

namespace zwalk::inline v0 {
namespace {

using namespace detail;

/// leaf_size 0. From 48 to 96 the walk takes the same time within 5 %, and fewer nodes are cut faster;
/// small leaves cost most where points are clustered.
constexpr pos_t default_leaf_size = 64;

}  // namespace

template <class T>
FofResult<T> fof(Points<T> points, FofOptions const& o) {
    FofJob<T> job{points, checked_length<T>(o.linking_length), {}, o.tree};
    if (job.tree.leaf_size == 0) job.tree.leaf_size = default_leaf_size;
    Cpu const cpu(o.threads);
    return cpu.run([&] {
        check_points(points);
        if (!o.box.empty()) job.period = checked_period(o.box, find_extent(points));
        auto result = with_dim<FofResult<T>>(Dims<ZWALK_DIMS>{}, points.dim,
                                             [&]<int D>() { return run_fof<D, T>(cpu, job); });
        double const start = now_seconds();
        auto found = label_groups(cpu, result.root, result.z_order, o.order);
        result.labels = std::move(found.labels);
        result.groups = found.groups;
        result.stats.seconds.emplace_back("labels", now_seconds() - start);
        return result;
    });
}

FofMemory fof_memory(std::uint64_t points, int dim, std::size_t item_bytes) {
    int const columns = with_dim<int>(Dims<ZWALK_DIMS>{}, dim, []<int D>() { return D; });
    // As zorder/sort.cpp and tree/joint.cpp have them. Nodes, cuts included, take about 2 bytes per point.
    std::uint64_t const sort = 16, index = sizeof(pos_t), label = sizeof(index_t), nodes = 2;
    return {sort * points, (2 * index + nodes + std::uint64_t(columns) * item_bytes) * points,
            (label + 2 * index) * points, 2 * index * points};
}

template <class T>
double mean_spacing(Points<T> points, std::vector<double> const& box) {
    check_points(points);
    if (points.size == 0) throw InputError("no points: they have no mean spacing");
    auto const extent = find_extent(points);
    auto const period = checked_period(box, extent);
    double volume = 1;
    for (std::size_t j = 0; j < extent.lo.size(); ++j) {
        bool const open = period.empty() || std::isinf(period[j]);
        volume *= open ? double(extent.hi[j]) - double(extent.lo[j]) : double(period[j]);
    }
    double const each = volume / double(points.size);
    if (!(each > 0) || std::isinf(each))
        throw InputError(
            fmt::format("the points fill a volume of {}: that gives no mean spacing", volume));
    if (points.dim == 2) return std::sqrt(each);
    return points.dim == 3 ? std::cbrt(each) : std::pow(each, 1. / points.dim);
}

template FofResult<float> fof(Points<float>, FofOptions const&);
template FofResult<double> fof(Points<double>, FofOptions const&);
template double mean_spacing(Points<float>, std::vector<double> const&);
template double mean_spacing(Points<double>, std::vector<double> const&);

}  // namespace zwalk::inline v0
