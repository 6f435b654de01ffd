#include "zwalk/radius/radius.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "algorithm.hpp"
#include "compiled_dims.hpp"
#include "images.hpp"
#include "zwalk/run/search.hpp"
#include "zwalk/tree/device_tree_bytes.hpp"

namespace zwalk::inline v0::detail {

namespace {

/// Throws InputError unless it is a radius. `of_row`: "", or " of row 7".
template <class T>
void check_radius(double r, std::string const& of_row) {
    if (!(r >= 0) || std::isinf(r))
        throw InputError(fmt::format("the radius{} must be a finite number >= 0, but is {}", of_row, r));
    if (std::isinf(T(r)))
        throw InputError(
            fmt::format("the radius {}{} is too large for the precision of the points", r, of_row));
}

}  // namespace

template <class T>
void check_radius_options(RadiusOptions const& o, bool with_queries, bool each, std::uint64_t row) {
    if (each && o.radius != 0)
        throw InputError(
            "radius is one for all points, radii are one for each: leave out either of them");
    check_radius<T>(o.radius, "");
    auto const bad = std::find_if_not(o.radii.begin(), o.radii.end(),
                                      [](double r) { return r >= 0 && !std::isinf(T(r)); });
    if (bad != o.radii.end())
        check_radius<T>(*bad, fmt::format(" of row {}", row + std::uint64_t(bad - o.radii.begin())));
    if (with_queries && (o.exclude_self || o.larger))
        throw InputError(fmt::format(
            "{0} needs the points to be their own queries: leave out either the queries or {0}",
            o.exclude_self ? "exclude_self" : "larger"));
}

void check_number_of_radii(RadiusOptions const& o, std::size_t targets, bool with_queries, bool each) {
    std::size_t const radii = o.radii.size();
    if (each && radii != targets)
        throw InputError(fmt::format("there are {} radii, but {} {}: give one for each", radii, targets,
                                     with_queries ? "queries" : "points"));
    if (!each && o.larger && targets > 0)
        throw InputError("larger is of two radii: it needs radii, one for each point");
}

SearchNeed radius_need(SearchShape const& shape, bool each) {
    double const points = double(shape.points), queries = double(shape.queries.value_or(0));
    auto const own = device_tree_bytes(shape.columns, shape.item_bytes, shape.tree);
    // Radii are there twice for a moment, and some of them for nodes.
    double const radii = each ? 3. * double(shape.item_bytes) : 0.;
    double const beside = 2 * sizeof(pos_t) + sizeof(size_type) + own.walk + radii;
    double const build = std::max(own.sort, own.build), targets = queries > 0 ? queries : points;
    double const needed =
        (shape.kept ? 0 : points * std::max(build, own.tree)) + queries * build + targets * beside;
    std::uint64_t const bytes = whole_bytes(device_tree_padding + needed);
    return {fmt::format("radius search of {} points", std::size_t(targets)), bytes, bytes};
}

/// f.operator()<A>() for the search that the options ask for.
/// @param queries  null: points are their own
template <class Queries, class F>
auto by_radii(RadiusOptions const& o, std::size_t points, Queries const* queries, F const& f) {
    bool const each = !o.radii.empty();
    check_number_of_radii(o, queries ? queries->size : points, bool(queries), each);
    if (each) return f.template operator()<RadiiAlgorithm>();
    return f.template operator()<RadiusAlgorithm>();
}

template <class T>
RadiusResult<T> find_radius(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& o, Cpu const& cpu, RadiusWork work,
                            ListVisitor<T> const& visitor) {
    if (o.images)
        return find_images<T>(sources, queries, o, work, [&](auto among, auto asked, auto const& open) {
            return find_radius<T>(among, &asked, open, cpu, work, visitor);
        });
    Cpu place = cpu;
    return by_radii(o, sources.size, queries, [&]<class A>() {
        return search<A, T>(CpuDims{}, place, sources, queries, {o, nullptr, work, visitor});
    });
}
template <class T>
RadiusResult<T> find_radius(Index<T> const& index, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& o, Kept, RadiusWork work,
                            ListVisitor<T> const& visitor) {
    refuse_images(o, "an index");
    return by_radii(o, index.size(), queries, [&]<class A>() {
        return search<A, T>(CpuDims{}, index, queries, {o, nullptr, work, visitor});
    });
}
template <class T>
RadiusResult<T> find_radius(CudaIndex<T> const& index, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& o, Kept, RadiusWork work) {
    refuse_images(o, "an index");
    return on_index<RadiusResult<T>>(CudaDims{}, index, [&](auto& device) {
        auto found = by_radii(o, index.size(), queries, [&]<class A>() {
            return search<A, T>(CudaDims{}, index, queries, {o, nullptr, work, {}});
        });
        return to_host<RadiusResult<T>>(device, std::move(found));
    });
}
/// Searches on a GPU, for points here or there. The result stays there.
template <class Device, class AnyPoints>
auto find_on(Device& device, AnyPoints sources, AnyPoints const* queries, RadiusOptions const& o,
             RadiusWork work) {
    using T = std::remove_cvref_t<decltype(*sources.data)>;
    return by_radii(o, sources.size, queries, [&]<class A>() {
        return search<A, T>(CudaDims{}, device, sources, queries, {o, nullptr, work, {}});
    });
}
template <class T>
RadiusResult<T, CudaDevice> find_radius(DevicePoints<T> sources,
                                        std::type_identity_t<DevicePoints<T>> const* queries,
                                        RadiusOptions const& o, Cuda const& cuda, RadiusWork work) {
    refuse_images(o, "a search for points that are on a device");
    return on_cuda<RadiusResult<T, CudaDevice>>(
        CudaDims{}, cuda, [&](auto& device) { return find_on(device, sources, queries, o, work); });
}
template <class T>
RadiusResult<T> find_radius(Points<T> sources, std::type_identity_t<Points<T>> const* queries,
                            RadiusOptions const& o, Cuda const& cuda, RadiusWork work) {
    if (o.images)
        return find_images<T>(sources, queries, o, work, [&](auto among, auto asked, auto const& open) {
            return find_radius<T>(among, &asked, open, cuda, work);
        });
    return on_cuda<RadiusResult<T>>(CudaDims{}, cuda, [&](auto& device) {
        return to_host<RadiusResult<T>>(device, find_on(device, sources, queries, o, work));
    });
}

#define ZWALK_RADIUS(T)                                                                                 \
    template void check_radius_options<T>(RadiusOptions const&, bool, bool, std::uint64_t);             \
    template RadiusResult<T> find_radius(Points<T>, Points<T> const*, RadiusOptions const&, Cpu const&, \
                                         RadiusWork, ListVisitor<T> const&);                            \
    template RadiusResult<T> find_radius(Index<T> const&, Points<T> const*, RadiusOptions const&, Kept, \
                                         RadiusWork, ListVisitor<T> const&);                            \
    template RadiusResult<T> find_radius(CudaIndex<T> const&, Points<T> const*, RadiusOptions const&,   \
                                         Kept, RadiusWork);                                             \
    template RadiusResult<T, CudaDevice> find_radius(DevicePoints<T>, DevicePoints<T> const*,           \
                                                     RadiusOptions const&, Cuda const&, RadiusWork);    \
    template RadiusResult<T> find_radius(Points<T>, Points<T> const*, RadiusOptions const&,             \
                                         Cuda const&, RadiusWork);
ZWALK_RADIUS(float)
ZWALK_RADIUS(double)

}  // namespace zwalk::inline v0::detail
