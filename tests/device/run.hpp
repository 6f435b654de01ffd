// Algorithms on any Device, as tests call them; and whether results are those of the CPU, bit for bit.
#pragma once
#include "device/support.hpp"
#include "emst/src/device_driver.hpp"
#include "fof/src/driver.hpp"
#include "knn/src/device_run.hpp"

namespace test {

/// An index of points with D columns, by kernels compiled for C.
template <int C, int D, class T, class Device>
detail::DeviceIndex<C, T, Device> device_index(Device& device, Rows<D, T> const& rows,
                                               KnnOptions const& o) {
    return {device, on_device<D, T>(rows), period_of<T>(o.box, D), o.tree};
}

template <class T, class Expected>
bool equals(DeviceKnnResult<T> const& r, Expected const& expected) {
    return r.rows == expected.rows && r.columns == expected.columns &&
           same(r.indices, expected.indices) && same(r.distances, expected.distances) &&
           same(r.row_order, expected.row_order) && same(r.source_order, expected.source_order);
}

template <int C, int D, class T, class Device>
FofResult<Device> device_fof(Device& device, Rows<D, T> const& rows, FofOptions const& o) {
    detail::RunInput<T, Device> const input{on_device<D, T>(rows), period_of<T>(o.box, D)};
    return detail::FofAlgorithm::run<C>(device, input, o);
}

template <class Device, class Expected>
bool equals(FofResult<Device> const& r, Expected const& expected) {
    return same(r.labels, expected.labels) && same(r.root, expected.root) &&
           same(r.z_order, expected.z_order) && r.groups == expected.groups;
}

template <int C, int D, class T, class Device>
EmstResult<T, Device> device_emst(Device& device, Rows<D, T> const& rows, EmstOptions const& o) {
    detail::RunInput<T, Device> const input{on_device<D, T>(rows), period_of<T>(o.box, D)};
    return detail::EmstAlgorithm::run<C>(device, input, o);
}

template <class T, class Device, class Expected>
requires is_device<Device>
bool equals(EmstResult<T, Device> const& r, Expected const& expected) {
    return same(r.edges, expected.edges) && same(r.lengths, expected.lengths) &&
           same(r.core_distances, expected.core_distances);
}

}  // namespace test
