// Algorithms on any Device, as tests call them; and whether results are those of the CPU, bit for bit.
#pragma once
#include <type_traits>

#include "device/dims.hpp"
#include "device/support.hpp"
#include "emst/src/device_driver.hpp"
#include "fof/src/driver.hpp"
#include "knn/src/device_search.hpp"
#include "pairs/src/driver.hpp"
#include "radius/src/driver.hpp"
#include "zwalk/run/call.hpp"
#include "zwalk/run/detail/device_preparation.hpp"

namespace test {

/// Points with D columns, ready for kernels of C.
template <int C, int D, class T, class Device>
PreparedPoints<T, Device> prepared(Device& device, Rows<D, T> const& rows,
                                   std::vector<double> const& box, TreeOptions const& options) {
    auto brought = detail::Preparation<T, Device>::bring(device, on_device<D, T>(rows), "points", true);
    auto const extent = brought.extent;
    auto const unit = unit_for(brought.largest);
    if (!unit.is_plain()) detail::Preparation<T, Device>::rescale(device, brought, unit);
    Stats built;
    return detail::prepare(device, std::move(brought), box, extent, unit, C, options, built);
}

/// The driver of A, compiled for C columns, for points that are kept.
template <class A, int C, class T, class Device>
auto ask(Device& device, PreparedPoints<T, Device> const& points,
         typename A::template Task<T, Device> const& task) {
    detail::RunPoints<T, Device> kept(points);
    return detail::in_unit<A>(device, points.unit, task, [&](auto const& asked) {
        return A::template run<C>(device, kept, asked);
    });
}

/// Others, in the unit of the points.
template <class T, class Device>
detail::Brought<T, Device> in_unit_of(PreparedPoints<T, Device> const& points, Device& device,
                                      DevicePoints<T> others) {
    detail::Brought<T, Device> there{{}, others};
    if (!points.unit.is_plain()) detail::Preparation<T, Device>::rescale(device, there, points.unit);
    return there;
}

/// A driver for all places, on points that are kept.
template <class A, int C, class T, class Device>
requires detail::DrivenAnywhere<A>
auto ask(Device& device, PreparedPoints<T, Device> const& points, typename A::Options const& options,
         detail::OthersOn<A, T, Device>* others = nullptr) {
    static_assert(std::is_same_v<detail::Dims<C>, typename detail::DimsFor<T, Device>::type>);
    detail::RunPoints<T, Device> kept(points);
    return detail::drive<A>(device, kept, others, options);
}

/// Neighbours of queries, or without of the points themselves.
template <int C, class T, class Device>
KnnResult<T, Device> device_knn(
    Device& device, PreparedPoints<T, Device> const& points,
    std::type_identity_t<DevicePoints<T>> const* queries, KnnOptions const& o,
    std::type_identity_t<detail::ChunkVisitor<T, Device>> const& visitor = {}) {
    detail::RunPoints<T, Device> kept(points);
    detail::Queries<T, Device> asked;
    if (queries) asked = {in_unit_of(points, device, *queries)};
    detail::NearestAsked<T, Device> search{
        {o.k, o.exclude_self, detail::scaled_within(o.within, points.unit)}, o.order};
    if (queries) search.queries = &asked;
    if (visitor) search.visitor = detail::in_unit<T, Device>(visitor, points.unit);
    auto found = detail::NearestSearching::run<C>(device, kept, search);
    if (!points.unit.is_plain())
        detail::Preparation<T, Device>::multiply(device, found.distances.data(), found.distances.size(),
                                                 points.unit.unit());
    KnnResult<T, Device> r{found.rows,
                           visitor ? 0 : std::size_t(o.k),
                           std::move(found.indices),
                           std::move(found.distances),
                           std::move(found.row_order),
                           {},
                           std::move(found.stats)};
    if (o.order == Order::z && !visitor) r.source_order = kept.take_order(device);
    return r;
}

template <class T, class Device, class Expected>
requires is_device<Device>
bool equals(KnnResult<T, Device> const& r, Expected const& expected) {
    return r.rows == expected.rows && r.columns == expected.columns &&
           same(r.indices, expected.indices) && same(r.distances, expected.distances) &&
           same(r.row_order, expected.row_order) && same(r.source_order, expected.source_order);
}

template <int C, int D, class T, class Device>
FofResult<Device> device_fof(Device& device, Rows<D, T> const& rows, FofOptions const& o) {
    return ask<detail::FofAlgorithm, C>(device, prepared<C, D, T>(device, rows, o.box, o.tree), o);
}

template <class Device, class Expected>
bool equals(FofResult<Device> const& r, Expected const& expected) {
    return same(r.labels, expected.labels) && same(r.root, expected.root) &&
           same(r.z_order, expected.z_order) && r.groups == expected.groups;
}

template <int C, int D, class T, class Device>
EmstResult<T, Device> device_emst(Device& device, Rows<D, T> const& rows, EmstOptions const& o) {
    return ask<detail::EmstAlgorithm, C>(device, prepared<C, D, T>(device, rows, o.box, o.tree), o);
}

template <class T, class Device, class Expected>
requires is_device<Device>
bool equals(EmstResult<T, Device> const& r, Expected const& expected) {
    return same(r.edges, expected.edges) && same(r.lengths, expected.lengths) &&
           same(r.core_distances, expected.core_distances);
}

}  // namespace test
