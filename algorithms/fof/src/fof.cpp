#include "zwalk/fof/fof.hpp"

#include <fmt/format.h>

#include <cmath>

#include "../../common/dispatch.hpp"
#include "checks.hpp"
#include "job.hpp"
#include "zwalk/exec/device.hpp"

namespace zwalk::inline v0 {
namespace {

using namespace detail;

constexpr std::size_t grain = 1 << 14;  // points per task

/// leaf_size 0. From 48 to 96 the walk takes the same time within 5 %, and fewer nodes are cut faster;
/// small leaves cost most where points are clustered.
constexpr pos_t default_leaf_size = 64;

/// Smallest input index per group, at the position of its root.
Buffer<pos_t> smallest_members(Buffer<pos_t> const& root, Buffer<pos_t> const& z_order) {
    Buffer<pos_t> smallest(root.size());
    parallel_for(root.size(), grain, [&](std::size_t i, std::size_t end) {
        std::fill(smallest.begin() + i, smallest.begin() + end, no_pos);
    });
    parallel_for(root.size(), grain, [&](std::size_t i, std::size_t end) {
        while (i < end) {  // neighbours on the curve mostly are of one group
            pos_t const group = root[i];
            pos_t row = z_order[i];
            for (++i; i < end && root[i] == group; ++i) row = std::min(row, z_order[i]);
            atomic_min(&smallest[group], row);
        }
    });
    return smallest;
}

template <class T>
void set_labels(FofResult<T>& r, Order order) {
    auto const smallest = smallest_members(r.root, r.z_order);
    r.labels = Buffer<index_t>(r.root.size());
    auto const part = [&](std::size_t begin, std::size_t end, std::size_t groups) {
        for (std::size_t i = begin; i < end; ++i) {
            r.labels[order == Order::z ? i : r.z_order[i]] = smallest[r.root[i]];
            groups += r.root[i] == i;
        }
        return groups;
    };
    r.groups = parallel_reduce(r.root.size(), grain, std::size_t(0), part,
                               [](std::size_t a, std::size_t b) { return a + b; });
}

}  // namespace

template <class T>
FofResult<T> fof(Points<T> points, FofOptions const& o) {
    FofJob<T> job{points, checked_length<T>(o.linking_length), {}, o.tree};
    if (job.tree.leaf_size == 0) job.tree.leaf_size = default_leaf_size;
    Cpu const cpu(o.threads);
    return cpu.run([&] {
        check_points(points);
        if (!o.box.empty()) job.period = checked_period(o.box, find_extent(points));
        auto result =
            with_compiled_dim<ZWALK_DIMS>(points.dim, [&]<int D>() { return run_fof<D, T>(cpu, job); });
        double const start = now_seconds();
        set_labels(result, o.order);
        result.stats.seconds.emplace_back("labels", now_seconds() - start);
        return result;
    });
}

FofMemory fof_memory(std::uint64_t points, int dim, std::size_t item_bytes) {
    int const columns = with_compiled_dim<ZWALK_DIMS>(dim, []<int D>() { return D; });
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
