#include "zwalk/radius/radius.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "zwalk/run/call.hpp"
#include "zwalk/run/queries.hpp"
#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk::inline v0::detail {

template <class T>
void check_radius_options(RadiusOptions const& o, bool with_queries) {
    double const r = o.radius;
    if (!(r >= 0) || std::isinf(r))
        throw InputError(fmt::format("the radius must be a finite number >= 0, but is {}", r));
    if (std::isinf(T(r)))
        throw InputError(fmt::format("the radius {} is too large for the precision of the points", r));
    if (with_queries && o.exclude_self)
        throw InputError(
            "exclude_self needs the points to be their own queries: leave out either "
            "the queries or exclude_self");
}

namespace {

/// Refuses what a device has no memory for, but for the lists: trees, what a walk has per node, counts.
/// @param before  bytes of points that have to get there
template <class T, class P>
void check_memory(P& device, double points, double queries, bool kept, int columns,
                  TreeOptions const& options, std::uint64_t before) {
    auto const own = device_tree_bytes(columns, sizeof(T), options);
    double const each = 2 * sizeof(pos_t) + sizeof(size_type) + own.walk;
    double const build = std::max(own.sort, own.build), targets = queries > 0 ? queries : points;
    double const needed =
        (kept ? 0 : points * std::max(build, own.tree)) + queries * build + targets * each;
    check_device_memory("radius search", std::size_t(targets),
                        before + whole_bytes(device_tree_padding + needed),
                        Preparation<T, P>::available(device));
}

/// In points that are brought to a place for this.
template <class T, int... D, class P, class AnyPoints>
RadiusResult<T, P> search(Dims<D...> dims, P& place, AnyPoints sources, AnyPoints const* queries,
                          RadiusTask<T, P> task) {
    RadiusOptions const& o = task.options;
    check_radius_options<T>(o, bool(queries));
    if (queries) check_query_columns(queries->dim, sources.dim);
    if constexpr (is_device<P>)
        check_memory<T>(place, double(sources.size), queries ? double(queries->size) : 0, false,
                        compiled_columns<P>(dims, sources.dim), o.tree,
                        brought_bytes(sources) + (queries ? brought_bytes(*queries) : 0));
    Brought<T, P> asked;
    return ask_once<RadiusAlgorithm>(
        dims, place, sources, o.box, o.tree, [&](Extent<T> & extent) -> auto const& {
            if (queries) {
                asked = Preparation<T, P>::bring(place, *queries, "queries", !o.box.empty());
                extent.add(asked.extent);
                task.queries = &asked.points;
            }
            return task;
        });
}

/// In the points of an index.
template <class T, int... D, class P, class AnyPoints>
RadiusResult<T, P> search(Dims<D...> dims, Index<T, P> const& index, AnyPoints const* queries,
                          RadiusTask<T, P> task) {
    check_for_index(task.options.box);
    check_radius_options<T>(task.options, bool(queries));
    if (queries) check_query_columns(queries->dim, index.dim());
    return on_index<RadiusResult<T, P>>(dims, index, [&](auto& place) {
        PreparedPoints<T, P> const& kept = index.points();
        if constexpr (is_device<P>)
            check_memory<T>(place, double(index.size()), queries ? double(queries->size) : 0, true,
                            compiled_columns<P>(dims, kept.dim), kept.options,
                            queries ? brought_bytes(*queries) : 0);
        RunPoints<T, P> points(kept);
        Brought<T, P> asked;
        if (queries) {
            asked = Preparation<T, P>::bring(place, *queries, "queries", !kept.period.empty());
            check_fit(kept, asked.extent);
            task.queries = &asked.points;
        }
        return ask<RadiusAlgorithm>(dims, place, points, task);
    });
}

}  // namespace

template <class T>
RadiusResult<T> find_radius(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& o, Cpu const& cpu, RadiusWork work,
                            ListVisitor<T> const& visitor) {
    Cpu place = cpu;
    return search<T>(CpuDims{}, place, sources, queries, {o, nullptr, work, visitor});
}
template <class T>
RadiusResult<T> find_radius(Index<T> const& index, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& o, RadiusWork work, ListVisitor<T> const& visitor) {
    return search<T>(CpuDims{}, index, queries, {o, nullptr, work, visitor});
}
template <class T>
RadiusResult<T> find_radius(CudaIndex<T> const& index, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& o, RadiusWork work) {
    return on_index<RadiusResult<T>>(CudaDims{}, index, [&](auto& device) {
        return to_host<RadiusResult<T>>(device,
                                        search<T>(CudaDims{}, index, queries, {o, nullptr, work, {}}));
    });
}
template <class T>
RadiusResult<T, CudaDevice> find_radius(DevicePoints<T> sources,
                                        std::type_identity_t<DevicePoints<T>> const* queries,
                                        RadiusOptions const& o, Cuda const& cuda, RadiusWork work) {
    return on_cuda<RadiusResult<T, CudaDevice>>(CudaDims{}, cuda, [&](auto& device) {
        return search<T>(CudaDims{}, device, sources, queries, {o, nullptr, work, {}});
    });
}
template <class T>
RadiusResult<T> find_radius(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& o, Cuda const& cuda, RadiusWork work) {
    return on_cuda<RadiusResult<T>>(CudaDims{}, cuda, [&](auto& device) {
        return to_host<RadiusResult<T>>(
            device, search<T>(CudaDims{}, device, sources, queries, {o, nullptr, work, {}}));
    });
}

#define ZWALK_RADIUS(T)                                                                                 \
    template void check_radius_options<T>(RadiusOptions const&, bool);                                  \
    template RadiusResult<T> find_radius(Points<T>, Points<T> const*, RadiusOptions const&, Cpu const&, \
                                         RadiusWork, ListVisitor<T> const&);                            \
    template RadiusResult<T> find_radius(Index<T> const&, Points<T> const*, RadiusOptions const&,       \
                                         RadiusWork, ListVisitor<T> const&);                            \
    template RadiusResult<T> find_radius(CudaIndex<T> const&, Points<T> const*, RadiusOptions const&,   \
                                         RadiusWork);                                                   \
    template RadiusResult<T, CudaDevice> find_radius(DevicePoints<T>, DevicePoints<T> const*,           \
                                                     RadiusOptions const&, Cuda const&, RadiusWork);    \
    template RadiusResult<T> find_radius(Points<T>, Points<T> const*, RadiusOptions const&,             \
                                         Cuda const&, RadiusWork);
ZWALK_RADIUS(float)
ZWALK_RADIUS(double)

}  // namespace zwalk::inline v0::detail
