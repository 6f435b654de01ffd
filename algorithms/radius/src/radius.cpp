#include "zwalk/radius/radius.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "zwalk/run/search.hpp"
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

SearchNeed radius_need(SearchShape const& shape) {
    double const points = double(shape.points), queries = double(shape.queries.value_or(0));
    auto const own = device_tree_bytes(shape.columns, shape.item_bytes, shape.tree);
    double const each = 2 * sizeof(pos_t) + sizeof(size_type) + own.walk;
    double const build = std::max(own.sort, own.build), targets = queries > 0 ? queries : points;
    double const needed =
        (shape.kept ? 0 : points * std::max(build, own.tree)) + queries * build + targets * each;
    std::uint64_t const bytes = whole_bytes(device_tree_padding + needed);
    return {fmt::format("radius search of {} points", std::size_t(targets)), bytes, bytes};
}

template <class T>
RadiusResult<T> find_radius(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& o, Cpu const& cpu, RadiusWork work,
                            ListVisitor<T> const& visitor) {
    Cpu place = cpu;
    return search<RadiusAlgorithm, T>(CpuDims{}, place, sources, queries, {o, nullptr, work, visitor});
}
template <class T>
RadiusResult<T> find_radius(Index<T> const& index, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& o, RadiusWork work, ListVisitor<T> const& visitor) {
    return search<RadiusAlgorithm, T>(CpuDims{}, index, queries, {o, nullptr, work, visitor});
}
template <class T>
RadiusResult<T> find_radius(CudaIndex<T> const& index, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& o, RadiusWork work) {
    return on_index<RadiusResult<T>>(CudaDims{}, index, [&](auto& device) {
        return to_host<RadiusResult<T>>(
            device, search<RadiusAlgorithm, T>(CudaDims{}, index, queries, {o, nullptr, work, {}}));
    });
}
template <class T>
RadiusResult<T, CudaDevice> find_radius(DevicePoints<T> sources,
                                        std::type_identity_t<DevicePoints<T>> const* queries,
                                        RadiusOptions const& o, Cuda const& cuda, RadiusWork work) {
    return on_cuda<RadiusResult<T, CudaDevice>>(CudaDims{}, cuda, [&](auto& device) {
        return search<RadiusAlgorithm, T>(CudaDims{}, device, sources, queries, {o, nullptr, work, {}});
    });
}
template <class T>
RadiusResult<T> find_radius(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& o, Cuda const& cuda, RadiusWork work) {
    return on_cuda<RadiusResult<T>>(CudaDims{}, cuda, [&](auto& device) {
        return to_host<RadiusResult<T>>(
            device,
            search<RadiusAlgorithm, T>(CudaDims{}, device, sources, queries, {o, nullptr, work, {}}));
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
